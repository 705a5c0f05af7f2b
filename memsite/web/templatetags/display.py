"""Template tags of every page: icons, relative times, percentages."""

from __future__ import annotations

from datetime import datetime
from functools import lru_cache

from django import template
from django.contrib.messages.storage.base import Message
from django.template.defaultfilters import truncatechars
from django.templatetags.static import static
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import get_language, gettext

from memsite.web.relative_time import format_relative_time
from memsite.web.requests import undo_url_of

register = template.Library()


@register.simple_tag
@lru_cache(512)  # a page has a hundred icons of some forty names
def icon(name: str) -> SafeString:
    """Return an icon of `img/icons.svg`, hidden from screen readers: the text beside it has the meaning."""
    return format_html(
        '<svg class="icon" aria-hidden="true" focusable="false"><use href="{}#{}"></use></svg>',
        static("img/icons.svg"),
        name,
    )


@register.simple_tag
def ago(then: datetime | None) -> SafeString | str:
    """Return a `<time>`: relative as text, exact (UTC) as title, ISO 8601 as datetime. "" for no time."""
    if then is None:
        return ""
    exact = _format_exact(then, get_language())
    words = format_relative_time(then, timezone.now())
    return format_html('<time datetime="{}" title="{}">{}</time>', then.isoformat(), exact, words)


@lru_cache(
    2048
)  # the same times appear on page after page, and Django takes longer than for all else in a row
def _format_exact(then: datetime, _language: str | None) -> str:
    return date_format(then, "DATETIME_FORMAT") + " UTC"


@register.filter
def shorten(text: str, most: int) -> str:
    """Return a text cut to so many characters, as `truncatechars` does, but a short one at once."""
    return text if len(text) <= most else str(truncatechars(text, most))


@register.filter
def percent(share: float | None) -> str:
    """Format a share: 0.846 → "85%"; "" for none."""
    return "" if share is None else f"{share:.0%}"


@register.simple_tag
def ring(share: float) -> SafeString:
    """Draw a share of [0, 1] as a ring that fills clockwise.

    It is hidden from screen readers, because the number is beside it.
    """
    return format_html(
        '<svg class="ring" viewBox="0 0 20 20" aria-hidden="true" focusable="false">'
        '<circle class="ring-whole" cx="10" cy="10" r="7.5" pathLength="100"></circle>'
        '<circle class="ring-share" cx="10" cy="10" r="7.5" pathLength="100" stroke-dasharray="{} 100">'
        "</circle>"
        "</svg>",
        round(share * 100),
    )


@register.filter
def undo_url(message: Message) -> str:
    """Return the URL that undoes a notice's change, or ""."""
    return undo_url_of(message.extra_tags or "")


@register.simple_tag(takes_context=True)
def with_query(context: template.Context, **changes: object) -> str:
    """Return this page's query string with some parameters changed; an empty value removes its parameter."""
    query = context["request"].GET.copy()
    for name, value in changes.items():
        if value in {None, ""}:
            query.pop(name, None)
        else:
            query[name] = str(value)
    return f"?{query.urlencode()}" if query else "?"


@register.filter
def spoken(words: str) -> str:
    """Translate words that come from below the page layer (see `listed_errors`)."""
    return gettext(words)
