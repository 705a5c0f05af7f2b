"""`manage.py evaluate --extraction`, by rules and by a scripted model."""

from __future__ import annotations

import json
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from evaluation.datasets import score_extractor
from memories.values import Candidate
from memsite.accounts.models import User
from tests.llm_server import LLMServer, Request, status

pytestmark = pytest.mark.django_db

EXCHANGES = [
    ("en", "I live in Lisbon, in the Alfama district.", ["Lisbon"]),
    ("zh", "我住在成都，在一家医院做护士。", ["成都", "护士"]),
    ("en", "Haha, that really made my day, thank you!", []),
]


@pytest.fixture
def labelled(tmp_path: Path) -> Path:
    """Three exchanges, one of them with nothing to learn."""
    path = tmp_path / "labelled.jsonl"
    rows: list[dict[str, Any]] = [
        {
            "id": f"mine-{number}",
            "split": "mine",
            "language": language,
            "category": "fact",
            "at": "2025-11-21T09:30:00+00:00",
            "exchange": [{"role": "user", "content": text}],
            "expected": [{"kind": ["fact"], "key": [key]} for key in keys],
        }
        for number, (language, text, keys) in enumerate(EXCHANGES)
    ]
    path.write_text("\n".join(json.dumps(row) for row in rows), encoding="utf-8")
    return path


def evaluate(*arguments: str) -> str:
    out = StringIO()
    call_command("evaluate", *arguments, "--progress", "off", stdout=out)
    return out.getvalue()


def perfect(request: Request) -> str:
    """What a careful reader would answer."""
    shown = request.messages[1]["content"]
    known = {
        "Lisbon": "The user lives in Lisbon.",
        "成都": "用户住在成都。",
        "护士": "用户在一家医院做护士。",
    }
    told = [content for name, content in known.items() if name in shown]
    items = [{"kind": "fact", "content": content, "evidence": ["m1"]} for content in told]
    return json.dumps({"memories": items}, ensure_ascii=False)


def test_rules_are_scored_without_a_model(labelled: Path) -> None:
    told = evaluate("--extraction", str(labelled))
    assert "Learning by rules alone" in told
    assert "No model is configured" in told


def test_model_is_scored_beside_the_rules(labelled: Path, models_configured: LLMServer) -> None:
    models_configured.reply = perfect
    told = evaluate("--extraction", str(labelled), "--by", "model")
    assert "Learning by model fast-model" in told
    [row] = [line for line in told.splitlines() if line.split()[:2] == ["all", "all"]]
    assert row.split()[2:] == ["3", *["100.0"] * 6]
    assert "3 read by the model, 0 by rules" in told


def test_model_that_fails_is_told_of(labelled: Path, models_configured: LLMServer) -> None:
    models_configured.always(status(403))
    told = evaluate("--extraction", str(labelled), "--by", "model")
    assert "0 read by the model, 3 by rules" in told
    assert "status 403" in told


def test_nobody_is_left_behind(labelled: Path, models_configured: LLMServer) -> None:
    models_configured.reply = perfect
    evaluate("--extraction", str(labelled))
    assert not User.objects.exists()


def test_exchanges_of_this_repository_are_the_default() -> None:
    assert "development" in evaluate("--extraction", "--by", "rules", "--limit", "5")


@pytest.mark.parametrize("content", ["", "{", '{"id": 1}'])
def test_file_of_another_shape_is_refused(tmp_path: Path, content: str) -> None:
    path = tmp_path / "other.jsonl"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(CommandError):
        evaluate("--extraction", str(path))


def test_sensitive_labels_are_met_by_marked_candidates() -> None:
    item = {
        "id": "mine-1",
        "at": "2025-11-21T09:30:00+00:00",
        "exchange": [{"role": "user", "content": "I have asthma and a cat."}],
        "expected": [{"kind": ["fact"], "key": [key], "sensitive": True} for key in ("asthma", "cat")],
    }
    learnt = [Candidate("The user has asthma.", sensitive=True), Candidate("The user has a cat.")]
    assert score_extractor([item], lambda _: learnt).sensitive_accuracy == 0.5
