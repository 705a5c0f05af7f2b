"""Keys of cryptocurrency wallets: Bitcoin private keys, extended keys, recovery phrases."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from typing import Final

from stdnum import bitcoin

from memories.gate.matches import SecretMatch
from memories.gate.vocabulary import words

KINDS: Final = ("bitcoin_private_key", "seed_phrase")

_KEY: Final = re.compile(
    r"(?<![A-Za-z0-9])(?:[5KL9c][1-9A-HJ-NP-Za-km-z]{50,51}|[xyzt]prv[1-9A-HJ-NP-Za-km-z]{107})(?![A-Za-z0-9])"
)
_ADDRESS: Final = re.compile(r"[13LMDA9X][1-9A-HJ-NP-Za-km-z]{25,34}")
_BECH32_ALPHABET: Final = "qpzry9x8gf2tvdw0s3jn54khce6mua7l"
_BECH32: Final = re.compile(r"(?P<prefix>[A-Za-z]{2,12})1(?P<data>[02-9AC-HJ-NP-Zac-hj-np-z]{38,90})")
_BECH32_SUMS: Final = frozenset({1, 0x2BC830A3})
_PRIVATE_PREFIXES: Final = frozenset({"nsec", "ncryptsec"})
_PHRASE_WORD: Final = re.compile(
    r"mnemonic|seed|pass[ -]?phrase|(?:recovery|secret|wallet|backup) phrase|recovery words"
    r"|助记词|助記詞|恢复短语"
)
_PHRASE: Final = re.compile(
    r"(?<![A-Za-z])[a-z]{3,8}(?:[\s,.;|\"'-]{1,4}(?:\d{1,2}[.):]?[ \t]{0,2})?[a-z]{3,8}(?![A-Za-z])){3,24}+"
)
_PHRASE_PIECE: Final = re.compile(r"[a-z]{3,8}")
# Common words that no list of recovery words contains. They mark a sentence.
_SENTENCE_WORDS: Final = words(
    """
    the and for with from was are were has had have not but you your our his her its their him them been does
    did
    """
)
_MOST_DISTANCE: Final = 120  # characters between the keyword and the phrase
_SHORTEST_PASSPHRASE: Final = 4
_SHORTEST_SEED: Final = 12


def find_wallet_keys(text: str) -> Iterator[SecretMatch]:
    """Yield private keys in wallet import format and extended private keys with a valid checksum."""
    for match in _KEY.finditer(text):
        if _base58_checksum_holds(match.group()):
            yield SecretMatch("bitcoin_private_key", match.start(), match.end())


def is_public_address(run: str) -> bool:
    """Return whether a run is what others may know: an address of a wallet, or a public key of age or Nostr.

    Its checksum must hold: Base58Check of 25 bytes, or Bech32 (BIP 173, BIP 350) with a prefix that is not
    of a private key.
    """
    if _ADDRESS.fullmatch(run):
        return _base58_checksum_holds(run)
    match = _BECH32.fullmatch(run) if run == run.lower() or run == run.upper() else None
    if match is None or match.group("prefix").lower() in _PRIVATE_PREFIXES:
        return False
    prefix, data = match.group("prefix").lower(), match.group("data").lower()
    expanded = [*(ord(each) >> 5 for each in prefix), 0, *(ord(each) & 31 for each in prefix)]
    return bitcoin.bech32_checksum([*expanded, *map(_BECH32_ALPHABET.index, data)]) in _BECH32_SUMS


def find_seed_phrases(text: str, lower: str) -> Iterator[SecretMatch]:
    """Yield 12 or more lower-case words after a keyword of recovery phrases, 4 or more after "passphrase"."""
    for word in _PHRASE_WORD.finditer(lower):
        least = _SHORTEST_PASSPHRASE if word.group().startswith("pass") else _SHORTEST_SEED
        for match in _PHRASE.finditer(text, word.end(), word.end() + _MOST_DISTANCE + 300):
            if match.start() > word.end() + _MOST_DISTANCE:
                break
            span = _longest_without_sentence(match, least)
            if span:
                yield SecretMatch("seed_phrase", *span)
                break


def _longest_without_sentence(match: re.Match[str], least: int) -> tuple[int, int] | None:
    """Return the longest part without words of sentences, if it has at least `least` words."""
    best: list[re.Match[str]] = []
    current: list[re.Match[str]] = []
    for piece in _PHRASE_PIECE.finditer(match.string, match.start(), match.end()):
        current = [] if piece.group() in _SENTENCE_WORDS else [*current, piece]
        best = max(best, current, key=len)
    return (best[0].start(), best[-1].end()) if len(best) >= least else None


def _base58_checksum_holds(key: str) -> bool:
    """Check Base58Check: the last 4 bytes are the start of the double SHA-256 of the rest."""
    decoded = bitcoin.b58decode(key)
    body, checksum = decoded[:-4], decoded[-4:]
    return hashlib.sha256(hashlib.sha256(body).digest()).digest()[:4] == checksum
