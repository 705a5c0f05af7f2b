"""Three people and their clients: Alice owns the data, Bob has his own, Charlie is staff."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import nullcontext
from typing import Any

import pytest
from allauth.account.internal.flows.login import record_authentication
from django.core.cache import cache
from django.core.management.base import BaseCommand
from django.core.management.commands.migrate import Command as MigrateCommand
from django.db import OperationalError, connection, transaction
from django.db.backends.base.creation import BaseDatabaseCreation
from django.http import HttpRequest
from django.test import Client, TransactionTestCase
from django.test.client import ClientHandler
from django.utils import translation
from hypothesis import settings as hypothesis_settings
from psycopg.sql import SQL, Identifier
from pytest_django import Settings
from rest_framework.test import APIClient

from memories.retrieval.cache.cache import index_cache
from memsite.accounts.keys import issue_key
from memsite.accounts.models import User
from memsite.llm.chat import adapting, retry
from memsite.serving.postgres import NOBODY, acting_as, as_table_owner
from tests.database_plugin import MIGRATED
from tests.llm_server import LLMServer

# On a shared machine, the time of an example means nothing.
hypothesis_settings.register_profile("untimed", deadline=None)
hypothesis_settings.load_profile("untimed")

KeyClient = Callable[..., APIClient]
#: Change fields of a group of settings, such as `tune(SUMMARY, messages=3)`, until the test ends.
Tune = Callable[..., None]


def _delete_rows(_case: TransactionTestCase) -> None:
    """Delete all rows in one transaction, after a test whose own transactions committed.

    Django truncates every table and makes its content types and permissions anew: 20 times as slow. A thread
    of the test that still writes can deadlock with it; then it is done again.
    """
    for pause in (0.5, 2.0):
        try:
            _delete_all_rows()
        except OperationalError:
            time.sleep(pause)
        else:
            return
    _delete_all_rows()


def _delete_all_rows() -> None:
    kept = {"django_content_type", "auth_permission", "django_migrations"}
    tables = set(connection.introspection.django_table_names(only_existing=True, include_views=False)) - kept
    with as_table_owner(), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL DEFERRED")
        for table in sorted(tables):
            cursor.execute(SQL("DELETE FROM {}").format(Identifier(table)))


@pytest.fixture(scope="session")
def django_db_modify_db_settings(django_db_modify_db_settings_parallel_suffix: None) -> None:
    """Clone the migrated database (see database_plugin.py) in place of migrating once more."""
    connection.settings_dict["TEST"].update(TEMPLATE=MIGRATED, MIGRATE=False)


def _keep_database(*_: object) -> None:
    """Drop no database: the whole server is removed after the run, whoever still uses it."""


@pytest.fixture(autouse=True, scope="session")
def quick_clearing() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(TransactionTestCase, "_fixture_teardown", _delete_rows)
        patch.setattr(BaseDatabaseCreation, "_destroy_test_db", _keep_database)
        yield


@pytest.fixture(autouse=True)
def plain_static_files(settings: Settings) -> None:
    """Set up plain static files (nothing has been collected), no rate limit, and fast password hashing."""
    settings.STORAGES = settings.STORAGES | {
        "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
    }
    settings.WHITENOISE_AUTOREFRESH = True
    settings.MEMSITE_RATE_LIMIT = None
    settings.MEMSITE_CONTEXT_RECALL_MS = 20_000  # the speed of a busy machine is not tested here
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]


@pytest.fixture(autouse=True)
def as_the_site(monkeypatch: pytest.MonkeyPatch) -> None:
    """Run requests and our commands as the site's role, which policies bind, as they do outside of tests.

    Jobs do so by themselves.
    """
    answer, execute = ClientHandler.__call__, BaseCommand.execute

    def answer_as_the_site(handler: ClientHandler, environ: dict[str, Any]) -> Any:
        with acting_as(NOBODY):
            return answer(handler, environ)

    def execute_as_the_site(command: BaseCommand, *args: Any, **options: Any) -> Any:
        is_django_s = isinstance(command, MigrateCommand) or command.__module__.startswith("django.")
        with nullcontext() if is_django_s else acting_as(NOBODY):
            return execute(command, *args, **options)

    monkeypatch.setattr(ClientHandler, "__call__", answer_as_the_site)
    monkeypatch.setattr(BaseCommand, "execute", execute_as_the_site)


@pytest.fixture(autouse=True)
def own_language() -> None:
    """Begin in the site's language: a request of an earlier test leaves its own to the thread."""
    translation.deactivate()


@pytest.fixture(autouse=True)
def no_models(settings: Settings) -> None:
    """Unset the language models, whatever the environment says; `models_configured` sets them."""
    settings.MEMSITE_MODEL_FAST = settings.MEMSITE_MODEL_PRIMARY = ""
    settings.MEMSITE_MODEL_BREAKER = True
    settings.MEMSITE_MODEL_DAILY_TOKENS = 0
    settings.MEMSITE_MODEL_PRICES = {}
    adapting.forget_refusals()


@pytest.fixture
def chat_server() -> Iterator[LLMServer]:
    """A scripted model server on loopback (see tests/llm_server.py); the site is not configured to use it."""
    with LLMServer() as server:
        yield server


@pytest.fixture
def models_configured(
    chat_server: LLMServer, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> LLMServer:
    """`chat_server` as the model of both slots, `fast-model` and `primary-model`; retries have no pauses."""
    settings.OPENAI_BASE_URL = chat_server.url
    settings.OPENAI_API_KEY = "sk-test-0123456789"
    settings.MEMSITE_MODEL_FAST = "fast-model"
    settings.MEMSITE_MODEL_PRIMARY = "primary-model"
    settings.MEMSITE_MODEL_TIMEOUT = 20.0
    monkeypatch.setattr(retry, "WAIT_INITIAL", 0.0)
    monkeypatch.setattr(retry, "WAIT_JITTER", 0.0)
    return chat_server


@pytest.fixture
def tune() -> Iterator[Tune]:
    """Change settings of a group that was read at the start, and set them back at the end of the test."""
    before: list[tuple[object, str, object]] = []

    def change(group: object, **values: object) -> None:
        for name, value in values.items():
            before.append((group, name, getattr(group, name)))
            object.__setattr__(group, name, value)  # groups are frozen

    yield change
    for group, name, value in reversed(before):
        object.__setattr__(group, name, value)


@pytest.fixture(autouse=True)
def fresh_caches(request: pytest.FixtureRequest) -> None:
    """Clear the caches, so that no test finds another's entries.

    The transaction of an ordinary test rolls back the shared cache by itself.
    """
    index_cache().clear()
    if "transactional_db" in request.fixturenames:
        request.getfixturevalue("transactional_db")
        cache.clear()


def _user(name: str, *, staff: bool = False) -> User:
    return User.objects.create_user(
        username=name, password=f"{name}-secret-1", is_staff=staff, is_superuser=staff
    )


@pytest.fixture
def alice(db: None) -> User:
    return _user("alice")


@pytest.fixture
def bob(db: None) -> User:
    return _user("bob")


@pytest.fixture
def charlie(db: None) -> User:
    """Staff: sees others' rows in the admin, and nowhere else."""
    return _user("charlie", staff=True)


def _client_of(user: User, scopes: Sequence[str] = ("read", "write")) -> APIClient:
    """Return a client of a program with a key of this user."""
    _, key = issue_key(user, name="test", scopes=scopes)
    client = APIClient()
    client.credentials(HTTP_AUTHORIZATION=f"Bearer {key}")
    client.default_format = "json"
    return client


@pytest.fixture
def client_of() -> KeyClient:
    return _client_of


@pytest.fixture
def alice_api(alice: User) -> APIClient:
    return _client_of(alice)


@pytest.fixture
def bob_api(bob: User) -> APIClient:
    return _client_of(bob)


@pytest.fixture
def charlie_api(charlie: User) -> APIClient:
    return _client_of(charlie, ("read", "write", "admin"))


def _browser_of(user: User) -> Client:
    client = Client()
    client.force_login(user)
    _confirm_identity(client, user)
    return client


def _confirm_identity(client: Client, user: User) -> None:
    """Record a recent confirmation of the password, which allauth requires for sensitive pages."""
    request = HttpRequest()
    request.session = client.session
    record_authentication(request, user, method="password", reauthenticated=True)
    request.session.save()


@pytest.fixture
def alice_browser(alice: User) -> Client:
    """Alice, signed in on the site."""
    return _browser_of(alice)


@pytest.fixture
def bob_browser(bob: User) -> Client:
    return _browser_of(bob)


@pytest.fixture
def charlie_browser(charlie: User) -> Client:
    return _browser_of(charlie)
