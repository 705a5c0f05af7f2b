"""Markdown of replies: what it becomes, that nothing runs in it, and how it grows."""

from __future__ import annotations

import re
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from threads.pages.markdown import GrowingMarkdown, render_markdown

TEXT = """First *paragraph*
of two lines.

- one
- two
  with more

  and a paragraph
- three

1. first

   ```js
   let a = 1;

   let b = 2;
   ```
2. second

```python
print("# not a heading")

- not a list
```
# Heading
After it.

| a | b |
| - | - |
| 1 | 2 |

> quoted
lazily

The end

."""


def plain(html: str) -> str:
    return " ".join(re.sub(r"<[^>]+>", " ", html).split())


@pytest.mark.parametrize(
    "hostile",
    [
        "<script>alert(1)</script>",
        "<img src=x onerror=alert(1)>",
        "[x](javascript:alert(1))",
        "[x](data:text/html;base64,PHNjcmlwdD4=)",
        "![x](https://elsewhere.example/a.png)",
        '[x](https://a.example "onclick=1")',
        '```"><script>alert(1)</script>\n</code><b onclick=1>\n```',
        "<a href='x' style='color:red'>y</a>",
    ],
)
def test_nothing_runs_and_nothing_is_loaded(hostile: str) -> None:
    html = render_markdown(hostile)
    tags = re.findall(r"<[^>]*>", html)
    assert not [tag for tag in tags if re.match(r"<(script|img|style|iframe)", tag)]
    assert not [tag for tag in tags if re.search(r"\s(on\w+|style)=|javascript:|data:", tag)]


def test_links_do_not_pass_on_where_they_were_opened() -> None:
    html = render_markdown("[x](https://a.example)")
    assert 'rel="noopener nofollow"' in html
    assert 'target="_blank"' in html


def test_code_has_its_language_and_a_button_to_copy() -> None:
    html = render_markdown("```python extra\na < b\n```")
    assert "<span>python</span>" in html
    assert "a &lt; b" in html
    assert "code-copy" in html


def test_headings_stand_below_those_of_the_page_without_gaps() -> None:
    html = render_markdown("### a\n\n# b\n\n#### c\n\n## d\n")
    assert re.findall(r"<(h\d)>", html) == ["h3", "h3", "h4", "h4"]


def test_table_scrolls_in_a_frame_of_its_own() -> None:
    html = render_markdown("| a |\n| - |\n| 1 |")
    assert '<div tabindex="0" role="group"' in html.replace('class="table-frame" ', "")


@given(st.lists(st.integers(1, 12), min_size=1))
def test_growing_text_is_complete_however_it_is_cut(sizes: list[int]) -> None:
    growing, html, rest, place = GrowingMarkdown(), "", "", 0
    while place < len(TEXT):
        size = sizes[place % len(sizes)]
        piece = TEXT[place : place + size]
        grown = growing.add(piece)
        rest += piece
        if grown is not None:
            html += grown.html
            rest = re.sub(r"<[^>]+>", "", grown.frame.replace("Copy", ""))
        place += size
    words = plain(html) + " " + plain(rest)
    assert words.split() == plain(render_markdown(TEXT)).split()


def test_open_code_is_shown_as_code() -> None:
    grown = GrowingMarkdown().start("Look:\n\n```python\nx = 1\ny =")
    assert "<p>Look:</p>" in grown.html
    assert '<code data-tail="">x = 1\ny =' in grown.frame or "<code data-tail>x = 1\ny =" in grown.frame


@pytest.mark.parametrize(
    "unit", ["word ", "word\n\n", "- item\n", "`", "*a ", "[", "> ", "|", "```\n", "a\n"]
)
def test_cost_is_linear_in_the_length(unit: str) -> None:
    def seconds(count: int) -> float:
        growing, began = GrowingMarkdown(), time.process_time()
        for _ in range(count):
            growing.add(unit)
        return time.process_time() - began

    seconds(100)
    least = min(seconds(1_000) for _ in range(3))
    assert min(seconds(8_000) for _ in range(2)) < 40 * max(least, 0.001)
