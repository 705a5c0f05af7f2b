"""Every table of people's rows has its policy, and few functions may act for more than one owner."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.apps import apps
from django.db import connection

ROOT = Path(__file__).parents[2]
SOURCES = [
    path
    for folder in ("memories", "threads", "porting", "memsite", "evaluation")
    for path in sorted((ROOT / folder).rglob("*.py"))
    if not path.is_relative_to(ROOT / "memsite/serving/postgres")
]

#: Tables with an owner, but without a policy.
WITHOUT_POLICY = {
    "accounts_apikey": "a key is how the owner becomes known",
    "accounts_application": "its key is how an end user becomes known",
    "accounts_auditentry": "others write into it: staff who looked, and sign-ins that failed",
    "jobs_job": "the queue, whose worker takes the jobs of all",
}
#: Tables of people's data without an owner of ours, and without a policy.
OF_PEOPLE = {
    "account_emailaddress": "read while somebody signs in, before anybody is known",
    "account_emailconfirmation": "as above",
    "accounts_invitation": "read by whoever signs up with it",
    "accounts_user": "read while somebody signs in; staff see the list",
    "accounts_user_groups": "as accounts_user",
    "accounts_user_user_permissions": "as accounts_user",
    "django_admin_log": "written and read by staff alone, in the admin",
    "django_session": "the session is how a person becomes known",
    "mfa_authenticator": "read while somebody signs in",
    "oauth2_provider_accesstoken": "a token is how the owner becomes known",
    "oauth2_provider_application": "read for a program that asks for its token",
    "oauth2_provider_devicegrant": "not used",
    "oauth2_provider_grant": "the code of a grant is how the owner becomes known",
    "oauth2_provider_idtoken": "not used",
    "oauth2_provider_refreshtoken": "a token is how the owner becomes known",
    "rest_requestcount": "counts of requests of unknown callers, too",
    "socialaccount_socialaccount": "read while somebody signs in",
    "socialaccount_socialapp": "not of people: single sign-on's own settings",
    "socialaccount_socialtoken": "not used: tokens of single sign-on are not kept",
    "usersessions_usersession": "written while somebody signs in",
}
#: Tables that hold nothing of people.
OF_NOBODY = {
    "auth_group",
    "auth_group_permissions",
    "auth_permission",
    "django_content_type",
    "django_migrations",
    "django_q_ormq",
    "django_q_schedule",
    "django_q_task",
    "events_applicationcounter",
    "events_streamclaim",
    "jobs_heartbeat",
    "jobs_lease",
    "memories_embeddingswitch",
    "memories_sitereport",
    "memsite_cache",
    "metering_breaker",
}
#: Where the code may see the rows of all owners.
ACROSS_OWNERS = {
    "memories/storage/usage.py:list_owners_to_roll_up",
    "memories/storage/graph/rebuilding.py:list_owners_with_memories",
    "memories/maintenance/forgetting/nightly.py:find_due",
    "memories/maintenance/forgetting/cap.py:list_owners_over_cap",
    "memories/maintenance/forgetting/purge.py:find_outdated",
    "memories/maintenance/reflection/due.py:list_owners_with_episodes",
    "memories/maintenance/reflection/due.py:list_owners_with_changes",
    "memories/maintenance/reports/site.py:make_site",
    "memories/maintenance/reports/site.py:prune",
    "memories/maintenance/reports/site.py:owners_to_report",
    "memories/maintenance/renormalisation.py:list_owners_left",
    "memories/maintenance/reembedding/reindexing.py:list_owners_without_vectors",
    "memories/maintenance/reembedding/sentences.py:list_owners_without_sentences",
    "memories/maintenance/reembedding/embedding_switch.py:count_vectors_by_model",
    "memories/maintenance/reembedding/embedding_switch.py:count_missing_vectors",
    "memories/maintenance/reembedding/embedding_switch.py:drop_old_vectors",
    "memsite/accounts/signing/admin_entry.py:across",
    "memsite/accounts/deletion/running.py:list_due_deletions",
    "memsite/accounts/oauth/programs.py:prune_registrations",
    "memsite/events/application_order.py:number_new_events",
    "memsite/events/pruning.py:prune",
    "memsite/events/reading.py:_reading",
    "memsite/events/watching.py:renew_watches",
    "memsite/events/webhooks/delivering.py:_find_next",
    "memsite/events/webhooks/delivering.py:find_due",
    "threads/storage/queries.py:list_quiet_threads",
    "threads/storage/queries.py:list_threads_to_learn",
    "threads/summarization/sweeping.py:queue_owed_summaries",
    "threads/replies/running.py:_save",
    "threads/replies/running.py:_requested",
    "threads/replies/storing.py:end_lost",
    "threads/messages/removal.py:expire_temporary_threads",
    "porting/importing/sweeping.py:sweep",
}
#: Where the code may act as the role that owns the tables.
AS_TABLE_OWNER = {
    "memories/maintenance/forgetting/scrubbing.py:scrub_tables",
    "memsite/serving/management/commands/migrate.py:handle",
    "memsite/serving/management/commands/run.py:_prepare",
}


@pytest.mark.django_db
def test_every_table_with_an_owner_has_a_policy() -> None:
    owned = {
        model._meta.db_table
        for model in apps.get_models()
        if any(field.column == "owner_id" for field in model._meta.concrete_fields)
    }
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT p.tablename FROM pg_policies AS p JOIN pg_class AS c ON c.oid = p.tablename::regclass"
            " WHERE c.relrowsecurity AND p.cmd = 'ALL' AND p.qual LIKE '%%app.owner%%'"
        )
        bound = {row[0] for row in cursor.fetchall()}
    assert owned - bound == set(WITHOUT_POLICY)


@pytest.mark.django_db
def test_every_table_has_a_policy_or_a_reason_why_not() -> None:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT relname FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace"
            " WHERE n.nspname = current_schema() AND c.relkind IN ('r', 'p') AND NOT c.relrowsecurity"
        )
        open_tables = {row[0] for row in cursor.fetchall()}
    assert open_tables == OF_NOBODY | OF_PEOPLE.keys() | WITHOUT_POLICY.keys()


def test_decision_names_every_table_of_people_without_a_policy() -> None:
    (decision,) = (ROOT / "docs/adr").glob("0031-*.md")
    text = decision.read_text(encoding="utf-8")
    assert [name for name in (*OF_PEOPLE, *WITHOUT_POLICY) if f"`{name}`" not in text] == []


def find_uses(tree: ast.AST, names: set[str], scope: str = "module") -> Iterator[str]:
    """Yield the function or class around each use of one of these names; `module` outside of both.

    A decorator counts for what it decorates. Importing a name is no use of it, unless it is renamed.
    """
    for node in ast.iter_child_nodes(tree):
        if _used_name(node) in names:
            yield scope
        is_scope = isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
        yield from find_uses(node, names, getattr(node, "name", "") if is_scope else scope)


def _used_name(node: ast.AST) -> str:
    if isinstance(node, ast.alias):
        return node.name if node.asname else ""
    return node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")


def _users(*names: str) -> set[str]:
    """Return `file:function` for every function, class and module that uses one of these names."""
    return {
        f"{path.relative_to(ROOT)}:{scope}"
        for path in SOURCES
        for scope in find_uses(ast.parse(path.read_text(encoding="utf-8")), set(names))
    }


@pytest.mark.parametrize(
    ("code", "scope"),
    [
        ("def f():\n    with across():\n        pass", "f"),
        ("@across()\nasync def f():\n    pass", "f"),
        ("def f(how=roles.across):\n    pass", "f"),
        ("def f():\n    def g():\n        across()", "g"),
        ("def f():\n    return lambda: across()", "f"),
        ("class C:\n    rows = across()", "C"),
        ("@across()\nclass C:\n    pass", "C"),
        ("with across():\n    pass", "module"),
        ("f = lambda: across()", "module"),
        ("from roles import across as a", "module"),
    ],
)
def test_use_is_seen_wherever_it_stands(code: str, scope: str) -> None:
    assert list(find_uses(ast.parse(code), {"across"})) == [scope]


def test_import_alone_is_no_use() -> None:
    assert not list(find_uses(ast.parse("from roles import across"), {"across"}))


def test_only_listed_functions_act_across_owners() -> None:
    assert _users("across_owners", "ALL_OWNERS", "acting_as") == ACROSS_OWNERS


def test_only_listed_functions_act_as_the_owner_of_the_tables() -> None:
    assert _users("as_table_owner", "TABLE_OWNER") == AS_TABLE_OWNER
