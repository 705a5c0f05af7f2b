"""Check what a tool was given. Each error is one sentence that a model can act on."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Final, Literal, Self
from uuid import UUID

from pydantic import AfterValidator, Field

from memories.mcp.aliases import translate_arguments
from memories.mcp.rendering import join_words
from memories.storage import ENDING_DIGITS, find_by_endings
from memories.values import KINDS, Kind, Layer
from memsite.errors import InvalidInput, NotAllowed, NotFound
from memsite.rest.parsing import Body, Metadata, Moment
from memsite.values import TextEnum, parse_id

#: The same words for an id that does not exist, that is none, and that is another owner's.
UNKNOWN: Final = "There is no such memory."
#: Characters of a memory, and of a query, as in the API.
MAX_CONTENT: Final = 20_000
MAX_QUERY: Final = 4_000
MAX_IDS: Final = 100
MAX_BATCH: Final = 100
MAX_RESULTS: Final = 50
MAX_OFFSET: Final = 10_000
DEFAULT_RESULTS: Final = 10

_ENDING: Final = re.compile(rf"\[?(?:m:)?([0-9a-f]{{{ENDING_DIGITS}}})\]?", re.IGNORECASE)


class ToolAction(TextEnum):
    """An action of the tool `memory`."""

    ADD = "add"
    UPDATE = "update"
    SEARCH = "search"
    REFLECT = "reflect"
    STATS = "stats"
    LIST = "list"
    DELETE = "delete"
    GC = "gc"


@dataclass(frozen=True, slots=True)
class Use:
    """The use of an action.

    Attributes:
        scopes: What a key needs for it.
        help: What it does, for the tool's description.
        needs: Arguments that it cannot do without.
        takes: Arguments that it also takes.
    """

    scopes: frozenset[str]
    help: str
    needs: tuple[str, ...] = ()
    takes: tuple[str, ...] = ()


_READ: Final = frozenset({"read"})
_WRITE: Final = frozenset({"write"})
_FILTERS: Final = ("kind", "layer", "tags", "metadata", "since", "until", "sort", "limit", "offset")

USES: Final[Mapping[ToolAction, Use]] = {
    ToolAction.ADD: Use(
        _WRITE,
        "add: remember content, one lasting fact in one sentence that names whom it is about; or a batch.",
        ("content",),
        ("batch", "kind", "layer", "tags", "when", "metadata"),
    ),
    ToolAction.UPDATE: Use(
        _WRITE,
        "update: give the memory id another content, kind, tags or when; its old wording is kept.",
        ("id",),
        ("content", "kind", "tags", "when", "mode"),
    ),
    ToolAction.SEARCH: Use(_READ, "search: what is remembered about query.", ("query",), _FILTERS),
    ToolAction.REFLECT: Use(
        _WRITE,
        "reflect: find facts and patterns in what is remembered (about query), in the background.",
        (),
        ("query", "what", "layer"),
    ),
    ToolAction.STATS: Use(_READ, "stats: how much is remembered, and its state."),
    ToolAction.LIST: Use(_READ, "list: memories, newest first.", (), _FILTERS),
    ToolAction.DELETE: Use(
        _READ | _WRITE,
        "delete: forget the memory id. With query, or several ids, it only lists; then the ids with"
        " dry_run=false forget these.",
        (),
        ("id", "ids", "query", "kind", "layer", "tags", "since", "until", "dry_run"),
    ),
    ToolAction.GC: Use(
        _READ | _WRITE,
        "gc: list old and unused memories; then the ids with dry_run=false forget these.",
        (),
        ("ids", "layer", "dry_run", "max_age_days", "min_access_count"),
    ),
}


def list_actions(scopes: frozenset[str]) -> tuple[ToolAction, ...]:
    """Return the actions that a key with these scopes may do, always in the same order."""
    return tuple(action for action in ToolAction if USES[action].scopes <= scopes)


def check_text(text: str) -> str:
    """Return a text. Raises ValueError if it has characters that cannot be stored.

    The library's reader of JSON lets half of a surrogate pair (`\\ud800`) through.
    """
    if "\0" in text:
        raise ValueError("a NUL character cannot be stored")
    if any("\ud800" <= sign <= "\udfff" for sign in text):
        raise ValueError("half of a surrogate pair cannot be stored")
    return text


Text = Annotated[str, AfterValidator(check_text)]
Tag = Annotated[Text, Field(min_length=1, max_length=64)]
Id = Annotated[str, Field(max_length=64)]


Sort = Literal["relevance", "newest", "oldest", "importance"]
What = Literal["consolidate", "facts", "patterns", "compress", "infer"]


class Item(Body):
    """One memory of a batch."""

    content: Annotated[Text, Field(min_length=1, max_length=MAX_CONTENT)]
    kind: Kind | None = None
    layer: Layer | None = None
    tags: list[Tag] = Field(default=[], max_length=64)
    when: Moment | None = None
    metadata: Metadata = {}


class MemoryArguments(Body):
    """The arguments of the tool `memory`."""

    action: ToolAction
    content: Annotated[Text, Field(max_length=MAX_CONTENT)] | None = None
    id: Id | None = None
    ids: list[Id] | None = Field(None, min_length=1, max_length=MAX_IDS)
    query: Annotated[Text, Field(max_length=MAX_QUERY)] | None = None
    kind: Kind | Annotated[list[Kind], Field(min_length=1, max_length=16)] | None = None
    layer: Layer | Annotated[list[Layer], Field(min_length=1, max_length=3)] | None = None
    tags: list[Tag] | None = Field(None, max_length=64)
    metadata: Metadata | None = None
    batch: list[Item | Annotated[Text, Field(max_length=MAX_CONTENT)]] | None = Field(
        None, min_length=1, max_length=MAX_BATCH
    )
    mode: Literal["replace", "append"] | None = None
    sort: Sort | None = None
    what: What | None = None
    max_age_days: int | None = Field(None, ge=0, le=36_500)
    min_access_count: int | None = Field(None, ge=0, le=1_000_000)
    when: Moment | None = None
    since: Moment | None = None
    until: Moment | None = None
    limit: int | None = Field(None, ge=1, le=MAX_RESULTS)
    offset: int | None = Field(None, ge=0, le=MAX_OFFSET)
    dry_run: bool | None = None

    @classmethod
    def read(cls, given: Mapping[str, Any], scopes: frozenset[str]) -> Self:
        """Return the arguments of a call.

        Raises:
            NotAllowed: If the key may not do this action.
            InvalidInput: If arguments do not fit the action or each other.
            ValidationError: If one of them has the wrong form.
        """
        given = translate_arguments(given)
        present = {name: value for name, value in given.items() if value not in (None, "", [], {})}
        action = _read_action(present.get("action"), scopes)
        use = USES[action]
        extra = [name for name in present if name not in {"action", *use.needs, *use.takes}]
        if extra:
            raise InvalidInput(f"{action} does not take {join_words(sorted(extra))}; {_describe_use(action)}")
        if "batch" not in present and any(name not in present for name in use.needs):
            raise InvalidInput(_describe_use(action))
        arguments = cls.model_validate(present)
        arguments.check_combination()
        return arguments

    @property
    def layers(self) -> tuple[Layer, ...]:
        """The layers as a filter."""
        return tuple(self.layer) if isinstance(self.layer, list) else (self.layer,) if self.layer else ()

    @property
    def kinds(self) -> tuple[Kind, ...]:
        """The kinds as a filter."""
        return tuple(self.kind) if isinstance(self.kind, list) else (self.kind,) if self.kind else ()

    def list_items(self) -> list[Item]:
        """Return the memories to add, each with what the call gives for all of them.

        Raises:
            InvalidInput: If a memory has several layers or kinds.
        """
        if len(self.layers) > 1 or len(self.kinds) > 1:
            raise InvalidInput("A memory has one layer and one kind.")
        shared: dict[str, Any] = {
            "layer": next(iter(self.layers), None),
            "kind": next(iter(self.kinds), None),
            "tags": self.tags or [],
            "when": self.when,
            "metadata": self.metadata or {},
        }
        given = self.batch if self.batch is not None else [self.content or ""]
        items = [one if isinstance(one, Item) else Item.model_validate({"content": one}) for one in given]
        return [
            one.model_copy(update={name: getattr(one, name) or value for name, value in shared.items()})
            for one in items
        ]

    def check_combination(self) -> None:
        """Raise InvalidInput if arguments that fit the action do not fit each other."""
        for name in ("content", "query"):
            text = getattr(self, name)
            if text is not None and not text.strip():
                raise InvalidInput(f"{name} says nothing.")
        possible = [kind for layer in self.layers for kind in KINDS[layer]]
        if possible and any(kind not in possible for kind in self.kinds):
            raise InvalidInput(f"A kind of the layer {join_words(self.layers)} is {_alternatives(possible)}.")
        if self.action == ToolAction.ADD and (self.content is None) == (self.batch is None):
            raise InvalidInput("add needs content, or batch, and not both.")
        check = {ToolAction.UPDATE: self._check_update, ToolAction.DELETE: self._check_delete}
        check.get(self.action, self._check_gc)()

    def _check_update(self) -> None:
        if all(value is None for value in (self.content, self.kind, self.tags, self.when)):
            raise InvalidInput("update needs id and at least one of content, kind, tags and when.")

    def _check_delete(self) -> None:
        if sum(value is not None for value in (self.id, self.ids, self.query)) != 1:
            raise InvalidInput("delete needs one of id, ids and query.")
        filters = (self.kind, self.layer, self.tags, self.since, self.until)
        if self.query is None and any(value is not None for value in filters):
            raise InvalidInput("delete takes kind, layer, tags, since and until only with query.")
        if self.query is not None and self.dry_run is False:
            raise InvalidInput("delete with query only lists: call it again with the ids and dry_run=false.")

    def _check_gc(self) -> None:
        if self.action == ToolAction.GC and self.dry_run is False and self.ids is None:
            raise InvalidInput("gc lists first: call it alone, then with the ids and dry_run=false.")


def _read_action(given: Any, scopes: frozenset[str]) -> ToolAction:  # noqa: ANN401 - any JSON value
    allowed = list_actions(scopes)
    if given not in tuple(ToolAction):
        raise InvalidInput(f"action is {_alternatives(allowed)}.")
    action = ToolAction(given)
    if action not in allowed:
        missing = join_words(sorted(USES[action].scopes - scopes))
        raise NotAllowed(f"This key may not {action}: it lacks the scope {missing}.")
    return action


def _describe_use(action: ToolAction) -> str:
    """Return what an action needs and takes, such as `search needs query and takes kind and layer.`"""
    use = USES[action]
    parts = [f"needs {join_words(use.needs)}"] if use.needs else []
    parts += [f"takes {join_words(use.takes)}"] if use.takes else []
    return f"{action} {' and '.join(parts) or 'takes no arguments'}."


def _alternatives(words: Sequence[str]) -> str:
    return join_words(words, last="or")


def resolve_ids(given: Sequence[str], *, owner: UUID) -> list[UUID]:
    """Return the ids of memories that a program named, by whole ids or as in a line: `m:` and eight digits.

    A whole id is returned as it is; whoever reads the row finds out whether the owner has it.

    Raises:
        NotFound: If one is no id, or the owner has no memory of these last digits.
        InvalidInput: If the owner has several memories of these last digits.
    """
    endings = [match and match[1].lower() for match in map(_ENDING.fullmatch, map(str.strip, given))]
    wanted = {ending for ending in endings if ending}
    found = find_by_endings(wanted, owner=owner) if wanted else {}
    resolved = [
        _resolve(text, found.get(ending, []) if ending else [parse_id(text.strip())])
        for text, ending in zip(given, endings, strict=True)
    ]
    return list(dict.fromkeys(resolved))


def _resolve(text: str, candidates: Sequence[UUID | None]) -> UUID:
    if len(candidates) > 1:
        raise InvalidInput(f"{text.strip()} names {len(candidates)} memories; give the whole id of one.")
    identifier = candidates[0] if candidates else None
    if identifier is None:
        raise NotFound(UNKNOWN)
    return identifier
