"""Perform the actions of the tool `memory`. Nothing here waits for a language model."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial
from typing import Any, Final
from uuid import UUID

from memories import curation
from memories.curation import ChangeResult
from memories.maintenance import (
    ForgetRequest,
    ReflectionKind,
    ReflectionRequest,
    forget_request,
    gc,
    health,
    make_parts,
    request_run,
)
from memories.mcp.arguments import DEFAULT_RESULTS, Item, MemoryArguments, ToolAction, resolve_ids
from memories.mcp.callers import Caller
from memories.mcp.rendering import Answer, format_memory_count, make_row, render_memories, shorten_id
from memories.models import Memory
from memories.ports import hidden
from memories.retrieval import SearchQuery, SearchResult, search_memories
from memories.storage import (
    MemoryFilter,
    get_memory,
    list_memories,
    load_memories,
)
from memories.values import KINDS, Action, Candidate, Kind, Layer, Status, Writer
from memories.writing import WriteOutcome, write_candidates
from memsite.accounts.preferences import get_preferences
from memsite.errors import InvalidInput, RefusedByGate
from memsite.rest.parsing import write_object

MEMORY_OFF: Final = "Memory is switched off for this person."
#: How many memories a search ranks at least, so that it can say how many more there are.
_RANKED: Final = 50
_MOST_RANKED: Final = 200
#: How a list is sorted, and how its order is said.
_ORDERS: Final[Mapping[str, tuple[str, ...]]] = {
    "newest": ("-created_at", "-id"),
    "oldest": ("created_at", "id"),
    "importance": ("-importance", "-id"),
}
_FIRST: Final[Mapping[str, str]] = {"newest": "newest", "oldest": "oldest", "importance": "most important"}
_LISTED: Final = (Status.ACTIVE, Status.DISPUTED, Status.PENDING)

#: What is said of a memory that was written.
_WRITTEN: Final[Mapping[Action, str]] = {
    Action.CREATED: "Remembered as {name}.",
    Action.STRENGTHENED: "This was remembered already, as {name}; it is now more certain.",
    Action.KNOWN: "This was remembered already, as {name}.",
    Action.MERGED: "Joined with what was remembered, as {name}.",
    Action.SUPERSEDED: "Remembered as {name}; it replaces an earlier memory.",
    Action.RESTORED: "Remembered again, as {name}.",
    Action.DISPUTED: "Remembered as {name}; it contradicts another memory, and the person will decide.",
    Action.PENDING: "Noted as {name}; it waits for the person's approval.",
}


def do_action(arguments: MemoryArguments, caller: Caller) -> Answer:
    """Do what the arguments ask for.

    Raises:
        MemsiteError: If it cannot be done; its message is for the model.
    """
    return _ACTIONS[arguments.action](arguments, caller)


def _add(given: MemoryArguments, caller: Caller) -> Answer:
    candidates = [_make_candidate(item) for item in given.list_items()]
    outcomes = write_candidates(candidates, owner=caller.owner, actor=caller.actor).outcomes
    if given.batch is not None:
        return _answer_batch(outcomes)
    outcome = outcomes[0]
    if outcome.memory is None:
        raise RefusedByGate(outcome.reason)
    sentence = _WRITTEN.get(outcome.action, "Remembered as {name}.")
    return _answer_change(sentence, outcome.memory, unchanged=candidates[0].content)


def _make_candidate(item: Item) -> Candidate:
    """Return what is to be written: in the layer given, else in the first that has its kind."""
    kind = item.kind or Kind.FACT
    order = (Layer.SEMANTIC, Layer.PROCEDURAL, Layer.EPISODIC)
    layer = item.layer or next(layer for layer in order if kind in KINDS[layer])
    if item.kind is not None and item.kind not in KINDS[layer]:
        raise InvalidInput(f"A kind of the layer {layer} is one of {', '.join(KINDS[layer])}.")
    return Candidate(
        content=item.content,
        layer=layer,
        kind=item.kind or KINDS[layer][0],
        tags=tuple(item.tags),
        occurred_at=item.when,
        metadata=item.metadata,
        written_by=Writer.PROGRAM,
    )


def _answer_batch(outcomes: Sequence[WriteOutcome]) -> Answer:
    """Return a line for each memory of a batch, in order; a refused one fails alone."""
    lines = [
        f"Refused: {one.reason}"
        if one.memory is None
        else _WRITTEN.get(one.action, "Remembered as {name}.").format(name=shorten_id(one.memory.pk))
        for one in outcomes
    ]
    rows = [make_row(one.memory) for one in outcomes if one.memory is not None]
    return Answer("\n".join(lines), {"memories": rows})


def _update(given: MemoryArguments, caller: Caller) -> Answer:
    memory_id = resolve_ids([given.id or ""], owner=caller.owner)[0]
    kind = next(iter(given.kinds), None)
    changes: dict[str, Any] = {"kind": kind, "tags": given.tags, "occurred_at": given.when}
    changes = {name: value for name, value in changes.items() if value is not None}
    mode = given.mode or "replace"
    if given.content is not None:
        changed = curation.rewrite_memory(
            memory_id, given.content, changes, owner=caller.owner, actor=caller.actor, mode=mode
        )
        return _answer_change("Reworded; it is now {name}.", changed.memories[0], unchanged=given.content)
    changed = curation.edit_memory(memory_id, changes, owner=caller.owner, actor=caller.actor, mode=mode)
    return _answer_change("Changed {name}.", changed.memories[0], unchanged=changed.memories[0].content)


def _answer_change(sentence: str, memory: Memory, *, unchanged: str) -> Answer:
    """Return the answer to a write, with the memory's text if it is not what the program sent."""
    text = sentence.format(name=shorten_id(memory.pk))
    if memory.content.strip() != unchanged.strip():
        text += f" It now reads:\n{render_memories([memory]).block}"
    return Answer(text, {"memories": [make_row(memory)]})


def _search(given: MemoryArguments, caller: Caller) -> Answer:
    offset, limit = given.offset or 0, given.limit or DEFAULT_RESULTS
    query = SearchQuery(
        query=given.query or "",
        layers=given.layers,
        kinds=given.kinds,
        tags=tuple(given.tags or ()),
        metadata=write_object(given.metadata),
        since=given.since,
        until=given.until,
        order=given.sort or "relevance",
        top_k=min(max(_RANKED, offset + limit), _MOST_RANKED),
        limit=limit,
        offset=offset,
    )
    result = search_memories(query, owner=caller.owner, hidden=hidden(None, owner=caller.owner))
    if not result.total_found:
        return Answer(explain_no_result(result, owner=caller.owner), {"memories": [], "total": 0})
    order = _FIRST.get(given.sort or "", "best")
    return _answer_page(
        [hit.memory for hit in result.hits], result.total_found, offset, f"found, {order} first"
    )


def explain_no_result(result: SearchResult, *, owner: UUID) -> str:
    """Return why a search found nothing."""
    if result.cold_start:
        return "Nothing is remembered yet."
    if not get_preferences(owner).memory_on:
        return MEMORY_OFF
    return "Nothing relevant is remembered; other words may find more."


def _list(given: MemoryArguments, caller: Caller) -> Answer:
    offset, limit = given.offset or 0, given.limit or DEFAULT_RESULTS
    filters = MemoryFilter(
        status=_LISTED,
        layer=given.layers,
        kind=given.kinds,
        tags=tuple(given.tags or ()),
        metadata=write_object(given.metadata),
        since=given.since,
        until=given.until,
    )
    rows = list_memories(filters, owner=caller.owner, hidden=hidden(None, owner=caller.owner))
    total = rows.count()
    order = str(given.sort) if given.sort in _ORDERS else "newest"
    page = list(rows.order_by(*_ORDERS[order])[offset : offset + limit])
    if not total:
        return Answer("There are no such memories.", {"memories": [], "total": 0})
    return _answer_page(page, total, offset, f"in all, {_FIRST[order]} first")


def _answer_page(page: list[Memory], total: int, offset: int, order: str) -> Answer:
    shown = render_memories(page)
    structured: dict[str, Any] = {"memories": list(shown.rows), "total": total}
    text = f"{format_memory_count(total)} {order}."
    text += f"\n{shown.block}" if shown.block else " None from this offset on."
    following = offset + len(shown.rows)
    if shown.rows and following < total:
        text += f"\n… {total - following:,} more, ask with offset {following}."
        structured["next_offset"] = following
    return Answer(text, structured)


def _reflect(given: MemoryArguments, caller: Caller) -> Answer:
    topic = given.query or ""
    layer = next(iter(given.layers), Layer.SEMANTIC)
    template = ReflectionRequest(ReflectionKind.FACTS, (), layer, "topic" if topic else "all", topic)
    what = None if given.what in {None, "consolidate"} else ReflectionKind(str(given.what))
    request_run(make_parts(what, template), owner=caller.owner, actor=caller.actor)
    return Answer("Reflection is queued. What it finds can be searched within minutes.", {"queued": True})


def _stats(_given: MemoryArguments, caller: Caller) -> Answer:
    stats = health.collect_stats(owner=caller.owner)
    numbers = {name: stats[name] for name in ("total", "by_status", "by_layer", "by_kind")}
    waiting = stats["episodes_since_reflection"]
    last = stats["last_reflection"]
    lines = [
        f"{format_memory_count(stats['total'])}: {_list_counts(stats['by_status'])}.",
        f"Active by layer: {_list_counts(stats['by_layer'])}.",
        f"Active by kind: {_list_counts(stats['by_kind'])}.",
        f"Last reflection: {f'{last:%Y-%m-%d}' if last else 'never'}; {waiting:,} episodes since.",
        *(f"Warning: {warning}." for warning in stats["warnings"]),
    ]
    state = {"last_reflection": last and last.isoformat(), "episodes_since_reflection": waiting}
    return Answer("\n".join(lines), numbers | state | {"warnings": stats["warnings"]})


def _list_counts(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{count:,} {name}" for name, count in counts.items()) or "none"


def _delete(given: MemoryArguments, caller: Caller) -> Answer:
    owner = caller.owner
    if given.query is not None:
        request = ForgetRequest(
            query=given.query,
            layers=given.layers,
            kinds=given.kinds,
            tags=tuple(given.tags or ()),
            since=given.since,
            until=given.until,
        )
        found = [match.memory for match in forget_request.preview_by_request(request, owner=owner).matches]
        return _list_first(found, len(found), "delete")
    ids = resolve_ids(given.ids or [given.id or ""], owner=owner)
    if given.dry_run or (len(ids) > 1 and given.dry_run is None):
        found = [match.memory for match in forget_request.preview_by_ids(ids, owner=owner).matches]
        return _list_first(found, len(found), "delete")
    if len(ids) == 1:
        get_memory(ids[0], owner=owner)
    return _answer_forgotten(curation.forget_memories(ids, owner=owner, actor=caller.actor))


def _gc(given: MemoryArguments, caller: Caller) -> Answer:
    layers = given.layers or (Layer.EPISODIC,)
    ids = None if given.ids is None else resolve_ids(given.ids, owner=caller.owner)
    dry_run = given.dry_run is not False
    bounds: dict[str, Any] = {"max_age_days": given.max_age_days, "min_access_count": given.min_access_count}
    collect = partial(
        gc.collect_garbage,
        owner=caller.owner,
        actor=caller.actor,
        layers=layers,
        ids=ids,
        **{name: value for name, value in bounds.items() if value is not None},
    )
    found = collect(dry_run=True)
    _check_listed(ids or (), found.memory_ids)
    if dry_run:
        rows = load_memories(found.memory_ids, owner=caller.owner)
        listed = [rows[memory_id] for memory_id in found.memory_ids if memory_id in rows]
        return _list_first(listed, found.count, "gc")
    done = collect()
    names = [shorten_id(memory_id) for memory_id in done.memory_ids]
    return _say_forgotten(done.count, names, [str(memory_id) for memory_id in done.memory_ids])


def _check_listed(ids: Collection[UUID], listed: Collection[UUID]) -> None:
    others = [shorten_id(memory_id) for memory_id in ids if memory_id not in set(listed)]
    if others:
        raise InvalidInput(f"gc forgets only old and unused memories, not {others[0]}; use delete.")


def _list_first(found: list[Memory], total: int, action: str) -> Answer:
    """Return the first of two steps: what would be forgotten."""
    if not found:
        return Answer("Nothing matches, and nothing was forgotten.", {"memories": [], "total": 0})
    shown = render_memories(found)
    count = len(shown.rows)
    lines = [
        f"Nothing is forgotten yet. {format_memory_count(total)} would be:",
        shown.block,
        *([f"… {total - count:,} more; forget these first, then ask again."] if count < total else []),
        f"To forget them, call {action} with their ids and dry_run=false.",
    ]
    structured = {"memories": list(shown.rows), "total": total, "dry_run": True}
    return Answer("\n".join(lines), structured)


def _answer_forgotten(changed: ChangeResult) -> Answer:
    names = [shorten_id(memory.pk) for memory in changed.memories]
    return _say_forgotten(len(names), names, [str(memory.pk) for memory in changed.memories])


def _say_forgotten(count: int, names: list[str], ids: list[str]) -> Answer:
    if not count:
        return Answer("Nothing was forgotten.", {"forgotten": []})
    text = f"Forgotten: {', '.join(names)}. The person can restore them on the site."
    return Answer(text, {"forgotten": ids})


_ACTIONS: Final[Mapping[ToolAction, Callable[[MemoryArguments, Caller], Answer]]] = {
    ToolAction.ADD: _add,
    ToolAction.UPDATE: _update,
    ToolAction.SEARCH: _search,
    ToolAction.REFLECT: _reflect,
    ToolAction.STATS: _stats,
    ToolAction.LIST: _list,
    ToolAction.DELETE: _delete,
    ToolAction.GC: _gc,
}
