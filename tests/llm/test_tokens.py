import base64
import hashlib
import inspect
import json
import time
from collections.abc import Iterator
from functools import cache
from typing import NoReturn

import pytest
import tiktoken
from hypothesis import given
from hypothesis import strategies as st
from tiktoken_ext import openai_public  # type: ignore[import-untyped] # it has none

from memsite.errors import InvalidInput, Unavailable
from memsite.llm import tokens

# Ids that OpenAI's own tiktoken gives.
KNOWN = [
    ("o200k_base", "hello world", [24912, 2375]),
    ("cl100k_base", "hello world", [15339, 1917]),
    ("cl100k_base", "tiktoken is great!", [83, 1609, 5963, 374, 2294, 0]),
    ("o200k_base", "中文 text", [10667, 2201]),
    ("o200k_base", "", []),
]


@pytest.mark.parametrize(("encoding", "text", "ids"), KNOWN)
def test_the_ids_are_those_of_tiktoken(encoding: str, text: str, ids: list[int]) -> None:
    assert tokens.encode(text, encoding) == ids


SIZES = {"o200k_base": 199_998, "cl100k_base": 100_256}
#: What the splitting rules look at: contractions, digits by threes, spaces, line ends, scripts, marks.
PIECES = [
    *"aBzéİßñΩжא中가ª①Ⅷ😀/_-'",
    "'s",
    "'RE",
    " ",
    "  ",
    "\n",
    "\r\n",
    "\t",
    "12",
    "1234",
    "...",
    "<|",
    "\u0301",
]


@cache
def vocabulary(encoding: str) -> list[bytes]:
    """The bytes of every token, by id, special ones aside."""
    loaded = tokens._load(encoding)  # noqa: SLF001 - a half of a character is no text
    return [loaded.decode_bytes([token]) for token in range(SIZES[encoding])]


@cache
def reference(encoding: str) -> tiktoken.Encoding:
    """tiktoken's own, with its rules of splitting, and no download."""
    ranks = {spelt: rank for rank, spelt in enumerate(vocabulary(encoding))}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(openai_public, "load_tiktoken_bpe", lambda *_, **__: ranks)
        return tiktoken.Encoding(**getattr(openai_public, encoding)())


@pytest.mark.parametrize("encoding", tokens.BUILT_IN)
def test_the_vocabulary_is_the_published_file_to_the_byte(encoding: str) -> None:
    spelt = enumerate(vocabulary(encoding))
    published = b"".join(base64.b64encode(token) + b" %d\n" % rank for rank, token in spelt)
    assert hashlib.sha256(published).hexdigest() in inspect.getsource(getattr(openai_public, encoding))


@pytest.mark.parametrize("encoding", tokens.BUILT_IN)
@given(text=st.lists(st.sampled_from(PIECES), max_size=20).map("".join) | st.text())
def test_any_text_splits_as_tiktoken_splits_it(encoding: str, text: str) -> None:
    text = text.replace("\u017f", "")  # the long s after an apostrophe is the one known exception
    assert tokens.encode(text, encoding) == reference(encoding).encode_ordinary(text)


@pytest.mark.parametrize("encoding", tokens.BUILT_IN)
@given(text=st.text())
def test_decoding_gives_the_text_back(encoding: str, text: str) -> None:
    assert tokens.decode(tokens.encode(text, encoding), encoding) == text


@pytest.mark.parametrize("encoding", tokens.BUILT_IN)
@pytest.mark.parametrize("mark", ["<|endoftext|>", "<|endofprompt|>", "<|im_start|>"])
def test_a_special_token_in_a_text_counts_as_ordinary_text(encoding: str, mark: str) -> None:
    assert tokens.count_tokens(mark, encoding) > 3


def test_a_lone_surrogate_counts_as_a_replacement_character() -> None:
    assert tokens.encode("a\ud800b") == tokens.encode("a\ufffdb")


def test_half_a_character_decodes_to_a_replacement_character() -> None:
    assert "\ufffd" in tokens.decode(tokens.encode("𓀀")[:1])


@pytest.mark.parametrize("wrong", [-1, 10**7, 10**30])
def test_an_unknown_id_is_invalid_input(wrong: int) -> None:
    with pytest.raises(InvalidInput, match="o200k_base"):
        tokens.decode([wrong])


def test_an_unknown_encoding_is_invalid_input_that_names_the_known() -> None:
    with pytest.raises(InvalidInput, match="cl100k_base"):
        tokens.encode("text", "o900k_base")


@pytest.fixture
def nothing_loaded() -> Iterator[None]:
    tokens._load.cache_clear()  # noqa: SLF001 - made-up encodings must not outlive their test
    tokens._failed_until.clear()  # noqa: SLF001 - what the test resets
    yield
    tokens._load.cache_clear()  # noqa: SLF001 - what the test resets
    tokens._failed_until.clear()  # noqa: SLF001 - what the test resets


def test_an_encoding_that_cannot_be_fetched_says_what_to_use(
    monkeypatch: pytest.MonkeyPatch, nothing_loaded: None
) -> None:
    def fail(name: str) -> None:
        raise ConnectionError(name)

    monkeypatch.setattr(tiktoken, "get_encoding", fail)
    with pytest.raises(Unavailable, match=r"p50k_base is not built in.*o200k_base"):
        tokens.encode("text", "p50k_base")


def test_a_download_that_failed_is_not_tried_again_at_once(
    monkeypatch: pytest.MonkeyPatch, nothing_loaded: None
) -> None:
    tried: list[str] = []

    def fail(name: str) -> NoReturn:
        tried.append(name)
        raise ConnectionError(name)

    monkeypatch.setattr(tiktoken, "get_encoding", fail)
    for _ in range(3):
        with pytest.raises(Unavailable):
            tokens.encode("text", "p50k_base")
    assert tried == ["p50k_base"]


def test_a_download_that_hangs_is_given_up(monkeypatch: pytest.MonkeyPatch, nothing_loaded: None) -> None:
    monkeypatch.setattr(tokens, "FETCH_SECONDS", 0.01)
    monkeypatch.setattr(tiktoken, "get_encoding", lambda _: time.sleep(0.2))
    with pytest.raises(Unavailable, match="gpt2 is not built in"):
        tokens.encode("text", "gpt2")


def test_an_encoding_that_can_be_fetched_is_used(
    monkeypatch: pytest.MonkeyPatch, nothing_loaded: None
) -> None:
    ranks = {bytes([byte]): byte for byte in range(256)}
    byte_wise = tiktoken.Encoding("byte-wise", pat_str=r".", mergeable_ranks=ranks, special_tokens={})
    monkeypatch.setattr(tiktoken, "get_encoding", lambda _: byte_wise)
    assert tokens.decode(tokens.encode("né", "r50k_base"), "r50k_base") == "né"


@pytest.mark.parametrize(
    ("model", "encoding"),
    [
        ("gpt-4o-mini", "o200k_base"),
        ("gpt-4.1-nano", "o200k_base"),
        ("gpt-5", "o200k_base"),
        ("o1", "o200k_base"),
        ("o3-mini", "o200k_base"),
        ("chatgpt-4o-latest", "o200k_base"),
        ("openai/gpt-4o", "o200k_base"),
        ("ft:gpt-4o-2024-08-06:me::1", "o200k_base"),
        ("gpt-4", "cl100k_base"),
        ("gpt-4-turbo", "cl100k_base"),
        ("gpt-3.5-turbo-16k", "cl100k_base"),
        ("ft:gpt-3.5-turbo:me::1", "cl100k_base"),
        ("text-embedding-3-small", "cl100k_base"),
        ("gpt-oss-120b", "o200k_base"),
        ("ada", "r50k_base"),
        ("text-embedding-3-large", "cl100k_base"),
        ("gpt2", "gpt2"),
        ("text-davinci-003", "p50k_base"),
        ("qwen2.5:7b", "o200k_base"),
    ],
)
def test_a_models_name_picks_its_encoding(model: str, encoding: str) -> None:
    assert tokens.get_encoding(model) == encoding


def test_a_message_costs_four_tokens_besides_its_content() -> None:
    assert tokens.count_message_tokens({"role": "user", "content": "hello world"}) == 4 + 2


def test_tool_calls_count_as_their_json() -> None:
    calls = [{"id": "call_1", "type": "function", "function": {"name": "look", "arguments": '{"城": 1}'}}]
    written = json.dumps(calls, ensure_ascii=False, separators=(",", ":"))
    message = {"role": "assistant", "content": None, "tool_calls": calls}
    assert tokens.count_message_tokens(message) == 4 + tokens.count_tokens(written)


def test_text_parts_count_as_their_text() -> None:
    message = {"role": "user", "content": [{"type": "text", "text": "hello world"}, "hello world"]}
    assert tokens.count_message_tokens(message) == 4 + 2 + 2


@pytest.mark.parametrize("encoding", tokens.BUILT_IN)
@pytest.mark.parametrize("unit", ["The cat sat on 3 mats, didn't it?\n", "我喜欢茶，每天喝3杯。\n\n"])
def test_text_longer_than_a_part_has_the_same_tokens(unit: str, encoding: str) -> None:
    text = unit * 1_000
    whole = tokens._load(encoding).encode_ordinary(text)  # noqa: SLF001 - the tokenizer itself
    assert tokens.encode(text, encoding) == whole


def test_tokenizer_reads_a_long_text_in_short_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    loaded, lengths = tokens._load("o200k_base"), []  # noqa: SLF001 - the tokenizer itself

    class Recorder:
        def encode_ordinary(self, text: str) -> list[int]:
            lengths.append(len(text))
            return loaded.encode_ordinary(text)

    monkeypatch.setattr(tokens, "_load", lambda _: Recorder())
    tokens.encode("一二三" * 20_000)
    assert max(lengths) <= 2_048


def test_loaded_encoding_has_no_table_left_to_build(nothing_loaded: None) -> None:
    taken = []
    for _ in range(3):
        tokens._load.cache_clear()  # noqa: SLF001 - a process that has just started
        tokens.warm_up()
        began = time.process_time()
        tokens.encode("zvxqk 一二三")
        taken.append(time.process_time() - began)
    assert min(taken) < 0.05


def test_long_run_of_one_sign_is_counted_in_linear_time() -> None:
    tokens.count_tokens("." * 20_000)
    began = time.process_time()
    tokens.count_tokens("." * 400_000)
    assert time.process_time() - began < 2
    assert tokens.decode(tokens.encode("." * 20_000)) == "." * 20_000


def test_long_texts_are_estimated_within_a_few_percent() -> None:
    texts = ["A sentence of some words. " * 10_000, "Another one, with 12 numbers 3456. " * 10_000]
    exact = sum(map(tokens.count_tokens, texts))
    assert tokens.estimate_tokens(texts) == pytest.approx(exact, rel=0.1)


def test_short_texts_are_counted_exactly() -> None:
    assert tokens.estimate_tokens(["Hello there.", "", "你好"]) == tokens.count_tokens("Hello there.") + (
        tokens.count_tokens("你好")
    )
