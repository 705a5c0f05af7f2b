import inspect
import json as code_sample

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memsite.errors import InvalidInput
from memsite.llm.simple_tokenizer import SimpleTokenizer
from memsite.llm.tokens import count_tokens

ENGLISH = """
Last spring we moved the whole workshop into the old dairy behind the church. It took three weekends, two
borrowed trailers and more coffee than I care to remember. The lathe was the worst of it: nobody had told us
that the floor slopes towards the drain, so for the first month every bowl I turned came out slightly oval.
My sister, who keeps the books, says that we should have measured twice. She is right, of course, but she
was also the one who signed the lease after a ten minute visit. Now the place smells of cedar instead of
milk, the windows face south, and on Thursdays the choir practises next door, which is better than radio.
We still argue about the heating. I would like a wood stove; she would like to keep our insurance.
"""
CHINESE = """
去年春天我们把整个工作室搬到了教堂后面的旧奶牛场。搬家花了三个周末，借了两辆拖车，喝掉的咖啡多得我都不愿意回想。
最麻烦的是那台车床：没人告诉我们地面是朝排水口倾斜的，所以头一个月我车出来的碗都有点椭圆。妹妹负责记账，她说我们当初
应该多量几遍。她说得当然没错，可是只看了十分钟就签下租约的人也是她。现在屋子里闻起来是雪松味而不是牛奶味，窗户朝南，
每个星期四合唱团在隔壁排练，比听收音机强多了。关于取暖我们到现在还在争：我想要一个烧柴的炉子，她想保住我们的保险。
"""


@pytest.mark.parametrize(
    ("text", "encoding", "lowest", "highest"),
    [
        (ENGLISH, "o200k_base", 1.07, 1.24),
        (CHINESE, "o200k_base", 0.84, 1.05),
        (inspect.getsource(code_sample), "o200k_base", 0.68, 1.20),
        (ENGLISH, "cl100k_base", 1.03, 1.20),
        (CHINESE, "cl100k_base", 0.53, 0.71),
        (inspect.getsource(code_sample), "cl100k_base", 0.65, 1.22),
    ],
)
def test_the_estimate_is_as_near_as_its_docstring_says(
    text: str, encoding: str, lowest: float, highest: float
) -> None:
    assert lowest <= SimpleTokenizer().count_tokens(text) / count_tokens(text, encoding) <= highest


def test_latin_text_costs_a_quarter_token_a_character() -> None:
    assert SimpleTokenizer().count_tokens("abcd" * 25) == 25


def test_empty_text_costs_nothing() -> None:
    assert SimpleTokenizer().count_tokens("") == 0


def test_a_message_costs_four_tokens_more() -> None:
    assert SimpleTokenizer().count_message_tokens({"role": "user", "content": "abcd"}) == 5


def test_ratio_scales_the_estimate() -> None:
    assert SimpleTokenizer(0.5).count_tokens("abcd" * 25) == 50
    assert SimpleTokenizer(0.5).count_tokens("中" * 10) == 16


@pytest.mark.parametrize("ratio", [0, -1, 0.001, 11, float("nan"), float("inf")])
def test_ratio_that_cannot_be_is_refused(ratio: float) -> None:
    with pytest.raises(InvalidInput):
        SimpleTokenizer(ratio)


@given(st.text(alphabet=st.characters(), max_size=200), st.floats(0.01, 10))
def test_decoding_gives_the_text_back_and_ids_are_as_many_as_counted(text: str, ratio: float) -> None:
    tokenizer = SimpleTokenizer(ratio)
    ids = tokenizer.encode(text)
    assert tokenizer.decode(ids) == text
    assert len(ids) == tokenizer.count_tokens(text)


@pytest.mark.parametrize("ids", [[-1], [0x110001]])
def test_numbers_that_are_no_ids_are_refused(ids: list[int]) -> None:
    with pytest.raises(InvalidInput):
        SimpleTokenizer().decode(ids)
