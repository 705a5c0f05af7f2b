"""Every page in Chinese: what the site itself says is Chinese, but for names, addresses and code."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import pytest
from django.test import Client

from memsite.accounts.models import User
from tests.pages.conftest import Remember, Say
from tests.site_paths import PERSON, VISITOR, fill_path

#: Names of things and formats, which Chinese pages write in Latin letters; the first branch's name.
NAMES = {
    *("AI", "main"),
    *("Gemini", "LibreChat", "Open", "WebUI", "mem", "PostgreSQL", "VACUUM", "takeout", "google", "com"),
    *("conversations", "memories"),  # files of Claude's export
    "Editor",  # a connected program
    *(
        "Memsite",
        "alice",
        "API",
        "APIs",
        "URL",
        "JSON",
        "ID",
        "HTTP",
        "HTTPS",
        "MB",
        "KB",
        "GB",
        "UTC",
        "SQL",
    ),
    *(
        "OpenAI",
        "Webhook",
        "Webhooks",
        "OpenAPI",
        "ChatGPT",
        "Claude",
        "Ollama",
        "MCP",
        "CSV",
        "TOTP",
        "IP",
        "PDF",
        "ZIP",
        "zip",
        "English",
    ),
    *("Alt", "Shift", "Enter", "Esc", "Ctrl", "Markdown", "HTML", "token", "tokens"),
}
_ATTRIBUTES = ("aria-label", "title", "placeholder", "alt")
#: Elements whose text is code, or in the language that they name.
_CODE = {"code", "pre", "kbd", "samp", "script", "style"}
_VOID = {"meta", "link", "input", "br", "hr", "img", "use", "path", "circle", "line", "rect"}


class Words(HTMLParser):
    """Collects the Latin words of a page that stand outside code and other languages."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.found: set[str] = set()
        self._open: list[tuple[str, bool]] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = dict(attrs)
        skipped = tag in _CODE or (tag != "html" and "lang" in attributes) or self._is_skipped()
        if tag not in _VOID:
            self._open.append((tag, skipped))
        if not skipped:
            for name in _ATTRIBUTES:
                self._collect(attributes.get(name) or "")
            if tag == "input" and attributes.get("type") in {"submit", "button"}:
                self._collect(attributes.get("value") or "")

    def handle_endtag(self, tag: str) -> None:
        while self._open and self._open.pop()[0] != tag:
            pass

    def handle_data(self, data: str) -> None:
        if not self._is_skipped():
            self._collect(data)

    def _is_skipped(self) -> bool:
        return bool(self._open) and self._open[-1][1]

    def _collect(self, text: str) -> None:
        plain = re.sub(r"https?://\S+|[\w.+-]+@[\w.-]+|\S*[/_]\S*", " ", text)
        self.found |= set(re.findall(r"[A-Za-z]{2,}", plain)) - NAMES


@pytest.mark.parametrize("path", PERSON)
def test_a_page_of_a_person_speaks_chinese(
    path: str, alice: User, alice_browser: Client, remembered: Remember, thread_saying: Say
) -> None:
    memory = remembered(alice, "会拉大提琴。")
    thread = thread_saying(alice, "我从小学开始拉大提琴。", title="大提琴")
    answer = alice_browser.get(fill_path(path, memory, thread), headers={"accept-language": "zh-CN"})
    assert Words(answer.content.decode()).found - {"cello", "nothing", "like", "it"} == set()


@pytest.mark.parametrize("path", VISITOR)
def test_a_page_of_a_visitor_speaks_chinese(path: str, client: Client, db: None) -> None:
    answer = client.get(path, headers={"accept-language": "zh-CN"})
    assert Words(answer.content.decode()).found == set()
