"""A gate that cries wolf loses what people said: hardly a line of ordinary text may be touched."""

from __future__ import annotations

import random
import sysconfig
from collections.abc import Iterator
from pathlib import Path

import pytest

from memories.gate import inspect_text, redact_text
from memories.values import Candidate
from memories.writing.drafting import redact_candidate

EVERYDAY = Path(__file__).parent / "samples" / "everyday.txt"
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


def test_no_everyday_sentence_is_touched() -> None:
    sentences = EVERYDAY.read_text(encoding="utf-8").splitlines()[1:]
    assert len(sentences) > 190
    assert [text for text in sentences if not inspect_text(text).clean] == []


@pytest.mark.parametrize("thing", ["HSK5", "iPhone15", "夏天通过B2考试", "第1006号小屋", "Aurora-1006"])
@pytest.mark.parametrize("predicate", ["likes", "goal", "uses", "favourite_phone", "喜欢"])
def test_object_of_what_a_person_is_or_likes_is_untouched(predicate: str, thing: str) -> None:
    stated = Candidate(f"{thing}.", subject="user", predicate=predicate, object=thing)
    assert redact_candidate(stated, mode="redact") == stated


@pytest.mark.parametrize("subject", ["user", "the user", "admin", "Anna"])
@pytest.mark.parametrize("predicate", ["password", "wifi password", "密码", "login password"])
def test_password_in_a_triple_is_found(subject: str, predicate: str) -> None:
    stated = Candidate(
        "The office card in the blue drawer says hunter2.",
        subject=subject,
        predicate=predicate,
        object="hunter2",
    )
    assert "hunter2" not in str(redact_candidate(stated, mode="redact"))


@pytest.mark.parametrize(
    ("before", "secret"),
    [
        ("user anna: ", "hunter2"),
        ("root: ", "hunter22"),
        ("登录口令是", "abc12345"),
        ("热狗店的wifi口令是", "abc12345"),
        ("密码箱的密码是", "4711abc"),
        ("口令：", "kestrel99"),
        ("账号：anna / ", "kestrel99"),
    ],
)
def test_secret_beside_such_words_is_still_found(before: str, secret: str) -> None:
    assert redact_text(before + secret).text == f"{before}[redacted:password]"
