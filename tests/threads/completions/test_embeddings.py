"""Embeddings under `/v1`."""

from __future__ import annotations

import base64
from typing import Any

import numpy as np
import pytest

from memsite.llm.embedding import get_embedder
from memsite.llm.tokens import encode
from tests.threads.completions.calling import Caller

pytestmark = pytest.mark.django_db


def test_texts_become_vectors_of_the_site_s_model(alice_v1: Caller) -> None:
    said = alice_v1.post("/v1/embeddings", {"model": "any", "input": ["a cat", "a dog"]}).json
    vectors = np.array([one["embedding"] for one in said["data"]])
    assert np.allclose(vectors, get_embedder().embed(["a cat", "a dog"]), atol=1e-6)
    assert said["model"] == get_embedder().model


def test_tokens_are_the_text_that_they_stand_for(alice_v1: Caller) -> None:
    tokens = [encode(one, "cl100k_base") for one in ("a cat", "a dog")]
    said = [alice_v1.post("/v1/embeddings", {"input": given}).json["data"] for given in (tokens, tokens[0])]
    vectors = np.array([one["embedding"] for data in said for one in data])
    assert np.allclose(vectors, get_embedder().embed(["a cat", "a dog", "a cat"]), atol=1e-6)


def test_base64_is_little_endian_float32(alice_v1: Caller) -> None:
    body = {"model": "any", "input": "a cat", "encoding_format": "base64"}
    said = alice_v1.post("/v1/embeddings", body).json
    vector = np.frombuffer(base64.b64decode(said["data"][0]["embedding"]), dtype="<f4")
    assert np.allclose(vector, get_embedder().embed(["a cat"])[0], atol=1e-6)


@pytest.mark.parametrize(
    "wrong",
    [
        {"input": 7},
        {"input": []},
        {"input": [[1, "a"]]},
        {"input": [-1]},
        {"input": [10**30]},
        {"input": "a", "encoding_format": "hex"},
        {"input": "a", "dimensions": 3},
    ],
)
def test_wrong_input_is_an_invalid_request(wrong: dict[str, Any], alice_v1: Caller) -> None:
    said = alice_v1.post("/v1/embeddings", {"model": "any", **wrong})
    assert (said.status, said.error["type"]) == (400, "invalid_request_error")
