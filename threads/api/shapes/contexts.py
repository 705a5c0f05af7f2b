"""Schemas of contexts."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from pydantic import BaseModel, Field

from memories.api.shapes.memories import Share
from memsite.rest.parsing import Body, Moment
from threads.api.shapes.reading import Encoded
from threads.conf import CONTENT_CHARACTERS, DEFAULT_MAX_TOKENS, MOST_MAX_TOKENS
from threads.messages import Text
from threads.models import CitationRole
from threads.prompt import Format


class BudgetIn(Body):
    """Shares of the window in place of the site's. Together at most 1; the recent messages have the rest."""

    system_prompt: Share | None = None
    summary: Share | None = None
    retrieved: Share | None = None
    current_input: Share | None = None

    def list_shares(self) -> dict[str, float]:
        """Return the shares that are given, by part."""
        return self.model_dump(exclude_none=True)


class ContextIn(Encoded):
    """Request for a context.

    `max_tokens`: limit of input tokens, all parts together. `encoding`, `model`: encoding in which tokens are
    counted, by default that of the thread's model, else of the site's. `as_of`, `believed_at`: what was true
    then, as believed then.
    """

    input: Text = Field(min_length=1, max_length=CONTENT_CHARACTERS)
    max_tokens: int = Field(DEFAULT_MAX_TOKENS, ge=1, le=MOST_MAX_TOKENS)
    format: Format = "openai"
    as_of: Moment | None = None
    believed_at: Moment | None = None
    budget: BudgetIn = BudgetIn()
    preview: bool = Field(
        default=False, description="show how it comes about; nothing is cited, nothing counts as use"
    )


class CitationPatch(Body):
    """Rating of a citation. `useful`: whether the memory helped; null removes the rating."""

    useful: bool | None


class JudgedCitationOut(BaseModel):
    """A citation with its rating."""

    id: UUID
    memory_id: UUID
    context_id: UUID
    score: float
    role: CitationRole
    why: str
    useful: bool | None


class TokenStatsOut(BaseModel):
    """Tokens of disjoint parts that add up to the total."""

    system_prompt: int
    requirements: int
    summary: int
    task_state: int
    recent_messages: int
    retrieved: int
    current_input: int
    total: int


class BudgetOut(BaseModel):
    """Shares of the window in tokens; `reserved` is outside it."""

    system_prompt: int
    summary: int
    retrieved: int
    recent_messages: int
    current_input: int
    reserved: int


class MetadataOut(BaseModel):
    """Facts about a context.

    `degraded`: parts that are missing or cut. `notes`: the reasons, and other remarks about a part.
    """

    context_id: UUID
    included_messages: int
    summarised_messages: int
    summary_used: bool
    memories_retrieved: int
    encoding: str = Field(description="in which tokens were counted")
    degraded: list[str]
    notes: dict[str, str]
    budget: BudgetOut


class CitationOut(BaseModel):
    """A memory that is part of a context.

    `id`: id of the citation, by which it can be rated. `role`: `recalled` for the input, or `respected` as a
    requirement, whose `score` is 0 and whose `relevance` is null. `why`: why it was recalled, or why the
    requirement applies.
    """

    id: UUID
    memory_id: UUID
    content: str
    role: CitationRole
    score: float
    relevance: float | None
    why: str


class ContextPartOut(BaseModel):
    """A part of a context.

    `budget`: share of the window; the task state uses the summary's. `text`: of a part that consists of one
    text.
    """

    name: str
    budget: int
    tokens: int
    text: str | None


class FlowOut(BaseModel):
    """Tokens of one part's share that another part used."""

    source: str
    target: str
    tokens: int


class ConsideredOut(BaseModel):
    """A memory that recall found. `reason`: why it is included or not."""

    memory_id: UUID
    content: str
    relevance: float
    tokens: int
    included: bool
    reason: str


class ContextPreviewOut(BaseModel):
    """How a context is assembled: its parts in order, token flows, and memories considered."""

    parts: list[ContextPartOut]
    flows: list[FlowOut]
    memories: list[ConsideredOut]


class ContextOut(BaseModel):
    """A context.

    `messages`: in the requested format, the input last. `system`: in Anthropic's format only.
    """

    messages: list[dict[str, Any]]
    token_stats: TokenStatsOut
    metadata: MetadataOut
    citations: list[CitationOut]
    system: str | None = None
    preview: ContextPreviewOut | None = Field(None, description="where it was asked for")
