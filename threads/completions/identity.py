"""For whom a request is, in which thread, and what it may do with memory.

Headers of ours (`Memsite-…`) are strict: a value that is unknown is an error. Fields of the body that do not
fit are ignored here, and go to the model as they came.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from memsite.accounts.applications import get_end_user, verify_user_token
from memsite.accounts.authentication import decode_header, find_effective_user
from memsite.accounts.models import THREAD_HEADERS, ApiKey, Application, ProgramHeader, Scope, User
from memsite.accounts.preferences import get_preferences
from memsite.errors import InvalidInput, UserRequired
from memsite.serving.postgres import acting_for
from threads.completions.programs import clean_reason, find_side_request
from threads.completions.values import CompletionCaller, MemoryUse, ThreadReference
from threads.conf import EXTERNAL_ID_CHARACTERS, ID_CHARACTERS

_USER_HEADERS: Final = (
    ProgramHeader.OPENWEBUI_USER,
    ProgramHeader.LITELLM_USER,
    ProgramHeader.SUPERMEMORY_USER,
)
_THREAD_FIELDS: Final = ("thread_id", "conversation_id", "session_id", "chat_id")
_TEMPORARY: Final = ("local:", "temporary:")  # how Open WebUI's ids of chats begin that it does not store
_CONVERSATION: Final = "conv_"
#: LibreChat's parent of a first message.
_ZERO_ID: Final = "00000000-0000-0000-0000-000000000000"
#: What programs send in place of an id that they do not have.
_NOTHING: Final = frozenset({"", "None", "null", "undefined", _ZERO_ID})


def read_caller(
    headers: Mapping[str, str], body: Mapping[str, Any], *, credential: ApiKey
) -> CompletionCaller:
    """Return for whom and where a request is answered, and what it may do with memory.

    A request that a program makes for itself is recognised here, too: its `memory` is off, and `reason` says
    what it is for. So is one of a chat that is temporary there, by the program's own id.

    Args:
        headers: By name in any case; values as the server gives them (Latin-1 of the bytes).
        credential: The key, with its owner and application loaded.

    Raises:
        InvalidInput: If a header of ours has a value that is unknown, or the name of the user cannot be used.
        UserRequired: If the application requires that an end user is named, and none is.
        NotAuthenticated: If the user's signed token is invalid.
        NotAllowed: If the end user was deactivated.
        NotFound: If the end user is unknown, and the key may only read.
    """
    given = {name.lower(): decode_header(value).strip() for name, value in headers.items()}
    owner = _find_owner(given, body, credential)
    thread = _find_thread(given, body, credential.application)
    memory, reason = _find_memory_use(given, body, credential, owner, thread)
    message = _read_id(given, "memsite-message")
    parent = _read_id(given, "memsite-parent")
    return CompletionCaller(
        owner=owner.pk,
        application=credential.application,
        thread=thread,
        message=message,
        parent=parent,
        reply=_read_id(given, "memsite-reply"),
        memory=memory,
        reason=reason,
        is_root=bool(message) and not parent and "memsite-parent" in given,
        is_retry=is_retry(given),
        is_managed=_is_managed(given),
    )


def is_retry(headers: Mapping[str, str]) -> bool:
    """Return whether a client says that it sends a request again, as OpenAI's libraries do."""
    return headers.get("x-stainless-retry-count", "0") not in {"", "0"}


def _find_owner(given: Mapping[str, str], body: Mapping[str, Any], key: ApiKey) -> User:
    named = given.get("memsite-user")
    application = key.application
    if _is_given(named) or application is None:
        return find_effective_user(key, named if _is_given(named) else None)
    external_id = _name_by_header(given, application) or _name_by_body(body)
    if external_id:
        return get_end_user(application, external_id, may_create=set(key.scopes) != {Scope.READ})
    if application.require_user:
        raise UserRequired("This application's requests have to name an end user, such as by Memsite-User.")
    return key.owner


def _name_by_header(given: Mapping[str, str], application: Application) -> str:
    token = given.get(ProgramHeader.OPENWEBUI_TOKEN, "")
    if token and ProgramHeader.OPENWEBUI_TOKEN in application.headers:
        return verify_user_token(application, token)
    names = [one.value for one in _USER_HEADERS if one in application.headers]
    names += [application.user_header] if application.user_header else []
    return next((given[name] for name in names if _is_given(given.get(name))), "")


def _name_by_body(body: Mapping[str, Any]) -> str:
    metadata = body.get("metadata")
    fields = (
        body.get("safety_identifier"),
        body.get("user"),
        metadata.get("user_id") if isinstance(metadata, Mapping) else None,
    )
    return next((one.strip() for one in fields if isinstance(one, str) and _is_given(one.strip())), "")


def _find_thread(
    given: Mapping[str, str], body: Mapping[str, Any], application: Application | None
) -> ThreadReference | None:
    managed = _is_managed(given)
    named = given.get("memsite-thread", "")
    if _is_given(named):
        if len(named) > EXTERNAL_ID_CHARACTERS or not named.isprintable():
            raise InvalidInput(f"Memsite-Thread takes 1 to {EXTERNAL_ID_CHARACTERS} printable characters.")
        return ThreadReference(named, may_be_id=True, resends=False if managed else None)
    conversation = _find_conversation(body)
    if conversation:
        return ThreadReference(conversation, may_be_id=True, resends=False)
    enabled = THREAD_HEADERS if application is None else application.headers
    for name in THREAD_HEADERS:
        if name in enabled and _fits(given.get(name)):
            return ThreadReference(given[name], resends=True)
    metadata = body.get("metadata")
    fields = [metadata.get(field) for field in _THREAD_FIELDS] if isinstance(metadata, Mapping) else []
    for value in fields:
        if _fits(value):
            return ThreadReference(str(value), resends=False if managed else None)
    cache_key = body.get("prompt_cache_key")
    return ThreadReference(str(cache_key), resends=True) if _fits(cache_key) else None


def _is_managed(given: Mapping[str, str]) -> bool:
    return _read_choice(given, "memsite-context", ("managed", "client")) == "managed"


def _find_conversation(body: Mapping[str, Any]) -> str:
    conversation = body.get("conversation")
    if isinstance(conversation, Mapping):
        conversation = conversation.get("id")
    return str(conversation).removeprefix(_CONVERSATION) if _fits(conversation) else ""


def _find_memory_use(
    given: Mapping[str, str],
    body: Mapping[str, Any],
    key: ApiKey,
    owner: User,
    thread: ThreadReference | None,
) -> tuple[MemoryUse, str]:
    """Return what the request may do with memory, and why it is not all."""
    choice = _read_choice(given, "memsite-memory", tuple(MemoryUse))
    task = given.get("memsite-task", "")
    # A task is named for each request; `Memsite-Memory: on` is often set for all of them.
    reason = "header" if choice == MemoryUse.OFF else clean_reason(task) if _is_given(task) else ""
    reason = reason or _find_preference(owner)
    if not reason and thread is not None and thread.text.startswith(_TEMPORARY):
        reason = "temporary"  # the person chose so in the program
    recognises = key.application is None or key.application.finds_side_requests
    if not reason and choice != MemoryUse.ON and recognises:
        reason = find_side_request(body, task="")
    if reason:
        return MemoryUse.OFF, reason
    if choice == MemoryUse.READ:
        return MemoryUse.READ, "header"
    return (MemoryUse.ON, "") if Scope.WRITE in key.scopes else (MemoryUse.READ, "scope")


def _find_preference(owner: User) -> str:
    with acting_for(owner.pk):
        return "" if get_preferences(owner.pk).memory_on else "preference"


def _read_choice(given: Mapping[str, str], name: str, choices: tuple[str, ...]) -> str:
    value = given.get(name, "").lower()
    if value and value not in choices:
        raise InvalidInput(f"{name.title()} is one of {', '.join(choices)}.", {name: value[:40]})
    return value


def _read_id(given: Mapping[str, str], name: str) -> str:
    value = given.get(name, "")
    if not _is_given(value):
        return ""
    if len(value) > ID_CHARACTERS or not value.isprintable():
        raise InvalidInput(f"{name.title()} takes up to {ID_CHARACTERS} printable characters.")
    return value


def _is_given(value: str | None) -> bool:
    """Return whether a value is an id, and no placeholder that a program left as it was."""
    return value is not None and value not in _NOTHING and not value.startswith("{{")


def _fits(value: Any) -> bool:  # noqa: ANN401 - whatever a client sent
    """Return whether a value can be the name of a thread."""
    is_short = isinstance(value, str) and len(value) <= EXTERNAL_ID_CHARACTERS and value.isprintable()
    return is_short and _is_given(value)
