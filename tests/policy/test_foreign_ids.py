"""Another owner's id is 404, on every route and method, in path, query and body; for staff's keys, too.

Generated from the URL resolver: a new route with an id is tested without a change here, and the test fails
until the route answers 404 (or, if it reads a body first, until BODIES has a valid one).
"""

from __future__ import annotations

import uuid
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest
from allauth.usersessions.models import UserSession
from django.test import Client
from django.utils import timezone
from oauth2_provider.models import Application as Program
from rest_framework.test import APIClient

from memories.models import GivenMessages, Report
from memories.values import Candidate
from memories.writing.pipeline import write_candidates
from memsite.accounts.applications import create_application, get_end_user
from memsite.accounts.keys import issue_key
from memsite.accounts.models import ConnectedProgram, DeletionRequest, User
from memsite.events.webhooks import add_test, add_webhook
from memsite.values import MessageRole
from porting.models import Import
from tests.policy.routes import Route, all_routes
from threads.messages import append_messages, create_thread
from threads.messages.incoming import NewMessage
from threads.models import Citation, ThreadSummary
from threads.storage.jobs import queue_learning

#: A valid body for views that read it before they look up the row, by route name and method.
BODIES: dict[tuple[str, str], dict[str, Any]] = {
    ("api_memory", "patch"): {"content": "new words"},
    ("api_messages", "post"): {"role": "user", "content": "hello"},
    ("api_message", "patch"): {"do_not_remember": True},
    ("api_thread", "patch"): {"title": "mine now"},
    ("api_task_state", "patch"): {"current_goal": "mine now"},
    ("api_thread_context", "post"): {"input": "hello", "max_tokens": 1000},
    ("api_memory_report_mend", "post"): {"finding": "0123456789abcdef"},
    ("mend_finding", "post"): {"finding": "0123456789abcdef"},
    ("api_branches", "post"): {"name": "idea"},
    ("api_branch", "patch"): {"name": "idea"},
    ("api_checkout", "post"): {"branch": "main"},
    ("api_compare", "get"): {"left": "main", "right": "main"},
    ("api_take_back", "post"): {"branch": "main"},
    ("api_keep", "post"): {"memories": ["0190a0a0-0000-7000-8000-000000000000"]},
    ("api_thread_retrieve", "post"): {"query": "bees"},
    ("api_citation", "patch"): {"useful": True},
    ("api_reply", "post"): {"input": "hello"},
    ("api_thread_settings", "patch"): {"keep_last": 5},
    ("api_webhook", "patch"): {"enabled": False},
    ("api_webhook_replay", "post"): {"after": 0},
    ("edit_memory", "post"): {"content": "new words"},
    ("edit_pending", "post"): {"content": "new words"},
    ("say", "post"): {"content": "hello"},
}
OURS = [
    route
    for route in all_routes()
    if route.parameters and not route.path.startswith(("admin/", "accounts/")) and route.name
]
CASES = [(route, method) for route in OURS for method in route.methods if method != "put"]


@dataclass(frozen=True)
class Belongings:
    """Ids of Alice's rows, by the name of the parameter in a route."""

    ids: dict[str, str]
    contents: tuple[str, ...]


@pytest.fixture
def of_alice(alice: User) -> Belongings:
    written = write_candidates([Candidate("Alice keeps bees.")], owner=alice.pk, actor="test")
    memory = written.outcomes[0].memory
    assert memory is not None
    thread = create_thread(owner=alice.pk, title="Alice's own")
    appended = append_messages(
        thread.pk, [NewMessage(role=MessageRole.USER, content="I keep bees.")], owner=alice.pk
    )
    message = appended.messages[0]
    key, _ = issue_key(alice, name="hers")
    application = create_application(alice, "hers")
    webhook, _ = add_webhook("https://93.184.216.34/hook", owner=alice.pk)
    ids = {
        "memory_id": memory.pk,
        "thread_id": thread.pk,
        "message": message.pk,
        "message_id": message.pk,
        "key_id": key.pk,
        "user_id": get_end_user(application, "dora").pk,
        "application_id": application.pk,
        "program_id": ConnectedProgram.objects.create(owner=alice, client=Program.objects.create()).pk,
        "batch_id": written.batch_id,
        "report_id": Report.objects.create(owner_id=alice.pk, kind="quality").pk,
        "import_id": Import.objects.create(
            owner_id=alice.pk, format="mem0", status="waiting", actor="test"
        ).pk,
        "webhook_id": webhook.pk,
        "delivery_id": add_test(webhook.pk, owner=alice.pk).pk,
        "given_id": GivenMessages.objects.create(owner_id=alice.pk, actor="test").pk,
        "branch": "main",
        "summary_id": ThreadSummary.objects.create(owner_id=alice.pk, thread=thread, last_message=message).pk,
        "citation_id": Citation.objects.create(
            owner_id=alice.pk, thread=thread, context_id=uuid.uuid4(), memory_id=memory.pk, score=1.0
        ).pk,
        "session_id": UserSession.objects.create(user=alice, ip="127.0.0.1", session_key="hers").pk,
        "deletion_id": DeletionRequest.objects.create(
            owner=alice, scope="memories", due_at=timezone.now(), begun_at=timezone.now()
        ).pk,
        "job_id": queue_learning(thread.pk, owner=thread.owner_id).pk,
    }
    return Belongings({name: str(value) for name, value in ids.items()}, ("bees", "Alice's own"))


def _api_call(client: APIClient, route: Route, method: str, ids: dict[str, str]) -> Any:
    return getattr(client, method)(route.url(ids), BODIES.get((route.name, method), {}), format="json")


@pytest.mark.parametrize(
    ("route", "method"),
    [case for case in CASES if case[0].path.startswith("api/")],
    ids=str,
)
@pytest.mark.parametrize("person", ["bob", "charlie"])
def test_api_hides_the_row_of_another(
    person: str,
    route: Route,
    method: str,
    of_alice: Belongings,
    request: pytest.FixtureRequest,
    client_of: Callable[..., APIClient],
) -> None:
    client = client_of(request.getfixturevalue(person), scopes=("read", "write", "admin"))
    response = _api_call(client, route, method, of_alice.ids)
    assert response.status_code == 404, (route.path, method, response.content)
    assert not any(text in response.content.decode() for text in of_alice.contents)


@pytest.mark.parametrize(
    ("route", "method"),
    [case for case in CASES if not case[0].path.startswith("api/") and case[1] in {"get", "post"}],
    ids=str,
)
@pytest.mark.parametrize("person", ["bob", "charlie"])
def test_page_hides_the_row_of_another(
    person: str, route: Route, method: str, of_alice: Belongings, request: pytest.FixtureRequest
) -> None:
    browser: Client = request.getfixturevalue(f"{person}_browser")
    response = getattr(browser, method)(route.url(of_alice.ids), BODIES.get((route.name, method), {}))
    assert response.status_code in {404, 405}, (route.path, method, response.status_code)
    assert not any(text in response.content.decode() for text in of_alice.contents)


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/api/memories/undo", {"batch_id": "batch_id"}),
        ("/api/memories/forget", {"ids": ["memory_id"]}),
        ("/api/memories/reflect", {"ids": ["memory_id"]}),
    ],
)
def test_id_of_another_in_a_body_is_not_found(
    path: str, body: dict[str, Any], of_alice: Belongings, bob_api: APIClient
) -> None:
    filled = {
        field: [of_alice.ids[one] for one in name] if isinstance(name, list) else of_alice.ids[name]
        for field, name in body.items()
    }
    assert bob_api.post(path, filled).status_code == 404


@pytest.mark.parametrize("parameter", ["before", "after"])
def test_id_of_anothers_message_in_a_query_is_not_found(
    parameter: str, of_alice: Belongings, bob_api: APIClient
) -> None:
    own = bob_api.post("/api/threads", {}).json()["id"]
    response = bob_api.get(f"/api/threads/{own}/messages?{parameter}={of_alice.ids['message']}")
    assert response.status_code == 404


def test_owner_sees_what_others_do_not(of_alice: Belongings, alice_api: APIClient) -> None:
    assert alice_api.get(f"/api/memories/{of_alice.ids['memory_id']}").status_code == 200
    assert alice_api.get(f"/api/threads/{of_alice.ids['thread_id']}").status_code == 200


@pytest.mark.parametrize("identifier", ["nonsense", str(uuid.UUID(int=7)), "%00", "1", "../keys"])
def test_id_that_is_none_is_not_found(identifier: str, alice_api: APIClient) -> None:
    assert alice_api.get(f"/api/memories/{identifier}").status_code == 404
