"""What a candidate becomes before it is placed."""

from __future__ import annotations

import uuid

from django.utils import timezone

from memories.models import Memory
from memories.storage.store import Draft
from memories.values import Candidate
from memories.writing import drafting

OWNER = uuid.uuid4()


def drafted(candidate: Candidate) -> Draft:
    made = drafting.make_draft(candidate, owner=OWNER, now=timezone.now())
    assert isinstance(made, Draft)
    return made


def test_a_drafted_row_has_every_column_a_new_memory_has() -> None:
    row, new = drafted(Candidate("I own a kayak.")).memory, Memory(owner_id=OWNER)
    assert vars(row).keys() - {"_slot_read"} == vars(new).keys()


def test_two_drafted_rows_share_no_list() -> None:
    one, other = drafted(Candidate("I row.")).memory, drafted(Candidate("I sail.")).memory
    one.tags.append("sport")
    one.metadata["seen"] = True
    assert (other.tags, other.metadata) == ([], {})


def test_a_refused_candidate_leaves_the_others_in_their_places() -> None:
    sure, unsure = Candidate("I row."), Candidate("I sail.", confidence=0.1)
    made = drafting.make_drafts([sure, unsure, sure], owner=OWNER, now=timezone.now())
    assert [isinstance(one, Draft) for one in made] == [True, False, True]


def test_what_is_too_long_for_its_column_is_cut() -> None:
    assert len(drafted(Candidate("I row.", category="x" * 100)).memory.category) == 64
