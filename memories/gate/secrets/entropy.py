"""Long random strings without any context."""

from __future__ import annotations

import base64
import binascii
import re
from bisect import bisect_right
from collections.abc import Iterator
from itertools import accumulate
from typing import Final

from memories.gate.matches import SecretMatch
from memories.gate.secrets.key_blocks import find_public_blocks
from memories.gate.secrets.urls import find_url_spans
from memories.gate.secrets.values import SHORTEST, is_object_id, looks_random, measure
from memories.gate.secrets.wallets import is_public_address

KINDS: Final = ("high_entropy",)

_RUN: Final = re.compile(r"[A-Za-z0-9+/_-]{20,}+={0,2}")
_DIGEST_BEFORE: Final = re.compile(
    r"(?i:sha-?\d{1,3}|md5|blake\w{1,4}|h1|digest|integrity|checksum|hash|fingerprint)[-:=_ ]{1,2}$"
)
_DIGEST_WITHIN: Final = re.compile(r"(?i:sha-?\d{1,3}|md5|blake2[bs])[-_]")
# SSH public keys; PNG, JPEG, GIF, WebP, PDF, fonts, ZIP, gzip and WebAssembly in base64.
_PUBLIC_START: Final = re.compile(
    r"AAAAB3NzaC1|AAAAC3NzaC1|AAAAE2VjZHNh|AAAAGnNr|iVBORw0KGgo|/9j/|R0lGOD|UklGR|JVBERi|d09GM|AAEAAAA|T1RUTw"
    r"|UEsDB|H4sI|AGFzbQ"
)
_NAMED_WITHIN: Final = 32  # characters
#: Words before a random string that name it as something that others may know.
_NAMED_PUBLIC: Final = re.compile(
    r"(?i:\b(?:public|pub|verify(?:ing)?)[ _-]?key|pubkey|fingerprint|recipient"
    r"|(?:video|file|page|document|playlist|channel|message|object|asset|folder|album|track|build|trace|request)"
    r"[ _-]id|etag|revision)(?:[ ](?:is|was))?[\s:=\"'`(]{1,3}$"
)
#: Words that name it as a secret all the same.
_NAMED_SECRET: Final = re.compile(
    r"(?i:secret|token|passw|passphrase|credential|private|api[ _-]?key|auth|session)"
)
_ULID: Final = re.compile(r"[0-7][0-9A-HJKMNP-TV-Z]{25}")
_PUBLISHABLE: Final = re.compile(r"(?:pk|sandbox)_(?:live|test)_|pk\.eyJ|phc_|sb_publishable_")
_PATH_BEFORE: Final = frozenset(".~@}\\%$")
_READABLE: Final = 0.93  # share of the bytes of base64 that decode to text

_SYMBOLIC: Final = re.compile(r"(?<![!-~])[A-Za-z0-9#$%^&!@*_-]{14,64}+(?![!-~])")
_SYMBOLS: Final = frozenset("#$%^&!@*")
_OF_EACH: Final = 2  # characters of each class
_UNREADABLE: Final = 0.25  # largest wordiness


def find_entropy(text: str) -> Iterator[SecretMatch]:
    """Yield random runs of 20 or more characters, except digests, paths, URLs, images and public keys."""
    spans: list[tuple[int, int]] | None = None
    for match in _RUN.finditer(text):
        if not _is_random(text, match):
            continue
        if spans is None:
            spans = _reaching(find_url_spans(text) + find_public_blocks(text))
        start, end = match.span()
        last = bisect_right(spans, (start, len(text))) - 1  # the last span that starts at or before it
        if last < 0 or spans[last][1] < end:
            yield SecretMatch("high_entropy", start, end)


def _reaching(spans: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return the spans by start, each extended to the furthest end of itself and earlier spans."""
    ordered = sorted(spans)
    ends = accumulate((end for _, end in ordered), max)
    return [(start, end) for (start, _), end in zip(ordered, ends, strict=True)]


def find_generated_passwords(text: str) -> Iterator[SecretMatch]:
    """Yield words of 14 to 64 characters with letters, digits and symbols mixed as by password generators."""
    for match in _SYMBOLIC.finditer(text):
        found = measure(match.group())
        symbols = sum(map(_SYMBOLS.__contains__, match.group()))
        mixed = min(found.lower, found.upper, found.digits, symbols) >= _OF_EACH
        if mixed and found.wordiness <= _UNREADABLE:
            yield SecretMatch("high_entropy", match.start(), match.end())


def _is_random(text: str, match: re.Match[str]) -> bool:
    run = match.group().rstrip("=")
    start = match.start()
    path = run[0] == "/" or (start > 0 and text[start - 1] in _PATH_BEFORE)
    if path:
        return any(len(piece) >= SHORTEST and looks_random(piece) for piece in run.split("/"))
    if not looks_random(run):
        return False
    public = _DIGEST_WITHIN.match(run) or _PUBLIC_START.match(run) or _PUBLISHABLE.match(run)
    if public or _ULID.fullmatch(run) or _DIGEST_BEFORE.search(text, max(0, start - 16), start):
        return False
    if is_object_id(run) or is_public_address(run) or _is_named_public(text, start):
        return False
    return not _is_encoded_text(run)


def _is_named_public(text: str, start: int) -> bool:
    """Return whether the words before a random string say that others may know it."""
    low = max(0, start - _NAMED_WITHIN)
    return bool(_NAMED_PUBLIC.search(text, low, start)) and not _NAMED_SECRET.search(text, low, start)


def _is_encoded_text(run: str) -> bool:
    """Return whether base64 decodes to text: a licence, markup, a sentence, the subject of a mail."""
    padded = run.replace("-", "+").replace("_", "/")[: len(run) // 4 * 4]
    try:
        decoded = base64.b64decode(padded, validate=True)
    except binascii.Error:
        return False
    readable = [each for each in decoded.decode("utf-8", "ignore") if each.isprintable() or each.isspace()]
    return len("".join(readable).encode()) >= _READABLE * len(decoded)
