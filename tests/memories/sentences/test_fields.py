"""Which inputs and memories are of a field of life, by their sentence vectors."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from memories.retrieval.estimates import find_fields, find_members
from memories.text import RequirementTag
from memsite.llm.embedding import SentenceEmbedder

CRAFT = RequirementTag.CRAFT


@pytest.fixture(scope="module")
def embedder() -> SentenceEmbedder:
    return SentenceEmbedder()


@pytest.mark.parametrize(
    "text",
    [
        "Add a retry to the upload client.",
        "Why does `cargo build` fail with E0382 in our parser?",
        "把这个组件拆成两个文件",
        "给结算模块补几个单元测试",
    ],
)
def test_work_on_code_is_of_the_field(embedder: SentenceEmbedder, text: str) -> None:
    assert find_fields(embedder.embed_query(text)) == (CRAFT,)


@pytest.mark.parametrize(
    "text",
    [
        "Who invented the compiler?",
        "Plan a weekend in Lisbon.",
        "我女儿几岁了？",
        "编译型语言和解释型语言有什么区别？",
    ],
)
def test_other_inputs_are_of_no_field(embedder: SentenceEmbedder, text: str) -> None:
    assert find_fields(embedder.embed_query(text)) == ()


def test_rules_and_tools_for_code_are_of_the_field(embedder: SentenceEmbedder) -> None:
    texts = [
        "The user's services are written in Go 1.22 and run on Nomad.",
        "Never use inheritance in my code.",
        "我们仓库的分支名一律小写加短横线。",
        "The user plays in a brass band.",
        "The user works as a software engineer at a bank.",
        "用户不吃辣。",
    ]
    assert find_members(CRAFT, embedder.embed_passages(texts)).tolist() == [True] * 3 + [False] * 3


@given(st.lists(st.integers(0, 2**32 - 1), min_size=1, max_size=8), st.data())
def test_memory_is_of_a_field_whatever_is_beside_it(seeds: list[int], data: st.DataObject) -> None:
    vectors = np.stack([np.random.default_rng(seed).normal(size=384) for seed in seeds]).astype(np.float32)
    vectors[data.draw(st.integers(0, len(seeds) - 1))] = 0  # no vector yet
    alone = [bool(find_members(CRAFT, one[None])[0]) for one in vectors]
    assert find_members(CRAFT, vectors).tolist() == alone
    assert not find_members(CRAFT, np.zeros((1, 384), dtype=np.float32)).any()
