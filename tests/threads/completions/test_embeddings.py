"""Embeddings under `/v1`."""

from __future__ import annotations

import base64
from typing import Any

import numpy as np
import pytest

from memsite.llm.embedding import get_embedder
from tests.threads.completions.calling import Caller

pytestmark = pytest.mark.django_db


def test_texts_become_vectors_of_the_site_s_model(alice_v1: Caller) -> None:
    said = alice_v1.post("/v1/embeddings", {"model": "any", "input": ["a cat", "a dog"]}).json
    vectors = np.array([one["embedding"] for one in said["data"]])
    assert np.allclose(vectors, get_embedder().embed(["a cat", "a dog"]), atol=1e-6)
    assert said["model"] == get_embedder().model


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
        {"input": [[1, 2]]},
        {"input": "a", "encoding_format": "hex"},
        {"input": "a", "dimensions": 3},
    ],
)
def test_wrong_input_is_an_invalid_request(wrong: dict[str, Any], alice_v1: Caller) -> None:
    said = alice_v1.post("/v1/embeddings", {"model": "any", **wrong})
    assert (said.status, said.error["type"]) == (400, "invalid_request_error")
