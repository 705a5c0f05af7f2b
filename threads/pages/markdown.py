"""Render the Markdown of replies as HTML that a page may hold, whole or while it is still written.

HTML in the text is shown as text; nh3 then removes whatever a page must not hold. Images are links, so that
nothing is loaded from elsewhere.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from html import escape
from itertools import pairwise
from typing import Any, Final

import nh3
from cachetools import TTLCache
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.rules_core import StateCore
from markdown_it.token import Token

_FENCE: Final = re.compile(r" {0,3}(`{3,}|~{3,})\s*([^`\n]*)$")
_ANY_FENCE: Final = re.compile(r"\s*(?:[-*+>]\s+|\d{1,9}[.)]\s+)*(`{3,}|~{3,})[^`\n]*$")
_HEADING: Final = re.compile(r"#{1,6}(?:\s|$)")
_ITEM: Final = re.compile(r"(?:[-*+]|\d{1,9}[.)])(?:\s|$)")
#: A block that goes on after a blank line: a list, a quotation, or indented code.
_CONTAINER: Final = re.compile(r"\s|>|(?:[-*+]|\d{1,9}[.)])(?:\s|$)")
_LANGUAGE_CHARACTERS: Final = 30
_FIRST_HEADING, _LAST_HEADING = 3, 6  # the page's own headings stand above those of a message
_TAGS: Final = {
    *("p", "br", "hr", "strong", "em", "s", "code", "pre", "blockquote", "ul", "ol", "li", "a"),
    *("h3", "h4", "h5", "h6", "table", "thead", "tbody", "tr", "th", "td", "div", "span", "button"),
}
_ATTRIBUTES: Final = {
    "a": {"href", "title", "target"},
    "ol": {"start"},
    "pre": {"tabindex"},
    "div": {"tabindex", "role", "aria-label"},
    "button": {"type"},
    "th": {"align"},
    "td": {"align"},
}
_CLASSES: Final = {
    "div": {"code", "code-head", "table-frame"},
    "button": {"button", "button-quiet", "code-copy"},
    "a": {"image-link"},
}
_CLEANER: Final = nh3.Cleaner(
    tags=_TAGS,
    attributes=_ATTRIBUTES,
    allowed_classes=_CLASSES,
    link_rel="noopener nofollow",
    url_schemes={"http", "https", "mailto"},
)
_LONGEST_RENDERED: Final = 50_000  # characters
#: HTML by language and hash of the text, in each process: a page shows the same messages again and again.
_CACHED: Final = 2_000
_CACHED_SECONDS: Final = 600
_LONGEST_CACHED: Final = 20_000  # characters
_cache: Final[TTLCache[tuple[str, bytes], SafeString]] = TTLCache(_CACHED, _CACHED_SECONDS)
_lock: Final = threading.Lock()


def render_markdown(text: str) -> SafeString:
    """Return a text as HTML, in the language of the page; a very long one as it is."""
    if len(text) > _LONGEST_RENDERED:
        return format_html('<div class="plain">{}</div>', text)
    return mark_safe(_CLEANER.clean(_parser.render(text)))  # noqa: S308 - cleaned


def render_cached(text: str) -> SafeString:
    """Render a text like `render_markdown`, and cache the result in this process for some minutes.

    Do not use it for texts that must leave no trace.
    """
    if len(text) > _LONGEST_CACHED:
        return render_markdown(text)
    key = (get_language() or "", blake2b(text.encode(errors="replace"), digest_size=16).digest())
    with _lock:
        rendered = _cache.get(key)
    if rendered is None:
        rendered = render_markdown(text)
        with _lock:
            _cache[key] = rendered
    return rendered


@dataclass(frozen=True, slots=True)
class Growth:
    """The new HTML of a growing text.

    Attributes:
        html: The blocks that are complete since the last time.
        frame: The rest of the text, as it is; its element with `data-tail` takes what comes.
    """

    html: SafeString
    frame: SafeString


@dataclass(slots=True)
class GrowingMarkdown:
    """Renders a text while it grows: complete blocks as HTML, and the rest as plain text.

    Each line is looked at once and each block rendered once, so the cost is linear in the length. The whole
    text is rendered once more at its end, because a block may depend on later ones.
    """

    _block: list[str] = field(default_factory=list)
    _line: list[str] = field(default_factory=list)
    _fence: str = ""
    _is_container: bool = False
    _has_blank: bool = False
    _complete: list[str] = field(default_factory=list)

    def start(self, text: str) -> Growth:
        """Add the first piece, and return all of it."""
        return self.add(text) or self._grown()

    def add(self, text: str) -> Growth | None:
        """Add a piece. Return what changed; None if the piece only continues the rest."""
        was_code = self._is_code
        first, *others = text.split("\n")
        self._line.append(first)
        for line in others:
            self._end_line("".join(self._line))
            self._line = [line]
        if not self._complete and self._is_code == was_code:
            return None
        return self._grown()

    def _grown(self) -> Growth:
        html = mark_safe("".join(map(render_markdown, self._complete)))  # noqa: S308 - cleaned there
        self._complete.clear()
        return Growth(html, self._frame())

    @property
    def _is_code(self) -> bool:
        """Whether the open block is fenced code of its own, not in a list."""
        return bool(self._fence) and not self._is_container

    def _frame(self) -> SafeString:
        lines = [*(self._block[1:] if self._is_code else self._block), "".join(self._line)]
        rest = "\n".join(lines)
        if not self._is_code:
            return format_html('<div class="tail" data-tail>{}</div>', rest)
        found = _FENCE.match(self._block[0])
        return mark_safe(_frame_code(rest, found[2] if found else "", " data-tail"))  # noqa: S308 - escaped there

    def _end_line(self, line: str) -> None:
        if self._fence:
            self._block.append(line)
            self._close_fence(line.strip())
        elif not line.strip():
            self._add_blank()
        else:
            self._add_line(line)

    def _close_fence(self, line: str) -> None:
        if line.startswith(self._fence) and not line.strip(self._fence[0]):
            self._fence = ""
            if not self._is_container:
                self._end_block()

    def _add_blank(self) -> None:
        if self._is_container:
            self._block.append("")
            self._has_blank = True
        elif self._block:
            self._end_block()

    def _add_line(self, line: str) -> None:
        if self._block and self._begins_block(line):
            self._end_block()
        if not self._block:
            self._is_container = bool(_CONTAINER.match(line)) and not _FENCE.match(line)
        self._block.append(line)
        opening = (_ANY_FENCE if self._is_container else _FENCE).match(line)
        if opening:
            self._fence = opening[1]
        elif len(self._block) == 1 and _HEADING.match(line):
            self._end_block()

    def _begins_block(self, line: str) -> bool:
        """Return whether a line at the left margin ends the block before it."""
        if line[0] in " \t":
            return False
        return bool(self._has_blank or _ITEM.match(line) or _HEADING.match(line) or _FENCE.match(line))

    def _end_block(self) -> None:
        self._complete.append("\n".join(self._block))
        self._block = []
        self._is_container = self._has_blank = False


def _frame_code(code: str, information: str, mark: str = "") -> str:
    language = (information.split() or [""])[0][:_LANGUAGE_CHARACTERS]
    return (
        f'<div class="code"><div class="code-head"><span>{escape(language)}</span>'
        f'<button type="button" class="button button-quiet code-copy">{escape(_("Copy"))}</button></div>'
        f'<pre tabindex="0"><code{mark}>{escape(code)}</code></pre></div>'
    )


def _render_code(
    _renderer: RendererHTML, tokens: Sequence[Token], index: int, _options: object, _environment: object
) -> str:
    return _frame_code(tokens[index].content, tokens[index].info)


def _open_table(*_arguments: object) -> str:
    return f'<div class="table-frame" tabindex="0" role="group" aria-label="{escape(_("Table"))}"><table>'


def _close_table(*_arguments: object) -> str:
    return "</table></div>"


def _open_link(
    renderer: RendererHTML, tokens: Sequence[Token], index: int, options: Any, environment: Any  # noqa: ANN401 - markdown-it's own
) -> str:  # fmt: skip
    tokens[index].attrSet("target", "_blank")
    return renderer.renderToken(tokens, index, options, environment)


def _lower_headings(state: StateCore) -> None:
    """Put the headings below those of the page, without a gap between their levels."""
    levels: list[int] = []
    for token in state.tokens:
        if token.type == "heading_open":
            level = int(token.tag[1])
            while levels and levels[-1] >= level:
                levels.pop()
            levels.append(level)
        if token.type in {"heading_open", "heading_close"}:
            token.tag = f"h{min(_FIRST_HEADING + len(levels) - 1, _LAST_HEADING)}"


def _link_images(state: StateCore) -> None:
    """Take the mark of an image from the link that is left of it, since images are not parsed.

    The parser would look for the end of each of a row of images again and again.
    """
    for token in state.tokens:
        for before, link in pairwise(token.children or ()):
            if link.type == "link_open" and before.type == "text" and before.content.endswith("!"):
                before.content = before.content[:-1]
                link.attrSet("class", "image-link")


def _make_parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"html": False, "breaks": True})
    parser.enable(["table", "strikethrough"]).disable("image")
    for name, rule in (
        ("fence", _render_code),
        ("code_block", _render_code),
        ("table_open", _open_table),
        ("table_close", _close_table),
        ("link_open", _open_link),
    ):
        parser.add_render_rule(name, rule)
    parser.core.ruler.push("lower_headings", _lower_headings)
    parser.core.ruler.push("link_images", _link_images)
    return parser


_parser: Final = _make_parser()
