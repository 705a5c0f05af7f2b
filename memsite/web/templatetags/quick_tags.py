"""`{% translate %}` and `{% url %}` as Django has them, but quick where nothing can change between two pages.

A page has hundreds of both, and Django works each out anew: together they took a quarter of the time of a
list. Settings put this library in the place of `i18n`, and its `url` among the builtin tags. A tag that is
not of the plain form goes to Django's own.
"""

from __future__ import annotations

from typing import Final
from uuid import UUID

from django import template
from django.template.base import Node, Parser, Token, Variable
from django.template.context import Context
from django.template.defaulttags import URLNode
from django.template.defaulttags import url as parse_url
from django.templatetags import i18n
from django.urls import get_script_prefix, get_urlconf, reverse
from django.utils.html import escape
from django.utils.translation import get_language

register = template.Library()
register.tags.update(i18n.register.tags)
register.filters.update(i18n.register.filters)

#: Placeholders for ids, by which the parts of a URL around the ids are found.
_PLACES: Final = tuple(UUID(int=0xABCDEF << 96 | place) for place in range(4))


class TranslatedText(Node):
    """A text without filters, context or variable: it is translated once a language."""

    def __init__(self, node: i18n.TranslateNode) -> None:
        self._node = node
        self._texts: dict[str | None, str] = {}

    def render(self, context: Context) -> str:
        """Return the text in the language of the page."""
        language = get_language()
        text = self._texts.get(language)
        if text is None:
            text = self._texts[language] = self._node.render(context)
        return text


class Address(Node):
    """The URL of a view by its plain name, with ids or nothing in it."""

    def __init__(self, node: URLNode) -> None:
        self._node = node
        self._parts: dict[tuple[str | None, str], list[str]] = {}

    def render(self, context: Context) -> str:
        """Return the URL with the ids that the context has."""
        ids = [argument.resolve(context) for argument in self._node.args]
        if not all(isinstance(one, UUID) for one in ids):
            return self._node.render(context)
        key = get_urlconf(), get_script_prefix()
        parts = self._parts.get(key)
        if parts is None:
            parts = self._parts[key] = self._find_parts(context)
        return parts[0] + "".join(f"{one}{part}" for one, part in zip(ids, parts[1:], strict=True))

    def _find_parts(self, context: Context) -> list[str]:
        """Return the texts before, between and after the ids."""
        places = _PLACES[: len(self._node.args)]
        rest: str = escape(reverse(self._node.view_name.resolve(context), args=places))
        parts = []
        for place in places:
            part, _place, rest = rest.partition(str(place))
            parts.append(part)
        return [*parts, rest]


def _parse_translate(parser: Parser, token: Token) -> Node:
    node = i18n.do_translate(parser, token)
    text = node.filter_expression
    is_plain = isinstance(text.var, Variable) and text.var.literal is not None and not text.filters
    return (
        TranslatedText(node) if is_plain and not (node.asvar or node.noop or node.message_context) else node
    )


def _parse_url(parser: Parser, token: Token) -> Node:
    node = parse_url(parser, token)
    name = node.view_name.var
    is_plain = isinstance(name, str) and ":" not in name and not (node.asvar or node.kwargs)
    return Address(node) if is_plain and len(node.args) <= len(_PLACES) else node


register.tag("translate", _parse_translate)
register.tag("trans", _parse_translate)
register.tag("url", _parse_url)
