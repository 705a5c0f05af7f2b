"""Names: what makes two the same, which stand in a text, what a memory states about them. Pure."""

from memories.text.naming.keys import OWNER, name_hash, name_key, pack_names, stretches, unpack_hashes
from memories.text.naming.spotting import MOST, names_in
from memories.text.naming.stating import LONGEST_PREDICATE, SAME, Reading, read

__all__ = [
    "LONGEST_PREDICATE",
    "MOST",
    "OWNER",
    "SAME",
    "Reading",
    "name_hash",
    "name_key",
    "names_in",
    "pack_names",
    "read",
    "stretches",
    "unpack_hashes",
]
