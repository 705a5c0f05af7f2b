"""Secrets that grant access: keys, tokens, passwords, private keys, recovery phrases.

A fast test precedes each rule, because nearly all texts contain no secret: format rules run only on texts
with a run of 16 characters, URL rules only on texts with `://`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from memories.gate.formats import FORMATS, find_formats
from memories.gate.matches import SecretMatch
from memories.gate.secrets import (
    columns,
    commands,
    context,
    entropy,
    headers,
    key_blocks,
    sentences,
    urls,
    wallets,
)
from memories.gate.secrets.context import secret_kind_of_name
from memories.gate.secrets.values import is_technical_term, is_word
from memories.gate.view import View

#: All kinds of secrets.
KINDS: Final = frozenset(
    (
        *(each.kind for each in FORMATS),
        *key_blocks.KINDS,
        *urls.KINDS,
        *headers.KINDS,
        *wallets.KINDS,
        *commands.KINDS,
        *context.KINDS,
        *sentences.KINDS,
        *entropy.KINDS,
    )
)

_LONG_RUN: Final = re.compile(r"[!-~]{16}")
_PHRASE_ROOTS: Final = ("mnemonic", "seed", "phrase", "recovery", "助记", "助記", "短语")


def find_secrets(view: View) -> Iterator[SecretMatch]:
    """Yield the secrets of a view, from the most reliable rules first. Findings may overlap.

    Blocks of keys, encoded files and tables are read whole, because they may be longer than the parts in
    which the other rules read a long text.
    """
    yield from key_blocks.find_key_blocks(view.text)
    yield from view.find(_find_formats)
    yield from entropy.find_entropy(view.text)
    yield from view.find(_find_announced)
    if "\n" in view.text:
        yield from columns.find_columns(view)
    yield from view.find(_find_unannounced)


def _find_formats(view: View) -> Iterator[SecretMatch]:
    text = view.text
    if not _LONG_RUN.search(text):
        return
    yield from find_formats(text)
    yield from urls.find_webhooks(text)
    yield from wallets.find_wallet_keys(text)
    yield from context.find_vendor_context(text, view.lower)
    if "=" in text:
        yield from urls.find_parameters(text)


def _find_announced(view: View) -> Iterator[SecretMatch]:
    if "://" in view.text:
        yield from urls.find_userinfo(view.text)
    yield from headers.find_headers(view.text, view.lower)
    yield from commands.find_commands(view)
    yield from context.find_context(view)
    yield from sentences.find_in_sentences(view)


def _find_unannounced(view: View) -> Iterator[SecretMatch]:
    yield from entropy.find_generated_passwords(view.text)
    if any(root in view.lower for root in _PHRASE_ROOTS):
        yield from wallets.find_seed_phrases(view.text, view.lower)


__all__ = ["is_technical_term", "is_word", "secret_kind_of_name"]
