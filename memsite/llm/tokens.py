"""Encode, decode and count tokens exactly, in the encodings of OpenAI's models.

`o200k_base` and `cl100k_base` are included; `p50k_base`, `r50k_base` and `gpt2` are fetched by tiktoken, with
a clear error if it cannot. The two included encodings use the published vocabularies to the byte and split
text as tiktoken does. The only known difference is a long s (ſ) after an apostrophe and a letter.
"""

import json
import re
import threading
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from functools import lru_cache
from typing import Any, Final, Protocol

import splintr
import tiktoken

from memsite.errors import InvalidInput, Unavailable

DEFAULT_ENCODING: Final = "o200k_base"
BUILT_IN: Final = ("o200k_base", "cl100k_base")
FETCHED: Final = ("p50k_base", "r50k_base", "gpt2")
ENCODINGS: Final = BUILT_IN + FETCHED

#: Tokens of a message besides its content: role and delimiters.
MESSAGE_OVERHEAD: Final = 4

#: Encodings of tiktoken that split ordinary text exactly as one of ours does; they only add special tokens.
_SAME_ON_TEXT: Final = {"o200k_harmony": "o200k_base", "p50k_edit": "p50k_base"}
# Models missing from tiktoken's table. The first prefix that fits decides, so longer prefixes come first.
_MORE_MODELS: Final = (
    ("text-embedding-3", "cl100k_base"),
    ("gpt-4.", "o200k_base"),
    ("gpt-4", "cl100k_base"),
    ("gpt-3.5", "cl100k_base"),
    ("gpt-35", "cl100k_base"),
    ("gpt-2", "gpt2"),
    ("code-", "p50k_base"),
)

#: Characters that a tokenizer reads at once, in about a millisecond, and those at the end of a part in which
#: it may be split.
_PART: Final = 2_048
_SEAM_RANGE: Final = 256
#: Characters of many texts from which their tokens are estimated: counting these takes some 0.2 s.
ESTIMATED_FROM: Final = 400_000
#: A word that is no token of any encoding. The first such word makes a tokenizer build its table of merges.
_UNKNOWN_WORD: Final = "xqzvkw"
_SEAM: Final = re.compile(r"(?<=[A-Za-z\u4e00-\u9fff])[ \n.,;:!?，。、；：！？]")

FETCH_SECONDS: Final = 10.0  # tiktoken's own download has no limit
FAILURE_SECONDS: Final = 60.0  # seconds for which a failed download is not retried


#: Serialise any value as JSON. Created once, because `json.dumps` creates an encoder per call.
_compact_json: Final = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode

_failed_until: dict[str, float] = {}


class _Encoding(Protocol):
    def encode_ordinary(self, text: str) -> list[int]: ...
    def decode_bytes(self, tokens: Sequence[int]) -> bytes: ...


def get_encoding(model: str) -> str:
    """Return the encoding of a model, whose name may include its provider or a fine-tune's mark.

    tiktoken's table decides for the names it has. Any other name gets the default encoding.
    """
    name = model.lower().rpartition("/")[2].removeprefix("ft:")
    try:
        found = tiktoken.encoding_name_for_model(name)
    except KeyError:
        found = next((encoding for prefix, encoding in _MORE_MODELS if name.startswith(prefix)), "")
    found = _SAME_ON_TEXT.get(found, found)
    return found if found in ENCODINGS else DEFAULT_ENCODING


def get_built_in_encoding(model: str) -> str:
    """Return the model's encoding if it is built in, else the default one, so that counting always works."""
    encoding = get_encoding(model) if model else DEFAULT_ENCODING
    return encoding if encoding in BUILT_IN else DEFAULT_ENCODING


def warm_up() -> None:
    """Load the default encoding, during which no other thread runs for half a second."""
    _load(DEFAULT_ENCODING)


def encode(text: str, encoding: str = DEFAULT_ENCODING) -> list[int]:
    """Return the token ids of a text.

    `<|endoftext|>` and similar marks are ordinary text; a lone surrogate counts as `�`.

    Raises:
        InvalidInput: For an encoding that is not in ENCODINGS.
        Unavailable: For an encoding that cannot be fetched.
    """
    tokenizer = _load(encoding)
    return [token for part in _parts(_well_formed(text)) for token in tokenizer.encode_ordinary(part)]


def _parts(text: str) -> Iterator[str]:
    """Split a long text between a word and a space or mark, where every encoding splits it, too.

    A tokenizer lets no other thread run, and a million characters take it seconds. Where there is no such
    place, the text is cut at the limit, which may change the number of tokens by a few.
    """
    start = 0
    while len(text) - start > _PART:
        seams = [seam.start() for seam in _SEAM.finditer(text, start + _PART - _SEAM_RANGE, start + _PART)]
        end = seams[-1] if seams else start + _PART
        yield text[start:end]
        start = end
    yield text[start:]


def decode(tokens: Iterable[int], encoding: str = DEFAULT_ENCODING) -> str:
    """Return the text of token ids; a character cut in half becomes `�`.

    Raises:
        InvalidInput: For an unknown id or encoding.
        Unavailable: As `encode`.
    """
    ids = list(tokens)
    try:
        return _load(encoding).decode_bytes(ids).decode("utf-8", errors="replace")
    except (ValueError, OverflowError, KeyError) as error:
        raise InvalidInput(f"not token ids of {encoding}") from error


def count_tokens(text: str, encoding: str = DEFAULT_ENCODING) -> int:
    """Return the number of tokens of a text, ≥ 0. Raises as `encode`."""
    return len(encode(text, encoding))


def estimate_tokens(texts: Sequence[str], encoding: str = DEFAULT_ENCODING) -> int:
    """Return the number of tokens of texts; beyond `ESTIMATED_FROM` characters, in proportion to the first.

    Raises as `encode`.
    """
    total, left, counted = sum(map(len, texts)), ESTIMATED_FROM, 0
    for text in texts:
        counted += count_tokens(text[:left], encoding)
        left -= min(left, len(text))
        if not left:
            return round(counted * total / ESTIMATED_FROM)
    return counted


def count_message_tokens(message: Mapping[str, Any], encoding: str = DEFAULT_ENCODING) -> int:
    """Return the tokens of an OpenAI-shaped message: 4 + its content + its tool calls as JSON. Raises as
    `encode`.
    """
    return MESSAGE_OVERHEAD + sum(count_tokens(text, encoding) for text in list_message_texts(message))


def list_message_texts(message: Mapping[str, Any]) -> list[str]:
    """Return the texts of a message that cost tokens.

    These are its text or parts (those without text as JSON), and its tool calls.
    """
    content = message.get("content")
    parts = content if isinstance(content, list) else [content or ""]
    texts = [_part_text(part) for part in parts]
    if message.get("tool_calls"):
        texts.append(_compact_json(message["tool_calls"]))
    return texts


def _part_text(part: object) -> str:
    if isinstance(part, str):
        return part
    if isinstance(part, Mapping) and isinstance(part.get("text"), str):
        return str(part["text"])
    return _compact_json(part)


def _well_formed(text: str) -> str:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text


@lru_cache(maxsize=len(ENCODINGS))
def _load(encoding: str) -> _Encoding:
    if encoding in BUILT_IN:
        loaded: _Encoding = splintr.Tokenizer.from_pretrained(encoding)
        loaded.encode_ordinary(_UNKNOWN_WORD)
        return loaded
    if encoding not in FETCHED:
        raise InvalidInput(f"no encoding is named {encoding!r}; there are {', '.join(ENCODINGS)}")
    if time.monotonic() < _failed_until.get(encoding, 0.0):
        raise _unavailable(encoding)
    try:
        return _fetch(encoding)
    except Exception as error:  # network, disk and checksum each fail in their own way
        _failed_until[encoding] = time.monotonic() + FAILURE_SECONDS
        raise _unavailable(encoding) from error


def _fetch(encoding: str) -> _Encoding:
    """Load an encoding by tiktoken within a time limit; raises tiktoken's errors, or TimeoutError."""
    fetched: Future[_Encoding] = Future()

    def fetch() -> None:
        try:
            fetched.set_result(tiktoken.get_encoding(encoding))
        except Exception as error:  # noqa: BLE001 - passed on to the thread that waits
            fetched.set_exception(error)

    threading.Thread(target=fetch, daemon=True).start()
    return fetched.result(FETCH_SECONDS)


def _unavailable(encoding: str) -> Unavailable:
    return Unavailable(
        f"the encoding {encoding} is not built in and could not be fetched; "
        f"use {' or '.join(BUILT_IN)}, or give tiktoken a filled TIKTOKEN_CACHE_DIR"
    )
