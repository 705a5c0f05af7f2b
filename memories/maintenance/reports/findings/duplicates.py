"""Find memories that say the same: they are similar, and nothing distinguishes them."""

from __future__ import annotations

from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from types import MappingProxyType
from uuid import UUID

from memories.maintenance.reports.findings.compared_pairs import Pair, compare_pair, join_pairs, make_pair
from memories.maintenance.reports.findings.scan import Scan
from memories.maintenance.reports.findings.similar_pairs import Pairs
from memories.text import find_differences, get_content, join_texts


def find_duplicates(
    scan: Scan,
    similar_pairs: Pairs,
    texts: Mapping[UUID, str],
    distinct_pairs: AbstractSet[Pair] = frozenset(),
    subjects: Mapping[UUID, str] = MappingProxyType({}),
    *,
    failed: set[Pair],
) -> list[tuple[UUID, ...]]:
    """Return disjoint sets of memories that all say the same, the most similar first.

    Memories that cannot be merged without loss are left out.

    Args:
        scan: The memories.
        similar_pairs: Pairs of one layer and kind with a reference similarity of at least 0.85.
        texts: The texts by id.
        distinct_pairs: Pairs known to be two memories.
        subjects: The subjects of texts that do not name them (`get_unnamed_subject`); memories about
            different subjects are two.
        failed: Receives the pairs that could not be compared.
    """
    pairs = []
    for first, second in similar_pairs:
        a, b = scan.ids[first], scan.ids[second]
        two = make_pair(a, b) in distinct_pairs or subjects.get(a, "") != subjects.get(b, "")
        both = a in texts and b in texts
        if both and not two and compare_pair(is_same, (a, b), texts, failed):
            pairs.append((a, b))
    return join_pairs(pairs)


def is_same(a: str, b: str) -> bool:
    """Return whether two similar texts may be one.

    Nothing may distinguish them, one text must be able to hold both, and one of the two must say nothing that
    the other does not. If each has words of its own, they are about two things.
    """
    if not (a and b) or find_differences(a, b) or join_texts(a, b) is None:
        return False
    ours, theirs = ({token.key for token in get_content(text)} for text in (a, b))
    return ours <= theirs or theirs <= ours
