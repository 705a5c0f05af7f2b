"""Names: whether two are the same, which a text contains, what a memory states about them. Pure."""

from memories.text.naming.keys import (
    OWNER,
    hash_name,
    list_name_candidates,
    make_name_key,
    pack_names,
    unpack_hashes,
)
from memories.text.naming.name_search import MOST, find_names
from memories.text.naming.statements import LONGEST_PREDICATE, SAME, StatementReading, read_statement

__all__ = [
    "LONGEST_PREDICATE",
    "MOST",
    "OWNER",
    "SAME",
    "StatementReading",
    "find_names",
    "hash_name",
    "list_name_candidates",
    "make_name_key",
    "pack_names",
    "read_statement",
    "unpack_hashes",
]
