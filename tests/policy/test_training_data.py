"""What the estimates learn from and what they are measured with have no statement in common."""

from __future__ import annotations

import re

from evaluation.quality import STORIES, TRUTH_SET, read_stories, read_truth_set
from training.people import read_changes, read_people


def bare(text: str) -> str:
    return re.sub(r"\W+", "", text.casefold())


def test_no_labelled_statement_is_in_a_set_that_measures() -> None:
    stories = read_stories(STORIES)
    texts = [one.text for story in stories for one in story.messages]
    texts += [one.text for story in stories for one in story.stored]
    measured = {bare(text) for text in texts} | {
        bare(one.text) for scenario in read_truth_set(TRUTH_SET) for one in scenario.statements
    }
    learnt = {text for one in read_changes() for text in (one.older, one.newer)} | {
        text for person in read_people() for one in person.memories for text in (one.fact, one.said)
    }
    assert [text for text in sorted(learnt) if bare(text) in measured] == []
