"""A gate that cries wolf loses what people said: hardly a line of ordinary text may be touched."""

from __future__ import annotations

import random
import sysconfig
from collections.abc import Iterator
from pathlib import Path

from memories.gate import inspect_text, redact_text

FILES = 60
MOST_FALSE_ALARMS = 0.001  # of lines


def lines_of_source_code() -> Iterator[str]:
    """The standard library: names, paths, digests, messages, made-up hosts and a few made-up passwords."""
    files = sorted(Path(sysconfig.get_paths()["stdlib"]).glob("*.py"))
    for path in random.Random(1).sample(files, FILES):  # noqa: S311 - a sample of files
        yield from filter(
            None, map(str.strip, path.read_text(encoding="utf-8", errors="ignore").splitlines())
        )


def test_under_one_line_of_source_code_in_a_thousand_is_touched() -> None:
    lines = list(lines_of_source_code())
    touched = [line for line in lines if not inspect_text(line).clean]
    assert len(lines) > 10_000
    assert len(touched) <= MOST_FALSE_ALARMS * len(lines), touched


CHAT = """
I went to a support group yesterday and it was so powerful, the stories were inspiring!
My sister Melanie painted a lake sunrise last year; she signs her pictures with MP2022.
The key to a good password, my teacher says, is that it is long and that you forget it.
We paid 1,299.00 for flight LH1234 on 12.05.2024 and stay in room 4711 until 2024-05-19.
Our wifi is called HomeNet5, the router hangs in the hall; call me at +49 176 12345678.
The token economy in her class works: three tokens a day, a secret prize at the end.
My passport expires in 2030, so I have to renew my driving licence first.
She runs Python 3.11 with Django 5.2 on Ubuntu 24.04 and pins numpy==2.4.6.
我昨天和朋友一起去了上海的一家咖啡店，她的手机号是13812345678，生日是1990年3月7日。
他忘记密码了，客服说要带身份证去银行，下周三上午十点见。
"""


def test_chat_about_everyday_things_is_untouched() -> None:
    assert redact_text(CHAT).text == CHAT
