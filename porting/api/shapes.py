"""Define the parameters and response bodies of export and import."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from pydantic import BaseModel, Field

from memsite.rest.parsing import Body
from porting.models import ImportStatus
from porting.values import Format, Learn


class ImportQuery(Body):
    """How a file is imported. With `dry_run`, say what it holds and keep nothing."""

    format: Format = Format.AUTO
    dry_run: bool = False
    threads: bool = Field(default=True, description="also import conversations")
    learn: Learn = Field(default=Learn.RULES, description="what to learn from conversations")


class ExampleOut(BaseModel):
    kind: str = Field(description="`memory` or `thread`")
    text: str


class WarningOut(BaseModel):
    where: str
    why: str


class ImportPreviewOut(BaseModel):
    """What the files hold. `present`: came with an earlier import. `refused`: the gate keeps them out."""

    format: str
    total: int
    threads: int
    messages: int
    memories: int
    pending: int = Field(description="memories that a model concluded; they wait for approval")
    present: int
    refused: int
    reasons: dict[str, int]
    tokens: int = Field(description="estimated tokens of the conversations")
    earliest: datetime | None
    latest: datetime | None
    examples: list[ExampleOut]
    warnings: list[WarningOut]


class ImportQueuedOut(BaseModel):
    job: UUID
    import_: UUID = Field(alias="import")


class ProgressOut(BaseModel):
    done: int
    total: int


class ImportOut(BaseModel):
    """An import. Counts say what became of its items; `skipped` ones were there already."""

    id: UUID
    format: str
    status: ImportStatus
    files: list[str]
    threads_wanted: bool
    learn: Learn
    progress: ProgressOut
    threads: int
    extended: int = Field(description="threads that were there and got further messages")
    messages: int
    created: int
    pending: int
    strengthened: int
    merged: int
    superseded: int
    disputed: int
    restored: int
    skipped: int
    refused: int
    removed: int = Field(description="memories that undoing removed")
    left_out: int = Field(description="what undoing left, because it was changed since")
    warnings: list[WarningOut]
    error: str
    batch_id: UUID
    job: UUID | None
    created_at: datetime
    finished_at: datetime | None


class ImportsOut(BaseModel):
    results: list[ImportOut]
