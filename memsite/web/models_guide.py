"""The page that explains how to set a language model; staff may test the connection."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from memsite.errors import ModelError, NotAllowed
from memsite.llm.chat import ModelTier
from memsite.metering import get_chat_model, list_model_status
from memsite.web.requests import get_owner

_QUESTION: Final = "Answer with the word ready."
_MOST_TOKENS: Final = 200
_SHOWN: Final = 200  # characters of an answer


@dataclass(frozen=True, slots=True)
class Trial:
    """The result of one call to the model of a slot."""

    tier: ModelTier
    model: str
    answer: str = ""
    error: str = ""


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def show_models_guide(request: HttpRequest) -> HttpResponse:
    """Show how to set a model, and which are set; on POST by staff call each of them once."""
    is_staff = bool(getattr(request.user, "is_staff", False))
    if request.method == "POST" and not is_staff:
        raise NotAllowed(_("Only staff may test the connection."))
    status = list_model_status()
    tried = status if request.method == "POST" else ()
    trials = [_try(one.tier, one.model, request) for one in tried if one.model]
    facts = {"models": status, "trials": trials, "is_staff": is_staff, "base_url": settings.OPENAI_BASE_URL}
    return render(request, "web/models_guide.html", facts)


def _try(tier: ModelTier, name: str, request: HttpRequest) -> Trial:
    model = get_chat_model(tier, owner=get_owner(request))
    if model is None:
        return Trial(tier, name, error=_("No model is set."))
    try:
        answer = model.complete([{"role": "user", "content": _QUESTION}], max_tokens=_MOST_TOKENS)
    except ModelError as error:
        return Trial(tier, name, error=error.message)
    return Trial(tier, name, answer=answer.text.strip()[:_SHOWN])
