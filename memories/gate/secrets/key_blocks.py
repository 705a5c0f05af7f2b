"""Private keys as blocks of text: PEM, OpenPGP, SSH2 and PuTTY, complete or cut off."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from memories.gate.matches import SecretMatch

KINDS: Final = ("private_key", "pgp_private_key", "putty_private_key", "ssh2_private_key")

# Between the lines of base64: line ends, real or written as `\n`, and marks of quotations, comments and
# lists.
_GAP: Final = r"(?:\\[nrt]|[\s>\"'|*#,+\\]|-(?!---))*+"
_HEADER: Final = r"(?:Proc-Type|DEK-Info|Version|Comment|Charset|Hash|Subject|x-[a-z-]{1,20}):[^\n\\]{0,200}+"
# Base64 of a line's length, or shorter with characters that few words contain.
_CHUNK: Final = r"(?:[A-Za-z0-9+/=]{16,}+|(?=[A-Za-z]{0,60}[0-9+/=])[A-Za-z0-9+/=]{6,}+)"
_CUT_SHORT: Final = rf"(?:{_GAP}(?:{_HEADER}|{_CHUNK}))++"
_WHOLE: Final = r"(?=[^-]{0,400}[A-Za-z0-9+/=]{16})(?:[A-Za-z0-9+/=\s:,.()\\>\"'|*#]|-(?!---))*+"


def _block(begin: str, end: str) -> re.Pattern[str]:
    return re.compile(f"{begin}(?:{_WHOLE}{end}|{_CUT_SHORT}(?:{_GAP}{end})?)")


_BLOCKS: Final = (
    (
        "pgp_private_key",
        _block("-----BEGIN PGP PRIVATE KEY BLOCK-----", "-----END PGP PRIVATE KEY BLOCK-----"),
    ),
    (
        "private_key",
        _block(r"-----BEGIN (?:[A-Z0-9]+ ){0,3}PRIVATE KEY-----", "-----END [A-Z0-9 ]{1,40}-----"),
    ),
    (
        "ssh2_private_key",
        _block("---- BEGIN SSH2 ENCRYPTED PRIVATE KEY ----", "---- END SSH2 [A-Z ]{1,40} ----"),
    ),
    (
        "putty_private_key",
        re.compile(
            r"PuTTY-User-Key-File-[0-9]:.*+(?:[\r\n]++(?:"
            r"(?:Encryption|Comment|Key-Derivation|Argon2-[A-Za-z]+|P[a-z]+-Lines|Private-[A-Z][A-Za-z]+):.*+"
            r"|[A-Za-z0-9+/=]{4,80}+(?=[\r\n]|$)))++"
        ),
    ),
)
_PUBLIC: Final = re.compile(
    r"-----BEGIN (?:[A-Z0-9]+ ){0,3}"
    r"(?:CERTIFICATE|CERTIFICATE REQUEST|PUBLIC KEY|CRL|SIGNATURE|MESSAGE|PARAMETERS)(?: BLOCK)?-----[^-]*+"
)


def find_key_blocks(text: str) -> Iterator[SecretMatch]:
    """Yield blocks from the opening line to the closing line or, if that is missing, to the end of the key.

    An opening line without a key is only talk about keys and is not a finding.
    """
    if "BEGIN " not in text and "PuTTY-User-Key" not in text:
        return
    for kind, pattern in _BLOCKS:
        for match in pattern.finditer(text):
            yield SecretMatch(kind, match.start(), match.end())


def find_public_blocks(text: str) -> list[tuple[int, int]]:
    """Return the positions of certificates, public keys and signatures, which only look secret."""
    return [match.span() for match in _PUBLIC.finditer(text)] if "-----BEGIN" in text else []
