"""Delete a person with all their data, permanently."""

from __future__ import annotations

from uuid import UUID

from django.db import transaction

from memsite import jobs
from memsite.accounts.applications import list_end_users
from memsite.accounts.models import Application, User
from memsite.errors import Conflict, NotFound
from memsite.serving.postgres import acting_for


def delete_end_user(user_id: UUID | None, *, owner: User, application: Application | None = None) -> User:
    """Delete an end user of one of the owner's applications, with all memories, threads and jobs.

    Args:
        user_id: The end user; None matches nobody.
        owner: The owner of the application.
        application: The only application to search; None for all of the owner's.

    Returns:
        The row as it was.

    Raises:
        NotFound: If it is not an end user of these applications.
    """
    with transaction.atomic():
        rows = list_end_users(owner, application=application).select_for_update(of=("self",))
        found = rows.filter(pk=user_id).first() if user_id else None
        if found is None:
            raise NotFound("There is no such end user.")
        delete_locked(found)
    found.pk = user_id
    return found


def delete_person(person: User) -> None:
    """Delete a person and the end users of their applications, with all their data.

    Raises:
        Conflict: For the only administrator, because nobody could administer the site.
        NotFound: If the person was deleted meanwhile.
    """
    with transaction.atomic():
        check_other_administrator(person)
        for end_user in _lock_with_end_users(person):
            delete_locked(end_user)
        delete_locked(person)


@transaction.atomic
def check_other_administrator(person: User) -> None:
    """Lock the administrators until the transaction ends, and check that there is one besides this person.

    Raises:
        Conflict: If the person is the only one.
    """
    if not person.is_superuser:
        return
    others = User.objects.select_for_update().filter(is_superuser=True, is_active=True).exclude(pk=person.pk)
    if not others:
        raise Conflict("You are the only administrator. Make another one first.")


def _lock_with_end_users(person: User) -> list[User]:
    """Lock a person, their applications and the end users, in this order. Return the end users.

    A request that adds an application or an end user meanwhile waits, and then finds nothing to add it to.
    """
    if User.objects.select_for_update().filter(pk=person.pk).first() is None:
        raise NotFound("This account has been deleted.")
    applications = list(Application.objects.select_for_update().filter(owner=person).order_by("pk"))
    return list(User.objects.select_for_update().filter(application__in=applications).order_by("pk"))


def delete_locked(user: User) -> None:
    """Delete a user whose row is locked.

    A request that writes a row for this person meanwhile waits, and then finds no such person.
    """
    jobs.delete_jobs_of(user.pk)
    with acting_for(user.pk):
        user.delete()
