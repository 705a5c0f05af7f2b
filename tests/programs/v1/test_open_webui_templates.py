"""The requests that Open WebUI makes for itself, by the templates inside its published package."""

from __future__ import annotations

import ast
import re
import zipfile
from pathlib import Path

import pytest

from tests.programs.conftest import Record
from tests.programs.installed import PROGRAMS
from tests.programs.results import Result
from threads.completions.programs import cut_scaffolding, find_side_request

pytestmark = pytest.mark.programs

CONFIGURATION = "open_webui/config.py"
TASKS = {
    "AUTOCOMPLETE_GENERATION_PROMPT": "autocomplete_generation",
    "EMOJI_GENERATION_PROMPT": "emoji_generation",
    "FOLLOW_UP_GENERATION_PROMPT": "follow_up_generation",
    "IMAGE_PROMPT_GENERATION_PROMPT": "image_prompt_generation",
    "MOA_GENERATION_PROMPT": "moa_response_generation",
    "QUERY_GENERATION_PROMPT": "query_generation",
    "TAGS_GENERATION_PROMPT": "tags_generation",
    "TITLE_GENERATION_PROMPT": "title_generation",
}
SAID = "USER: My cat is called Minka."


def test_tasks_of_open_webui_are_recognised_and_its_documents_are_not(record: Record) -> None:
    wheel = next(iter((PROGRAMS / "open-webui").glob("open_webui-*.whl")), None)
    if wheel is None:
        pytest.skip("Open WebUI is not there: make test-programs could not download its package")
    templates = read_templates(wheel)
    found = {name: recognise(templates[name]) for name in TASKS}
    wrapped = f"{templates['RAG']}\n\nWhat is my cat called?"
    passed = [found[name] == task for name, task in TASKS.items()]
    passed += [recognise(wrapped) == "", cut_scaffolding(wrapped) == "What is my cat called?"]
    result = Result(sum(passed), failed=len(passed) - sum(passed))
    record("Templates of Open WebUI", wheel.name.split("-")[1], result)
    assert result.is_success, found


def recognise(text: str) -> str:
    return find_side_request({"messages": [{"role": "user", "content": text}], "stream": False}, task="")


def read_templates(wheel: Path) -> dict[str, str]:
    """Return the templates by name, with a conversation in place of their variables."""
    source = zipfile.ZipFile(wheel).read(CONFIGURATION).decode()
    found = {}
    for node in ast.parse(source).body:
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant):
            name = getattr(node.targets[0], "id", "")
            if name.startswith("DEFAULT_") and name.endswith("_TEMPLATE"):
                text = re.sub(r"\{\{[^}]+\}\}", SAID, str(node.value.value))
                found[name.removeprefix("DEFAULT_").removesuffix("_TEMPLATE")] = text
    return found
