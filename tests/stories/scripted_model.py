"""A model server for stories: it extracts what a story lists for a message."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from tests.llm_server import Exchange, LLMServer, Request, Step, answer
from tests.memories.writing.judged_pairs import make_judge

Proposal = dict[str, Any]


@dataclass
class StoryModel:
    """The models of a site: one extracts and compares memories, the other answers a person.

    Attributes:
        memories: What is extracted from a message, by its text; from others nothing.
        failures: Steps in place of the next answers that extract, one each.
        replies: The answers to a person, by the text of the message; to others "OK.".
    """

    server: LLMServer
    memories: dict[str, Sequence[Proposal]] = field(default_factory=dict)
    failures: list[Step] = field(default_factory=list)
    replies: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.server.always(self._answer)

    @property
    def prompt(self) -> str:
        """What the newest request for an answer to a person had beside the input."""
        newest = [one for one in self.server.chats if one.body["model"] == "primary-model"][-1]
        return "\n".join(str(one["content"]) for one in newest.messages[:-1])

    @property
    def extracted(self) -> int:
        """Number of requests to extract."""
        return sum(_is_extraction(one) for one in self.server.chats)

    def _answer(self, exchange: Exchange) -> None:
        request = exchange.request
        if request.body["model"] == "primary-model":
            answer(self.replies.get(request.messages[-1]["content"], "OK."))(exchange)
        elif not _is_extraction(request):
            answer(make_judge(lambda *_: ("different", ""))(request))(exchange)
        elif self.failures:
            self.failures.pop(0)(exchange)
        else:
            answer(self._extract(request))(exchange)

    def _extract(self, request: Request) -> str:
        lines = [json.loads(line) for line in request.prompt.splitlines() if line.startswith('{"id": ')]
        found = [
            memory | {"evidence": [line["id"]]}
            for line in lines
            if not line.get("earlier")
            for memory in self.memories.get(line["text"], ())
        ]
        return json.dumps({"memories": found}, ensure_ascii=False)


def _is_extraction(request: Request) -> bool:
    return request.body["model"] == "fast-model" and "<messages " in request.prompt
