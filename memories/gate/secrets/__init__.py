"""Secrets that grant access: keys, tokens, passwords, private keys, recovery phrases.

A fast test precedes each rule, because nearly all texts contain no secret: format rules run only on texts
with a run of 16 characters, URL rules only on texts with `://`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from memories.gate.findings import Finding
from memories.gate.formats import FORMATS, find_formats
from memories.gate.secrets import (
    columns,
    commands,
    context,
    entropy,
    headers,
    key_blocks,
    sentences,
    urls,
    vendor_context,
    wallets,
)
from memories.gate.secrets.context import secret_kind_of_name
from memories.gate.secrets.values import is_known_term, is_word
from memories.gate.view import View

#: All kinds of secrets.
KINDS: Final = frozenset(
    (
        *(each.kind for each in FORMATS),
        *key_blocks.KINDS,
        *urls.KINDS,
        *headers.KINDS,
        *vendor_context.KINDS,
        *wallets.KINDS,
        *commands.KINDS,
        *context.KINDS,
        *sentences.KINDS,
        *entropy.KINDS,
    )
)

_LONG_RUN: Final = re.compile(r"[!-~]{16}")
_PHRASE_ROOTS: Final = ("mnemonic", "seed", "phrase", "recovery", "助记", "助記", "短语")


def find_secrets(view: View) -> Iterator[Finding]:
    """Yield the secrets of a view, from the most reliable rules first. Findings may overlap."""
    text, lower = view.text, view.lower
    if _LONG_RUN.search(text):
        yield from _in_long_runs(text, lower)
    if "://" in text:
        yield from urls.find_userinfo(text)
    yield from headers.find_headers(text, lower)
    yield from commands.find_commands(view)
    yield from context.find_context(view)
    yield from sentences.find_in_sentences(view)
    if "\n" in text:
        yield from columns.find_columns(view)
    yield from entropy.find_generated_passwords(text)
    if any(root in lower for root in _PHRASE_ROOTS):
        yield from wallets.find_seed_phrases(text, lower)


def _in_long_runs(text: str, lower: str) -> Iterator[Finding]:
    yield from key_blocks.find_key_blocks(text)
    yield from find_formats(text)
    yield from urls.find_webhooks(text)
    yield from wallets.find_wallet_keys(text)
    yield from vendor_context.find_vendor_context(text, lower)
    if "=" in text:
        yield from urls.find_parameters(text)
    yield from entropy.find_entropy(text)


__all__ = ["is_known_term", "is_word", "secret_kind_of_name"]
