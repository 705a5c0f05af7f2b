"""The user, their keys, end users, preferences, usage and jobs."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from memsite.results import EndUser, IssuedKey, Job, Key, Me, Page, Preferences, Usages
from memsite.wire import Call, Mode, Resource, call_as, call_for_page, operation, without_nones


class Account(Resource[Mode]):
    """For whom the requests act."""

    @operation
    def me(self) -> Call[Me]:
        """Return the user for whom the requests act."""
        return call_as(Me, "GET", "/api/me")

    @operation
    def preferences(self) -> Call[Preferences]:
        """Return what the person chose."""
        return call_as(Preferences, "GET", "/api/preferences")

    @operation
    def change_preferences(self, /, **changes: Any) -> Call[Preferences]:
        """Change `memory_on`, `auto_extract`, `citations_on`, `kept_kinds`, `refused_kinds` or `language`."""
        return call_as(Preferences, "PATCH", "/api/preferences", body=changes)

    @operation
    def usage(self, *, days: int | None = None) -> Call[Usages]:
        """Return tokens and cost by day and model."""
        return call_as(Usages, "GET", "/api/usage", params={"days": days})

    @operation
    def job(self, job_id: str) -> Call[Job]:
        """Return the state of a job."""
        return call_as(Job, "GET", f"/api/jobs/{job_id}")

    @operation
    def list_end_users(self, /, **query: Any) -> Call[Page[EndUser]]:
        """Return a page of end users; `query`: `application`, `external_id`."""
        return call_for_page(EndUser, "/api/end-users", query)

    @operation
    def delete_end_user(self, user_id: str) -> Call[EndUser]:
        """Delete an end user with all memories and threads, for good."""
        return call_as(EndUser, "DELETE", f"/api/end-users/{user_id}")


class Keys(Resource[Mode]):
    """Keys; all of these calls need the scope `admin`."""

    @operation
    def list(self) -> Call[Page[Key]]:
        """Return the caller's keys, without the keys themselves."""
        return call_for_page(Key, "/api/keys", {})

    @operation
    def issue(
        self,
        name: str,
        *,
        scopes: Sequence[str] | None = None,
        expires_at: datetime | None = None,
        application: str | None = None,
    ) -> Call[IssuedKey]:
        """Issue a key; only this result contains it."""
        body = without_nones(name=name, scopes=scopes, expires_at=expires_at, application=application)
        return call_as(IssuedKey, "POST", "/api/keys", body=body)

    @operation
    def revoke(self, key_id: str) -> Call[Key]:
        """Revoke a key, for good."""
        return call_as(Key, "DELETE", f"/api/keys/{key_id}")
