"""The Chinese of the pages: complete, compiled, and of sentences that are really said."""

from __future__ import annotations

import ast
import re
import struct
from pathlib import Path

import pytest
from django.utils.translation import ngettext, override

from memsite.web.listed_errors import LIBRARIES, SENTENCES, WORDS

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "locale" / "zh_Hans" / "LC_MESSAGES"
_FIELD = re.compile(r'^(msgid_plural|msgid|msgstr)(?:\[0\])? (".*")$')
_PLACE = re.compile(r"%\(\w+\)[sd]|%[sd]")
_COUNTED = re.compile(
    r"\{%\s*blocktranslate\s+(?:trimmed\s+)?count\s[^%]*%\}(.*?)"
    r"\{%\s*plural\s*%\}(.*?)\{%\s*endblocktranslate",
    re.DOTALL,
)


def source_catalog() -> dict[str, str]:
    """msgid → msgstr of the .po file; of a plural its singular."""
    found: dict[str, str] = {}
    for block in (FOLDER / "django.po").read_text(encoding="utf-8").split("\n\n"):
        texts: dict[str, str] = {}
        name = ""
        for line in block.splitlines():
            if match := _FIELD.match(line):
                name = match[1]
                texts[name] = ast.literal_eval(match[2])
            elif line.startswith('"'):
                texts[name] += ast.literal_eval(line)
        found[texts["msgid"]] = texts["msgstr"]
    return found


def compiled_catalog() -> dict[str, str]:
    """The same of the .mo file, by its format: a table of lengths and offsets for each side."""
    data = (FOLDER / "django.mo").read_bytes()
    magic, _version, count, originals, translations = struct.unpack_from("<5I", data)
    assert magic == 0x950412DE

    def text(table: int, index: int) -> str:
        length, offset = struct.unpack_from("<2I", data, table + 8 * index)
        return data[offset : offset + length].decode().split("\0")[0]

    return {text(originals, index): text(translations, index) for index in range(count)}


def test_the_compiled_catalog_is_that_of_the_source() -> None:
    assert compiled_catalog() == source_catalog()


def test_every_sentence_is_translated() -> None:
    assert [said for said, translated in source_catalog().items() if not translated] == []


def test_nothing_is_marked_as_a_guess() -> None:
    assert "fuzzy" not in (FOLDER / "django.po").read_text(encoding="utf-8")


def test_translations_keep_the_places_of_what_is_filled_in() -> None:
    differ = [
        said
        for said, translated in source_catalog().items()
        if said and sorted(_PLACE.findall(said)) != sorted(_PLACE.findall(translated))
    ]
    assert differ == []


@pytest.mark.parametrize("template", sorted((ROOT / "templates").rglob("*.html")), ids=lambda path: path.stem)
def test_what_a_template_says_is_in_the_catalog(template: Path) -> None:
    said = re.findall(r"""\{%\s*translate\s+(?:"([^"]*)"|'([^']*)')""", template.read_text(encoding="utf-8"))
    catalog = source_catalog()
    assert [double or single for double, single in said if (double or single) not in catalog] == []


@pytest.mark.parametrize("template", sorted((ROOT / "templates").rglob("*.html")), ids=lambda path: path.stem)
def test_what_a_template_counts_is_translated_in_the_plural(template: Path) -> None:
    counted = [
        tuple(re.sub(r"\{\{\s*(\w+)\s*\}\}", r"%(\1)s", " ".join(text.split())) for text in texts)
        for texts in _COUNTED.findall(template.read_text(encoding="utf-8"))
    ]
    with override("zh-hans"):
        assert [many for one, many in counted if ngettext(one, many, 5) == many] == []


@pytest.mark.parametrize("sentence", SENTENCES)
def test_each_known_error_is_raised_somewhere(sentence: str) -> None:
    sources = [
        path for room in ("memories", "threads", "porting", "memsite") for path in (ROOT / room).rglob("*.py")
    ]
    others = [path for path in sources if path.name != "listed_errors.py"]
    assert any(sentence in path.read_text("utf-8") for path in others)


def test_known_words_are_translated() -> None:
    catalog = source_catalog()
    assert [word for word in (*WORDS, *LIBRARIES) if not catalog.get(word)] == []
