"""Compiled loops of the sentence model against plain numpy."""

from __future__ import annotations

import math

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from memsite.llm.embedding.sentences.loops import apply_gelu, attend

WIDTH, HEADS = 8, 2


@given(st.lists(st.floats(-30, 30, width=32), min_size=1, max_size=20))
def test_gelu_is_nearly_exact(values: list[float]) -> None:
    computed = np.array([values], dtype=np.float32)
    apply_gelu(computed)
    exact = [value * 0.5 * (1 + math.erf(value / math.sqrt(2))) for value in values]
    assert np.allclose(computed[0], exact, rtol=1e-6, atol=2e-6)


@given(st.integers(1, 6), st.integers(0, 1_000))
def test_attention_is_the_weighted_mean_of_the_values(tokens: int, seed: int) -> None:
    parts = np.random.default_rng(seed).standard_normal((tokens, 3 * WIDTH)).astype(np.float32)
    mixed = np.empty((tokens, WIDTH), dtype=np.float32)
    attend(parts, HEADS, mixed)
    queries, keys, values = parts.reshape(tokens, 3, HEADS, -1).transpose(1, 2, 0, 3)
    shares = np.exp(queries @ keys.transpose(0, 2, 1) / math.sqrt(WIDTH / HEADS))
    expected = (shares / shares.sum(axis=2, keepdims=True)) @ values
    assert np.allclose(mixed, expected.transpose(1, 0, 2).reshape(tokens, WIDTH), atol=1e-5)
