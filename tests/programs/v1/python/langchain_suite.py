"""LangChain's own tests of a chat model, unmodified, with `ChatOpenAI` against `/v1` of a running site.

The files that the tests load from the internet are replaced by small ones of the same type.
"""

from __future__ import annotations

import os
import struct
import zlib
from collections.abc import Iterator
from typing import Any
from unittest.mock import patch

import httpx
import pytest
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage
from langchain_openai import ChatOpenAI
from langchain_tests.integration_tests import ChatModelIntegrationTests

URL, KEY = os.environ["MEMSITE_TEST_URL"], os.environ["MEMSITE_TEST_KEY"]


def _make_chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


PNG = (
    b"\x89PNG\r\n\x1a\n"
    + _make_chunk(b"IHDR", struct.pack(">IIBBBBB", 1, 1, 8, 2, 0, 0, 0))
    + _make_chunk(b"IDAT", zlib.compress(b"\x00\xff\x00\x00"))
    + _make_chunk(b"IEND", b"")
)
WAV = (
    b"RIFF\x24\x00\x00\x00WAVEfmt "
    + struct.pack("<IHHIIHH", 16, 1, 1, 8000, 16000, 2, 16)
    + b"data\x00\x00\x00\x00"
)
FILES = {
    "png": PNG,
    "pdf": b"%PDF-1.1\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n",
    "wav": WAV,
}


def _load_file(url: str, **_options: Any) -> httpx.Response:
    return httpx.Response(200, content=FILES[url.rpartition(".")[2]])


@pytest.fixture(autouse=True)
def local_files() -> Iterator[None]:
    with patch("langchain_tests.integration_tests.chat_models.httpx.get", _load_file):
        yield


class _OfMemsite(ChatModelIntegrationTests):
    """What both wires have."""

    supports_audio_inputs = True
    supports_image_inputs = True
    supports_image_urls = True
    supports_json_mode = True
    supports_pdf_inputs = True
    supports_anthropic_inputs = True
    supports_image_tool_message = True
    supports_pdf_tool_message = True
    supports_model_override = True
    model_override_value = "scripted-other"
    supported_usage_metadata_details = {
        "invoke": ["reasoning_output", "cache_read_input"],
        "stream": ["reasoning_output", "cache_read_input"],
    }

    @property
    def chat_model_class(self) -> type[BaseChatModel]:
        return ChatOpenAI

    def invoke_with_reasoning_output(self, *, stream: bool = False) -> AIMessage:
        return self._ask(is_streamed=stream)

    def invoke_with_cache_read_input(self, *, stream: bool = False) -> AIMessage:
        return self._ask(is_streamed=stream)

    def _ask(self, *, is_streamed: bool) -> AIMessage:
        model = ChatOpenAI(**self.chat_model_params)
        if not is_streamed:
            return model.invoke("Hello")
        whole: Any = None
        for chunk in model.stream("Hello"):
            whole = chunk if whole is None else whole + chunk
        assert isinstance(whole, AIMessage)
        return whole


class TestChatCompletions(_OfMemsite):
    @property
    def chat_model_params(self) -> dict[str, Any]:
        return _make_params(use_responses_api=False)


class TestResponses(_OfMemsite):
    @property
    def chat_model_params(self) -> dict[str, Any]:
        return _make_params(use_responses_api=True)


def _make_params(*, use_responses_api: bool) -> dict[str, Any]:
    return {
        "model": "scripted",
        "base_url": f"{URL}/v1",
        "api_key": KEY,
        "use_responses_api": use_responses_api,
        "stream_usage": True,
    }
