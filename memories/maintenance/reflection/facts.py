"""Extract facts from episodes that programs reported. Each episode is read once.

Episodes that mirror messages of a thread were read with their thread; they are only marked as reflected.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final
from uuid import UUID

from memories.gate import redact_text
from memories.maintenance.reflection.conf import WINDOW_CHARACTERS
from memories.maintenance.reflection.proposals import (
    ProposedMemory,
    ReflectionProposal,
    get_update_times,
    make_reference,
)
from memories.maintenance.reflection.sources import extract_candidates, list_next_episodes
from memories.models import Memory
from memories.storage import load_sources
from memories.values import Candidate, Kind, Utterance
from memories.writing import load_names
from memsite.llm.chat import AnswerSource, ChatModel
from memsite.values import MessageRole

#: Speaker names that mean the owner. Utterances of other speakers are context only.
_USER: Final = frozenset({"", "user", "the user", "me", "human", "用户", "我"})


def propose_facts(model: ChatModel | None, *, owner: UUID) -> ReflectionProposal | None:
    """Propose the facts in the next unreflected episodes. Writes nothing.

    `seen` contains all episodes of the window, because all are marked as reflected when the proposal is
    written.

    Returns:
        None if no episodes are left.
    """
    window = _bounded(list_next_episodes(owner=owner))
    if not window:
        return None
    mirrored = load_sources([episode.pk for episode in window], owner=owner)
    existing = [episode for episode in window if episode.pk not in mirrored and episode.kind != Kind.SUMMARY]
    names = frozenset(map(str.lower, load_names(owner)))
    utterances = [_utterance(episode, names) for episode in existing]
    found = (
        extract_candidates(utterances, model)
        if any(one.role == MessageRole.USER for one in utterances)
        else None
    )
    by_reference = {make_reference(episode.pk): episode for episode in existing}
    candidates = [] if found is None else found.candidates
    return ReflectionProposal(
        source=AnswerSource.FALLBACK if found is None else found.source,
        error="" if found is None else found.error,
        looked_at=len(window),
        memories=tuple(ProposedMemory(_derived(candidate, by_reference)) for candidate in candidates),
        seen=get_update_times(window),
    )


def _bounded(window: Sequence[Memory]) -> list[Memory]:
    """Return as many episodes as fit into one window, at least one."""
    kept: list[Memory] = []
    characters = 0
    for episode in window:
        characters += len(episode.content)
        if kept and characters > WINDOW_CHARACTERS:
            break
        kept.append(episode)
    return kept


def _utterance(episode: Memory, names: frozenset[str]) -> Utterance:
    speaker = episode.speaker.strip().lower()
    return Utterance(
        reference=make_reference(episode.pk),
        role=MessageRole.USER if speaker in _USER or speaker in names else MessageRole.ASSISTANT,
        content=redact_text(episode.content).text,
        at=episode.occurred_at or episode.created_at,
        speaker=episode.speaker,
        session=episode.session,
    )


def _derived(candidate: Candidate, episodes: dict[str, Memory]) -> Candidate:
    rested = [episodes[reference] for reference in candidate.sources if reference in episodes]
    return replace(
        candidate,
        derived_from=tuple(str(episode.pk) for episode in rested),
        sensitive=candidate.sensitive or any(episode.sensitive for episode in rested),
    )
