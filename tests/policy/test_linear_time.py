"""Every pattern and every function that reads free text takes at most linear time."""

from __future__ import annotations

import re
import signal
import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

import pytest

from memories.extraction.english.sayings import find_directive
from memories.extraction.rules import corrections, enumerations, unstated
from memories.extraction.rules.clause_reader import LONGEST
from memories.extraction.talk import talk
from memories.maintenance.reflection.conf import SENTENCE_CHARACTERS
from memories.text.dates import expiry
from memories.writing.changes import state_tables
from tests.policy.adversarial import REPEATED, UNITS, attacks, list_repeated, text_of
from tests.policy.patterns import Act, PlacedPattern, find_patterns
from tests.policy.text_functions import FUNCTIONS
from threads.context.recall import vagueness

#: Rules that only see one clause or short input, with its runs of blanks reduced to one, and the most
#: characters of it; below, the CPU seconds that each of these rules may take for it.
CLAUSES = {
    "memories.extraction.english": LONGEST,
    "memories.extraction.chinese": LONGEST,
    "memories.extraction.rules.corrections": corrections.LONGEST,
    "memories.extraction.rules.enumerations": enumerations.LONGEST,
    "memories.extraction.rules.unstated": unstated.LONGEST,
    "memories.extraction.talk": talk.LONGEST,
    "memories.text.dates.expiry": expiry.LONGEST,
    "memories.writing.changes.state_tables": state_tables.LONGEST,
    "memories.writing.changes.readings": state_tables.LONGEST,
    "memories.writing.changes.states": state_tables.LONGEST,
    "memories.extraction.rules.assemble": LONGEST,
    "memories.maintenance.reflection.patterns.stances_": SENTENCE_CHARACTERS,
    "threads.context.recall.vagueness": vagueness.LONGEST,
}
OF_A_CLAUSE = 0.25
#: The characters of the texts that are compared. From the first to each other one, the cost per character may
#: grow by the factor GROWTH. Quadratic time grows like the lengths, by 4 and 16.
SHORT = 600
LONGER = (2_400, 9_600)
GROWTH = 3.0
#: A text longer than a limit may cost more per character than a short one, once: a step. Quadratic time grows
#: again, by 4, when the length grows by 4; a step does not grow by the factor AGAIN.
AGAIN = 2.0
#: Seconds per character that are not examined. The fastest loop of `re` takes 0.6 ns for a character, so a
#: quadratic pattern costs at least ten times as much at the greatest length.
CHEAP = 0.2e-6
#: How often a text that took too long is read again, after a pause of so many seconds, unless it took so long
#: that other work of the machine cannot be the reason.
TRIES, PAUSE, HOPELESS = 30, 0.05, 0.5
#: Seconds that no search in a unit repeated `REPEATED` times takes, unless its time is exponential.
ENDLESS = 2.0

PATTERNS = find_patterns()


def seconds(act: Act, text: str) -> float:
    before = time.process_time()
    act(text)
    return time.process_time() - before


def grows(act: Act, unit: str, before: str = "", cheap: float = CHEAP, longer: Iterable[int] = LONGER) -> str:
    """Return how the cost per character grows, found twice; empty if acceptable.

    The speed of a shared machine changes within one comparison, which can look like growth, but hardly twice.
    """
    return growth(act, unit, before, cheap, longer) and growth(act, unit, before, cheap, longer)


def growth(act: Act, unit: str, before: str, cheap: float, longer: Iterable[int]) -> str:
    """Return how the cost per character grows from a short text to longer ones; empty if acceptable."""
    short = text_of(unit, SHORT, before)
    act(short)  # the first call may fill caches
    cost = max(min(seconds(act, short) for _ in range(3)) / SHORT, cheap / GROWTH)
    for length in longer:
        text = text_of(unit, length, before)
        spent = seconds(act, text)
        for _ in range(TRIES):  # a busy machine only makes it slower, so the best of several counts
            if spent <= length * cost * GROWTH or spent > HOPELESS:
                break
            time.sleep(PAUSE)
            spent = min(spent, seconds(act, text))
        ratio = spent / length / cost
        if ratio > GROWTH and (spent > HOPELESS or not is_step(act, unit, before, length, spent)):
            return f"{before!r} + {unit!r} repeated: a character costs {ratio:.1f} times as much in {length}"
    return ""


def is_step(act: Act, unit: str, before: str, length: int, spent: float) -> bool:
    """Return whether four times the length costs less than AGAIN times as much per character."""
    longest = text_of(unit, 4 * length, before)
    return min(seconds(act, longest) for _ in range(3)) < 4 * AGAIN * spent


def costs(act: Act, text: str) -> str:
    """Return the cost of the longest clause; empty if acceptable."""
    spent = seconds(act, text)
    if spent > OF_A_CLAUSE:
        spent = min(spent, seconds(act, text))
    return f"{text[:40]!r}: {spent:.2f} s" if spent > OF_A_CLAUSE else ""


def slowness(placed: PlacedPattern, act: Act, before: str, unit: str) -> str:
    """Return what is slow about an attack on a pattern; empty if nothing is."""
    longest = next((most for package, most in CLAUSES.items() if placed.module.startswith(package)), 0)
    if longest:
        return costs(act, " ".join(text_of(unit, longest, before).split())[:longest])
    return grows(act, unit, before)


def slow_attacks(placed: PlacedPattern) -> Iterator[str]:
    """Yield what is slow about a pattern, for each attack that shows it."""
    for act in placed.acts():
        for before, unit in attacks(placed.pattern):
            if slow := slowness(placed, act, before, unit):
                yield slow


@contextmanager
def ended_after(seconds: float) -> Iterator[None]:
    """Raise TimeoutError in the body if it takes longer. `re` looks for signals while it searches."""

    def end(_signal: int, _frame: object) -> None:
        raise TimeoutError

    before = signal.signal(signal.SIGALRM, end)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def takes_exponential_time(pattern: re.Pattern[str]) -> bool:
    """Return whether a short text takes longer than any other time could explain."""
    try:
        for text in list_repeated(pattern):
            with ended_after(ENDLESS):
                pattern.match(text)
    except TimeoutError:
        return True
    return False


def test_no_pattern_takes_exponential_time() -> None:
    patterns = {placed.pattern: placed.place for placed in PATTERNS}
    assert [place for pattern, place in patterns.items() if takes_exponential_time(pattern)] == []


@pytest.mark.parametrize(
    "exponential",
    [
        r"(?:少|不要|少)+!",
        r"(?:刚刚?|又|已经)*买",
        r"(?:请|以后|给?我?|跟我|对我|的)*回答",
        r"(?:usually |generally |always |generally )+like",
        r"(?:a+)+b",
    ],
)
def test_pattern_that_takes_exponential_time_is_reported(
    exponential: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys.modules[__name__], "ENDLESS", 0.1)
    assert takes_exponential_time(re.compile(exponential))


def test_repeated_reason_for_a_name_takes_no_exponential_time() -> None:
    # `list_repeated` never writes "else", a word of this pattern, where the pattern allows any word.
    with ended_after(ENDLESS):
        assert find_directive("call me Max" + ", all my else do" * REPEATED + " x") is None


@pytest.mark.slow
@pytest.mark.parametrize("module", sorted({placed.module for placed in PATTERNS}))
def test_patterns_of_module_take_linear_time(module: str) -> None:
    own = [placed for placed in PATTERNS if placed.module == module]
    assert {placed.place: slow for placed in own if (slow := next(slow_attacks(placed), ""))} == {}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_function_that_reads_text_takes_linear_time(name: str) -> None:
    act, cheap = FUNCTIONS[name]
    for unit in UNITS:
        if seconds(act, text_of(unit, SHORT)) > cheap * SHORT:
            assert not (slow := grows(act, unit, cheap=cheap, longer=LONGER[:1])), slow


@pytest.mark.slow
@pytest.mark.parametrize("name", FUNCTIONS)
def test_function_that_reads_long_text_takes_linear_time(name: str) -> None:
    act, _ = FUNCTIONS[name]
    for unit in UNITS:
        assert not (slow := grows(act, unit)), slow


@pytest.mark.parametrize(
    ("quadratic", "hopeless"),
    [
        # compared with a text four times as long, which takes seconds
        pytest.param(r" +$", HOPELESS, marks=pytest.mark.slow),
        (r"[ \t]++\n", 0.02),
        (r"\w+@", 0.02),
        (r"(?:a|b)*c", 0.02),
        (r"\d+(?:,\d+)*%", 0.02),
        (r"(\w).*\1!", 0.02),
    ],
)
def test_pattern_that_takes_quadratic_time_is_reported(
    quadratic: str, hopeless: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys.modules[__name__], "PAUSE", 0.0)
    monkeypatch.setattr(sys.modules[__name__], "TRIES", 3)  # more only protect what is linear
    monkeypatch.setattr(sys.modules[__name__], "HOPELESS", hopeless)
    searched = PlacedPattern("memories.text", quadratic, re.compile(quadratic), frozenset({"search"}))
    assert any(slow_attacks(searched))


@pytest.mark.parametrize("linear", [r"(?<! ) +$", r"\w++", r"\w{1,64}@", r"[ac]|b.{0,20}c"])
def test_pattern_that_takes_linear_time_is_not_reported(linear: str) -> None:
    searched = PlacedPattern("memories.text", linear, re.compile(linear), frozenset({"search"}))
    assert not any(slow_attacks(searched))
