"""For whom a request is, in which thread, and what it may do with memory."""

from __future__ import annotations

import time
from typing import Any

import jwt
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memsite.accounts.applications import change_application, create_application, get_end_user
from memsite.accounts.keys import issue_key
from memsite.accounts.models import ApiKey, ProgramHeader, User
from memsite.accounts.preferences import set_preferences
from memsite.errors import InvalidInput, NotAuthenticated, UserRequired
from threads.completions.identity import read_caller
from threads.completions.values import CompletionCaller, MemoryUse

pytestmark = pytest.mark.django_db
SECRET = "a-secret-of-open-webui-0123456789"
OTHER_SECRET = "another-secret-0123456789-0123456789"
TITLE = "### Task:\nGenerate a concise, 3-5 word title\n### Chat History:\nUSER: hi"


@pytest.fixture
def key(alice: User) -> ApiKey:
    """A personal key of Alice's."""
    return issue_key(alice, name="hers")[0]


@pytest.fixture
def app_key(alice: User) -> ApiKey:
    """The key of an application that reads all headers it may, and has a secret."""
    application = create_application(alice, "Open WebUI")
    changes = {"headers": list(ProgramHeader.values), "user_header": "X-Our-User", "token_secret": SECRET}
    change_application(application, changes)
    return issue_key(alice, name="its", application=application)[0]


def make_token(secret: str = SECRET, algorithm: str = "HS256", **changes: Any) -> str:
    now = int(time.time())
    claims = {"sub": "u-1", "iss": "open-webui", "iat": now, "exp": now + 300, **changes}
    return jwt.encode({name: one for name, one in claims.items() if one is not None}, secret, algorithm)


def change(key: ApiKey, **changes: Any) -> None:
    assert key.application is not None
    change_application(key.application, changes)


def name_of(caller: CompletionCaller) -> str:
    return User.objects.get(pk=caller.owner).external_id


def ask(text: str = "hi", **fields: Any) -> dict[str, Any]:
    return {"messages": [{"role": "user", "content": text}], **fields}


def test_a_personal_key_acts_for_its_owner_whoever_the_body_names(alice: User, key: ApiKey) -> None:
    body = ask(user="bob", safety_identifier="bob", metadata={"user_id": "bob"})
    assert read_caller({"X-OpenWebUI-User-Id": "bob"}, body, credential=key).owner == alice.pk
    with pytest.raises(InvalidInput):
        read_caller({"Memsite-User": "bob"}, body, credential=key)


@pytest.mark.parametrize("place", range(9))
def test_the_first_name_that_is_present_names_the_end_user(app_key: ApiKey, place: int) -> None:
    headers = {
        "Memsite-User": "n0",
        "X-OpenWebUI-User-Jwt": make_token(sub="n1"),
        "X-OpenWebUI-User-Id": "n2",
        "x-litellm-end-user-id": "n3",
        "x-sm-user-id": "n4",
        "X-Our-User": "n5",
    }
    fields: dict[str, Any] = {"safety_identifier": "n6", "user": "n7", "metadata": {"user_id": "n8"}}
    body = ask(**dict(list(fields.items())[max(0, place - 6) :]))
    found = read_caller(dict(list(headers.items())[place:]), body, credential=app_key)
    assert name_of(found) == f"n{place}"


def test_a_header_that_is_not_enabled_names_nobody(alice: User, app_key: ApiKey) -> None:
    change(app_key, headers=[], user_header="")
    headers = {"X-OpenWebUI-User-Id": "u-1", "X-OpenWebUI-User-Jwt": "x", "X-OpenWebUI-Chat-Id": "c-1"}
    found = read_caller(headers, ask(), credential=app_key)
    assert (found.owner, found.thread) == (alice.pk, None)


def test_an_application_may_require_a_user(app_key: ApiKey) -> None:
    change(app_key, require_user=True)
    with pytest.raises(UserRequired):
        read_caller({}, ask(user=7), credential=app_key)
    assert name_of(read_caller({}, ask(user="u-1"), credential=app_key)) == "u-1"


@pytest.mark.parametrize(
    "token",
    [
        pytest.param("nonsense", id="no token"),
        pytest.param(make_token(exp=1), id="expired"),
        pytest.param(make_token(exp=None), id="without an end"),
        pytest.param(make_token(sub=None), id="without a name"),
        pytest.param(make_token(OTHER_SECRET), id="forged"),
        pytest.param(make_token("", "none"), id="unsigned"),
    ],
)
def test_a_bad_token_is_refused_and_nobody_else_is_taken(app_key: ApiKey, token: str) -> None:
    headers = {"X-OpenWebUI-User-Jwt": token, "X-OpenWebUI-User-Id": "u-2"}
    with pytest.raises(NotAuthenticated):
        read_caller(headers, ask(user="u-3"), credential=app_key)


def test_names_in_headers_are_read_as_utf_8(app_key: ApiKey) -> None:
    name = "张三".encode().decode("latin-1")
    assert name_of(read_caller({"memsite-user": name}, ask(), credential=app_key)) == "张三"


@pytest.mark.parametrize("place", range(7))
def test_the_first_id_that_is_present_names_the_thread(key: ApiKey, place: int) -> None:
    headers = {
        "Memsite-Thread": "t0",
        "X-OpenWebUI-Chat-Id": "t1",
        "X-Conversation-Id": "t2",
        "x-litellm-session-id": "t3",
        "session-id": "t4",
    }
    metadata = {"session_id": "t5"} if place < 6 else {}
    body = ask(prompt_cache_key="t6", metadata=metadata)
    found = read_caller(dict(list(headers.items())[place:]), body, credential=key)
    assert found.thread is not None
    assert found.thread.text == f"t{place}"


def test_a_placeholder_that_was_left_names_nothing(key: ApiKey) -> None:
    headers = {"Memsite-Thread": "{{CHAT_ID}}", "Memsite-Message": "None", "Memsite-Task": ""}
    found = read_caller(headers, ask(), credential=key)
    assert (found.thread, found.message, found.memory) == (None, "", MemoryUse.ON)


@pytest.mark.parametrize("thread", ["local:4f1", "temporary:7"])
def test_temporary_chats_are_neither_recalled_for_nor_kept(key: ApiKey, thread: str) -> None:
    for headers in ({}, {"Memsite-Memory": "on"}):
        found = read_caller({"X-OpenWebUI-Chat-Id": thread, **headers}, ask(), credential=key)
        assert (found.memory, found.reason) == (MemoryUse.OFF, "temporary")


def test_ids_of_messages_are_read(key: ApiKey) -> None:
    headers = {"Memsite-Message": "m2", "Memsite-Parent": "m1", "Memsite-Reply": "m3"}
    found = read_caller(headers, ask(), credential=key)
    assert (found.message, found.parent, found.reply, found.is_root) == ("m2", "m1", "m3", False)
    for none in ("", "None", "00000000-0000-0000-0000-000000000000"):
        assert read_caller({**headers, "Memsite-Parent": none}, ask(), credential=key).is_root


@pytest.mark.parametrize(
    ("headers", "fields", "expected"),
    [
        ({}, {}, (MemoryUse.ON, "")),
        ({"Memsite-Memory": "Read"}, {}, (MemoryUse.READ, "header")),
        ({"Memsite-Memory": "off", "Memsite-Task": "x"}, {}, (MemoryUse.OFF, "header")),
        ({"Memsite-Memory": "on"}, {"store": False}, (MemoryUse.ON, "")),
        ({"Memsite-Memory": "on"}, {"text": TITLE}, (MemoryUse.ON, "")),
        ({"Memsite-Memory": "on", "Memsite-Task": "title"}, {}, (MemoryUse.OFF, "title")),
        ({"Memsite-Memory": "read"}, {"text": TITLE}, (MemoryUse.OFF, "title_generation")),
        ({}, {"store": False}, (MemoryUse.ON, "")),
        ({}, {"store": None}, (MemoryUse.ON, "")),
        ({}, {"text": TITLE}, (MemoryUse.OFF, "title_generation")),
    ],
)
def test_use_of_memory_follows_what_is_named_first(
    key: ApiKey, headers: dict[str, str], fields: dict[str, Any], expected: tuple[MemoryUse, str]
) -> None:
    found = read_caller(headers, ask(**fields), credential=key)
    assert (found.memory, found.reason) == expected


def test_a_person_who_switched_memory_off_has_a_plain_model(alice: User, key: ApiKey) -> None:
    set_preferences(alice.pk, memory_on=False)
    found = read_caller({"Memsite-Memory": "on"}, ask(), credential=key)
    assert (found.memory, found.reason) == (MemoryUse.OFF, "preference")


def test_a_key_that_may_only_read_stores_nothing(alice: User) -> None:
    key = issue_key(alice, name="reader", scopes=["read"])[0]
    assert read_caller({}, ask(), credential=key).memory == MemoryUse.READ


def test_an_application_may_leave_side_requests_alone(app_key: ApiKey) -> None:
    change(app_key, finds_side_requests=False)
    assert read_caller({}, ask(TITLE), credential=app_key).memory == MemoryUse.ON


@pytest.mark.parametrize(
    "headers",
    [
        {"Memsite-Memory": "maybe"},
        {"Memsite-Context": "all"},
        {"Memsite-Thread": "x" * 201},
        {"Memsite-Thread": "a\x07b"},
        {"Memsite-Message": "x" * 256},
    ],
)
def test_unknown_values_of_our_headers_are_refused(key: ApiKey, headers: dict[str, str]) -> None:
    with pytest.raises(InvalidInput):
        read_caller(headers, ask(), credential=key)


def test_the_same_name_in_another_application_is_another_person(bob: User, app_key: ApiKey) -> None:
    person = get_end_user(create_application(bob, "Open WebUI"), "u-1")
    assert read_caller({"Memsite-User": "u-1"}, ask(), credential=app_key).owner != person.pk


TEXT = st.text(st.characters(codec=None), max_size=300)
ANY = st.none() | st.booleans() | st.integers() | TEXT | st.lists(TEXT, max_size=2)
FIELDS = ["user", "safety_identifier", "store", "prompt_cache_key", "conversation", "messages"]


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    body=st.dictionaries(st.sampled_from(FIELDS), ANY),
    metadata=ANY | st.dictionaries(st.sampled_from(["user_id", "thread_id", "chat_id"]), ANY),
)
def test_any_body_of_a_personal_key_has_a_caller(
    alice: User, key: ApiKey, body: dict[str, Any], metadata: Any
) -> None:
    found = read_caller({}, {**body, "metadata": metadata}, credential=key)
    assert found.owner == alice.pk
