"""Parsers of exports: from the JSON of each product to memories and conversations. Pure functions."""

from porting.formats import chatgpt, claude, facts, gemini, librechat, memsite, openwebui
from porting.formats.facts import parse_lines
from porting.formats.memsite import ARCHIVE, VERSION
from porting.formats.shape import Shape, read_list, read_text

#: All shapes, in the order in which they are tried.
SHAPES: tuple[Shape, ...] = (
    *memsite.SHAPES,
    *chatgpt.SHAPES,
    *claude.SHAPES,
    *openwebui.SHAPES,
    *librechat.SHAPES,
    *gemini.SHAPES,
    *facts.SHAPES,
)

__all__ = ["ARCHIVE", "SHAPES", "VERSION", "Shape", "parse_lines", "read_list", "read_text"]
