"""Schemas of reading: messages within a budget, counts, ids, search, exports, token counts."""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal, Self
from uuid import UUID

from pydantic import BaseModel, ConfigDict, Field, model_validator

from memsite.llm.simple_tokenizer import LEAST_TOKENS, MOST_TOKENS
from memsite.llm.tokens import get_encoding
from memsite.rest.pagination import PageQuery
from memsite.rest.parsing import Body, refuse_both, require_one
from threads.api.shapes.threads import CountQuery, MessageOut, MessagesQuery
from threads.conf import CONTENT_CHARACTERS, COUNTED_MESSAGES, IDS_PAGE, MOST_IDS, RETRIEVE_LIMIT
from threads.messages import Selection, Text, select_messages
from threads.models import Thread
from threads.prompt import Strategy

Encoding = Literal["o200k_base", "cl100k_base", "p50k_base", "r50k_base", "gpt2"]
DEFAULT: Final[Encoding] = "o200k_base"


class Encoded(Body):
    """The encoding in which tokens are counted; by default o200k_base.

    It is given by name, or by a model's name (`gpt-4o`).
    """

    model_config = ConfigDict(json_schema_extra=refuse_both("encoding", "model"))

    encoding: Encoding | None = None
    model: str = Field("", max_length=200, description="a model's name picks its encoding")

    @model_validator(mode="after")
    def _one_of_them(self) -> Self:
        if self.encoding is not None and self.model:
            raise ValueError("give either encoding or model")
        return self

    def chosen(self, default: str = DEFAULT) -> str:
        """Return the encoding's name; `default` if neither it nor a model is given."""
        return self.encoding or (get_encoding(self.model) if self.model else default)


class ReadQuery(MessagesQuery, Encoded):
    """A page of messages; with `max_tokens` the newest or oldest that fit, in one page."""

    strategy: Strategy = "newest_first"


class CountingQuery(CountQuery, Encoded):
    """Selects messages, and the encoding in which their tokens are counted."""


class CountedOut(BaseModel):
    count: int
    is_empty: bool
    token_count: int = Field(description="of all that match: 4 a message, contents, tool calls as JSON")
    encoding: str


class IdsQuery(PageQuery):
    """A page of ids, which can be far larger than a page of rows."""

    page_size: int = Field(IDS_PAGE, ge=1, le=MOST_IDS)
    is_temporary: bool | None = None


class IdsOut(BaseModel):
    results: list[UUID]
    next: str | None
    previous: str | None


class RetrieveIn(CountQuery):
    """The query, and the messages to search. `threshold`: least score."""

    query: Text = Field(min_length=1, max_length=CONTENT_CHARACTERS)
    limit: int = Field(RETRIEVE_LIMIT, ge=1, le=200)
    threshold: float = Field(0.0, ge=0, le=1, allow_inf_nan=False)


class FoundMessageOut(MessageOut):
    """A message with its scores, all in [0, 1]."""

    score: float = Field(description="1 − (1 − similarity) · (1 − words / 2)")
    similarity: float = Field(description="of meaning, on the reference scale")
    words: float = Field(description="the share of the query's words in it, rare ones weighing more")


class RetrieveOut(BaseModel):
    """Result of a search within a thread.

    `searched`: number of messages compared, the newest ones. `total`: number of messages selected.
    `degraded`: why messages were compared by words only.
    """

    results: list[FoundMessageOut]
    searched: int
    total: int
    degraded: str | None


class ExportQuery(Body):
    """JSON contains all branches unless one is named; Markdown contains one, by default the current one."""

    format: Literal["json", "markdown"] = "json"
    branch: str = Field("", max_length=100)
    all: bool = Field(default=False, description="all lines, as JSON has them by default")

    @model_validator(mode="after")
    def _either_all_or_one(self) -> Self:
        if self.all and (self.branch or self.format == "markdown"):
            raise ValueError("all branches are exported as JSON only, and without branch")
        return self


class ThreadExportOut(BaseModel):
    """A thread as JSON.

    `messages`: parents first, with original content. `complete`: always true; missing if the export was
    interrupted.
    """

    format: Literal["memsite.thread"]
    version: int
    exported_at: str
    thread: dict[str, Any]
    branches: list[dict[str, Any]]
    task_state: dict[str, Any] | None
    summaries: list[dict[str, Any]]
    messages: list[dict[str, Any]]
    complete: bool


class TokensIn(Body):
    """A text, or messages in OpenAI's format.

    `simple` estimates without a vocabulary. `tokens_per_character`: factor of `simple` for Latin text, and of
    no other encoding. `encoding` and `model` exclude each other.
    """

    model_config = ConfigDict(json_schema_extra=require_one("text", "messages"))

    text: Text | None = Field(None, max_length=CONTENT_CHARACTERS)
    messages: Annotated[list[dict[str, Any]], Field(max_length=COUNTED_MESSAGES)] | None = None
    encoding: Encoding | Literal["simple"] | None = None
    model: str = Field("", max_length=200)
    tokens_per_character: float | None = Field(None, ge=LEAST_TOKENS, le=MOST_TOKENS, allow_inf_nan=False)

    @model_validator(mode="after")
    def _one_of_each(self) -> Self:
        if (self.text is None) == (self.messages is None):
            raise ValueError("give either text or messages")
        if self.encoding is not None and self.model:
            raise ValueError("give either encoding or model")
        if self.tokens_per_character is not None and self.encoding != "simple":
            raise ValueError("tokens_per_character is for the encoding `simple`")
        return self


class TokensOut(BaseModel):
    """Token counts. `messages`: tokens of each message, if messages were sent; `tokens` is their sum."""

    tokens: int
    messages: list[int] | None
    encoding: str
    is_estimate: bool


def build_selection(thread: Thread, query: CountQuery) -> Selection:
    """Return the selection that a query describes."""
    return select_messages(
        thread,
        branch=query.branch,
        roles=query.role if isinstance(query.role, list) else [query.role],
        before=query.before,
        after=query.after,
        since=query.since,
        until=query.until,
    )
