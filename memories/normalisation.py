"""How text is folded before two pieces of it are compared for being the same."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

_DROPPED: Final = re.compile(r"(?:(?![+#%&@$€£¥°])[^\w\s+<=>|~^`\U0001F000-\U0001FAFF←-⯿])|_")
_SPACE: Final = re.compile(r"\s+")


def normalise(text: str) -> str:
    """The text's identity: NFKC, lower case, single spaces, letters and digits of any script.

    Signs that tell things apart stay too (C from C++, 5 % from 5, one emoji from another); a minus
    or a point between digits becomes a space, so 3.5 is not 35.
    """
    folded = unicodedata.normalize("NFKC", text).casefold()
    return _SPACE.sub(" ", _DROPPED.sub(" ", folded)).strip()
