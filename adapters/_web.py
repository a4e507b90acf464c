"""HTTP requests that end: bounded in bytes, in redirects and in time; a secret goes to no other house than the one it was given for."""

from __future__ import annotations

import ssl
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from http.cookiejar import CookieJar, DefaultCookiePolicy

import httpx

from adapters._base import SourceError, SourceTimeout, SourceUnavailable

_REDIRECTS = 5
_MOVED = (301, 302, 303, 307, 308)


@cache
def trusted() -> ssl.SSLContext:
    """Whom a server's certificate may come from. Read once, for every client: that takes longer than all else in making one."""
    return httpx.create_ssl_context()


@dataclass(frozen=True, slots=True)
class Answer:
    """A whole answer; `url` is the address that gave it in the end."""

    status: int
    headers: httpx.Headers
    body: bytes
    url: httpx.URL


class Web:
    """A client that asks for many people: it keeps no cookies, so that nobody is taken for another."""

    def __init__(self, max_bytes: int) -> None:
        self.max_bytes = max_bytes
        self.client = httpx.AsyncClient(
            verify=trusted(),
            timeout=httpx.Timeout(30, connect=3),
            limits=httpx.Limits(max_connections=32, max_keepalive_connections=8),
            cookies=CookieJar(DefaultCookiePolicy(allowed_domains=[])),
            headers={"Accept-Encoding": "gzip", "User-Agent": "temporal-recall"},
        )

    async def ask(
        self,
        url: str | httpx.URL,
        method: str = "GET",
        *,
        auth: httpx.Auth | None = None,
        headers: Mapping[str, str] | None = None,
        params: Mapping[str, str | int] | None = None,
        body: bytes = b"",
    ) -> Answer:
        """The answer, after at most five redirects, which keep method and body. Raises a SourceError when there is none."""
        try:
            at = httpx.URL(url, params=params) if params else httpx.URL(url)
            origin = at
            for _ in range(_REDIRECTS + 1):
                own = auth if same_house(origin, at) else None
                request = self.client.build_request(method, at, headers=headers, content=body)
                answer = await self.client.send(request, auth=own, stream=True)
                try:
                    if answer.status_code not in _MOVED or "location" not in answer.headers:
                        return Answer(answer.status_code, answer.headers, await self._body(answer), at)
                finally:
                    await answer.aclose()
                to = at.join(answer.headers["location"])
                if to.scheme not in ("http", "https") or (at.scheme == "https" and to.scheme != "https"):
                    raise SourceError("the server sends on to an unsafe address")
                at = to
        except httpx.TimeoutException as error:
            raise SourceTimeout("the server did not answer in time") from error
        except httpx.HTTPError as error:
            raise SourceUnavailable(f"the server cannot be reached: {type(error).__name__}") from error
        except (httpx.InvalidURL, ValueError) as error:
            raise SourceError("the address is none") from error
        raise SourceError("the server sends on and on")

    async def _body(self, answer: httpx.Response) -> bytes:
        coding = answer.headers.get("content-encoding", "identity").strip().lower()
        if coding not in ("identity", "gzip", "x-gzip", "deflate"):
            raise SourceError("the server answers in a coding that was not asked for")
        # Unpacked by hand: a megabyte of gzip may hold a thousand.
        unpack = None if coding == "identity" else zlib.decompressobj(47)
        parts, size = [], 0
        async for chunk in answer.aiter_raw():
            try:
                part = chunk if unpack is None else unpack.decompress(chunk, self.max_bytes + 1)
            except zlib.error as error:
                raise SourceError("the server's answer cannot be unpacked") from error
            size += len(part)
            if size > self.max_bytes:
                raise SourceError(f"the server's answer is larger than {self.max_bytes} bytes")
            parts.append(part)
        return b"".join(parts)

    async def close(self) -> None:
        await self.client.aclose()


def same_house(given: httpx.URL, asked: httpx.URL) -> bool:
    """Whether a secret for `given` may go to `asked`: the same host, or over TLS another host of the same domain."""
    if (given.scheme, given.host, given.port) == (asked.scheme, asked.host, asked.port):
        return True
    labels = given.host.split(".")
    domain = ".".join(labels[1:]) if len(labels) > 2 else given.host
    named = not given.host.replace(".", "").isdigit() and ":" not in given.host and "." in domain
    if asked.scheme != "https":
        return False
    return asked.host == given.host or (named and (asked.host == domain or asked.host.endswith("." + domain)))


class Bearer(httpx.Auth):
    """A token in the Authorization header."""

    def __init__(self, token: str) -> None:
        self.token = token

    def auth_flow(self, request: httpx.Request):  # type: ignore[no-untyped-def]
        request.headers["Authorization"] = f"Bearer {self.token}"
        yield request


def raise_for(status: int) -> None:
    """Raises the SourceError that a status of 300 or more means."""
    if status in (401, 403):
        raise SourceError(f"the server refuses the name, the password or the token ({status})")
    if status in (404, 410):
        raise SourceError(f"the server has no such address ({status})")
    if status in (408, 504):
        raise SourceTimeout(f"the server ran out of time ({status})")
    if status == 429 or status >= 500:
        raise SourceUnavailable(f"the server is out of order ({status})")
    if status >= 300:
        raise SourceError(f"the server answered {status}")
