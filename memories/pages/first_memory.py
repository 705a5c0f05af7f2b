"""The composer of the overview: state something, see what is remembered, ask a question, see it recalled."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Final
from uuid import UUID

from django import forms
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import get_language, gettext_lazy
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from memories.curation import LONGEST_STATEMENT, remember_statement
from memories.models import Memory
from memories.pages.acts import PERSON, undo_url
from memories.pages.acts.adding import describe_outcome
from memories.pages.cards import Card, load_cards
from memories.retrieval import Hit, SearchQuery, get_least_relevance, search_memories
from memories.storage import list_memories
from memories.text import OWNER, make_name_key
from memories.values import Action, Layer
from memsite.errors import InvalidInput
from memsite.values import parse_id
from memsite.web.requests import get_owner, keep_typed, take_typed

_MOST_RECALLED: Final = 3
_MOST_SHOWN: Final = 10
_LONGEST_QUESTION: Final = 500
#: Questions that a person may ask about a memory, by its kind or predicate and by the page's language.
_QUESTIONS: Final = {
    "lives_in": ("Where do I live?", "我住在哪里？"),
    "works_at": ("Where do I work?", "我在哪里工作？"),
    "works_as": ("What is my job?", "我做什么工作？"),
    "is_named": ("What is my name?", "我叫什么名字？"),
    "preference": ("What do I like?", "我喜欢什么？"),
    "goal": ("What do I want to do?", "我有什么打算？"),
    "habit": ("What do I usually do?", "我平时有什么习惯？"),
    "": ("What do you know about me?", "你知道我哪些事？"),
}


class StatementForm(forms.Form):
    """One thing that a person states about themselves."""

    statement = forms.CharField(
        label=gettext_lazy("Tell me one thing about yourself"),
        max_length=LONGEST_STATEMENT,
        widget=forms.Textarea(
            attrs={
                "rows": 2,
                "enterkeyhint": "send",
                "placeholder": gettext_lazy(
                    "For example: I moved to Turin in March and I am allergic to nuts."
                ),
            }
        ),
    )


class QuestionForm(forms.Form):
    """A question to the person's own memories."""

    q = forms.CharField(
        label=gettext_lazy("Now ask for it"),
        max_length=_LONGEST_QUESTION,
        widget=forms.TextInput(attrs={"autocomplete": "off", "enterkeyhint": "search"}),
    )


@dataclass(frozen=True, slots=True)
class RememberedStatement:
    """The result of a statement.

    Attributes:
        undo_url: URL whose POST undoes it; empty if nothing changed.
        questions: Questions that recall these memories.
    """

    cards: list[Card]
    message: str
    undo_url: str
    questions: list[str]


@dataclass(frozen=True, slots=True)
class Recalled:
    """One memory that answers a question, and why."""

    card: Card
    why: str


@keep_typed
@require_http_methods(["GET", "HEAD", "POST"])
def tell(request: HttpRequest) -> HttpResponse:
    """Remember a statement, and show what was remembered; GET shows it again by `id`."""
    form = StatementForm(request.POST or None, initial=take_typed(request))
    owner = get_owner(request)
    remembered = _load_remembered(request, owner) if request.method != "POST" else _remember(form, owner)
    if request.method == "POST" and remembered and not request.headers.get("HX-Request"):
        return redirect(f"{reverse('tell')}?{_address(remembered)}")
    facts = {"form": form, "remembered": remembered, "question_form": QuestionForm()}
    template = (
        "memories/first_memory/_remembered.html"
        if request.headers.get("HX-Request")
        else "memories/first_memory/tell.html"
    )
    return render(request, template, facts, status=422 if form.errors else 200)


@login_required
@require_safe
def ask(request: HttpRequest) -> HttpResponse:
    """Show the memories that a question recalls, with the reasons."""
    form = QuestionForm(request.GET)
    question = form.cleaned_data["q"] if form.is_valid() else ""
    recalled = _recall(question, owner=get_owner(request)) if question else []
    facts = {"question_form": form, "question": question, "recalled": recalled}
    template = (
        "memories/first_memory/_recalled.html"
        if request.headers.get("HX-Request")
        else "memories/first_memory/recalled.html"
    )
    return render(request, template, facts)


def _remember(form: StatementForm, owner: UUID) -> RememberedStatement | None:
    if not form.is_valid():
        return None
    try:
        written = remember_statement(form.cleaned_data["statement"], owner=owner, actor=PERSON)
    except InvalidInput as error:
        form.add_error(None, _(error.message))
        return None
    kept = [outcome for outcome in written.outcomes if outcome.memory is not None]
    if not kept:
        reason = written.outcomes[0].reason
        form.add_error("statement", _("This was not kept: %(reason)s") % {"reason": _(reason)})
        return None
    memories = list({one.memory.pk: one.memory for one in kept if one.memory}.values())
    changed = any(outcome.action != Action.KNOWN for outcome in kept)
    undo = undo_url(written.batch_id) if changed else ""
    return _make_result(memories, describe_outcome(kept[0]), undo, owner=owner)


def _make_result(memories: list[Memory], message: str, undo: str, *, owner: UUID) -> RememberedStatement:
    questions = list(dict.fromkeys(_questions(memories, owner=owner)))
    return RememberedStatement(load_cards(memories, owner=owner), message, undo, questions)


def _load_remembered(request: HttpRequest, owner: UUID) -> RememberedStatement | None:
    """Return what the address of the page names; None if it names nothing of this person's."""
    ids = [found for given in request.GET.getlist("id")[:_MOST_SHOWN] if (found := parse_id(given))]
    memories = list(list_memories(owner=owner).filter(id__in=ids).order_by("id")) if ids else []
    batch = parse_id(request.GET.get("batch", ""))
    undo = undo_url(batch) if batch else ""
    return _make_result(memories, _("Remembered."), undo, owner=owner) if memories else None


def _address(remembered: RememberedStatement) -> str:
    named: list[tuple[str, Any]] = [("id", card.memory.pk) for card in remembered.cards[:_MOST_SHOWN]]
    batch = remembered.undo_url.rstrip("/").rpartition("/")[2]
    return urlencode([*named, *([("batch", batch)] if batch else [])])


def _questions(memories: Iterable[Memory], *, owner: UUID) -> Iterator[str]:
    """Yield, for each of the first memories, a question whose answer it is: it is searched for."""
    for memory in list(memories)[:_MOST_RECALLED]:
        keys = (memory.predicate, memory.kind, "") if _is_about_person(memory) else ("",)
        for key in keys:
            if key in _QUESTIONS:
                question = _QUESTIONS[key][(get_language() or "").startswith("zh")]
                if any(hit.memory.pk == memory.pk for hit in _search(question, owner=owner)):
                    yield question
                    break


def _is_about_person(memory: Memory) -> bool:
    """Return whether a memory is about the person, not their sister: the questions say "I"."""
    return make_name_key(memory.subject or OWNER) == OWNER


def _recall(question: str, *, owner: UUID) -> list[Recalled]:
    hits = _search(question, owner=owner)
    cards = load_cards([hit.memory for hit in hits], owner=owner)
    return [Recalled(card, hit.why) for card, hit in zip(cards, hits, strict=True)]


def _search(question: str, *, owner: UUID) -> list[Hit]:
    """Return what answers the question; if nothing reaches its layer's threshold, the nearest memory."""
    query = SearchQuery(question, top_k=_MOST_RECALLED, min_similarity=0)
    hits = list(search_memories(query, owner=owner).hits)
    relevant = [hit for hit in hits if hit.relevance >= get_least_relevance(Layer(hit.memory.layer))]
    return relevant or hits[:1]
