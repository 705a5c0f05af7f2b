"""The pages of the site, by what they show: lists for the tests that look at every page."""

from __future__ import annotations

from memories.models import Memory
from memsite.accounts.oauth.clients import register_client
from threads.models import Thread

#: What a program says of itself when it registers.
_PROGRAM = b'{"client_name": "Editor", "redirect_uris": ["http://127.0.0.1/callback"]}'

#: The page on which a person lets a program in.
CONSENT = (
    "/oauth/authorize?response_type=code&client_id={client}&code_challenge_method=S256"
    "&code_challenge=E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"
)

#: Pages for people who are not signed in.
VISITOR = ("/", "/accounts/login/", "/accounts/signup/", "/accounts/password/reset/")

#: Pages for a person, with the places of a memory's and a thread's id.
PERSON = (
    "/",
    "/guide/",
    "/guide/models/",
    "/memories/",
    "/memories/?q=cello",
    "/memories/?q=nothing-like-it",
    "/memories/add/",
    "/memories/clear/",
    "/memories/timeline/",
    "/memories/graph/",
    "/memories/graph/?hops=2",
    "/memories/report/",
    "/memories/report/history/",
    "/memories/{memory}/",
    "/memories/{memory}/edit/",
    "/memories/{memory}/erase/",
    "/inbox/",
    "/conflicts/",
    "/conflicts/{memory}/",
    "/threads/",
    "/threads/new/",
    "/threads/{thread}/",
    "/threads/{thread}/delete/",
    "/threads/{thread}/compare/",
    "/settings/memory/",
    "/settings/data/",
    "/settings/data/delete/",
    "/settings/data/import/",
    "/settings/programs/",
    "/settings/programs/webhooks/",
    "/settings/account/",
    "/settings/account/name/",
    "/settings/privacy/",
    "/settings/audit/",
    CONSENT,
    "/status/",
    "/accounts/logout/",
    "/accounts/password/change/",
    "/accounts/email/",
    "/accounts/2fa/",
)


def fill_path(path: str, memory: Memory, thread: Thread) -> str:
    """Return a path with the ids of a memory and a thread, and of a program that registered itself."""
    client = ""
    if "{client}" in path:
        client = register_client(_PROGRAM)["client_id"]
    return path.format(memory=memory.pk, thread=thread.pk, client=client)
