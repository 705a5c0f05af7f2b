"""The names in a sentence that the graph of entities may hang on."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from memories.extraction.english.lexicon import words

_NAME = re.compile(
    r"(?<![\w.])(?:[A-ZÀ-ÖØ-Þ][\w'+#-]*[\w+#]|[a-z]+[A-Z]\w*|[A-Za-z][\w-]*\.(?:js|io|net|ai)|[A-Z])"
    r"(?:[ ](?:[A-ZÀ-ÖØ-Þ][\w'+#.-]*[\w+#]|of(?= [A-Z])|de|van|von|da|\d+(?:\.\d+)*)\b)*"
)
_NO_NAME: Final = words(
    "I The A An User Users Lesson January February March April May June July August "
    "September October November December Monday"
    " Tuesday Wednesday Thursday Friday Saturday Sunday My Our We Actually No Yes On In At When Since Last "
    "Every Never Always"
    " It If For To This That There They He She And But So"
)
#: More names than these a sentence does not carry; a longer list is pasted data.
MOST: Final = 12


def entities_in(sentence: str, named: Iterable[str] = ()) -> tuple[str, ...]:
    """The names in `sentence` after `named`, which the rules already know; no repeats, at most twelve."""
    found = [name for name in named if name]
    for match in _NAME.finditer(sentence):
        name = re.sub(r"^(?:The|A|An|My|Our)\s+|'s$", "", match.group())
        opens = match.start() == 0 and " " not in name
        if not opens and name not in _NO_NAME and not any(name in known for known in found):
            found.append(name)
    return tuple(dict.fromkeys(found))[:MOST]
