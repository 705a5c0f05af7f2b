"""The tags that pages run most often give what Django's own give."""

from __future__ import annotations

import uuid

import pytest
from django.template import Context, Engine, Template
from django.urls import reverse
from django.utils.translation import override

from memsite.web.templatetags.quick_tags import Address, TranslatedText


def _template(text: str) -> Template:
    return Engine.get_default().from_string(text)


def test_a_text_follows_the_language_of_each_page() -> None:
    page = _template("{% load i18n %}{% translate 'Memories' %}")
    for _look in range(2):
        with override("zh-hans"):
            assert page.render(Context()) == "记忆"
        with override("en"):
            assert page.render(Context()) == "Memories"


@pytest.mark.parametrize(
    "tag", ["translate words", "translate 'Memories'|lower", "translate 'Memories' as it"]
)
def test_a_text_that_may_change_is_left_to_django(tag: str) -> None:
    page = _template("{% load i18n %}{% " + tag + " %}{{ it }}")
    assert not page.nodelist.get_nodes_by_type(TranslatedText)
    assert page.render(Context({"words": "memories"})).lower() == "memories"


def test_a_url_takes_the_ids_of_each_page() -> None:
    page = _template("{% url 'keep_message' thread message %}")
    for _look in range(2):
        thread, message = uuid.uuid4(), uuid.uuid4()
        context = Context({"thread": thread, "message": message})
        assert page.render(context) == reverse("keep_message", args=[thread, message])


def test_a_url_of_other_arguments_is_left_to_django() -> None:
    assert _template("{% url 'memory' one %}").render(Context({"one": str(uuid.UUID(int=7))})) == reverse(
        "memory", args=[uuid.UUID(int=7)]
    )
    assert not _template("{% url 'admin:index' %}").nodelist.get_nodes_by_type(Address)
