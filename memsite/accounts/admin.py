"""Admin pages of people, keys, applications, invitations and the audit record."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar
from uuid import UUID

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount, SocialApp, SocialToken
from allauth.usersessions.models import UserSession
from django.conf import settings
from django.contrib import admin, messages
from django.contrib.auth.admin import GroupAdmin, UserAdmin
from django.contrib.auth.models import Group
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.db.models import Model, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from memsite.accounts.audited_admin import Audited, ReadOnly
from memsite.accounts.deletion import call_off_deletion
from memsite.accounts.keys import revoke_key
from memsite.accounts.models import ApiKey, Application, AuditEntry, DeletionRequest, Invitation, User
from memsite.accounts.signing import create_invitation, guard_admin
from memsite.jobs.admin import JobAdmin
from memsite.jobs.models import ENDED, Job
from memsite.web.requests import get_owner

admin.site.site_title = "Memsite"
admin.site.site_header = gettext_lazy("Memsite administration")
admin.site.index_title = gettext_lazy("What there is")
guard_admin(admin.site)

# Their own pages would show and change people's rows without an audit entry.
admin.site.unregister([EmailAddress, Authenticator, SocialAccount, SocialApp, SocialToken, UserSession])


_GIVES_ACCESS = ("email", "is_staff", "is_superuser", "groups", "user_permissions")

admin.site.unregister(Group)


@admin.register(Group)
class PermissionsAdmin(GroupAdmin):
    """Admin of groups, which hold permissions: only superusers change them."""

    def has_add_permission(self, request: HttpRequest) -> bool:
        return bool(request.user.is_superuser)

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:  # noqa: ARG002 - Django's signature
        return bool(request.user.is_superuser)

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:  # noqa: ARG002 - Django's signature
        return bool(request.user.is_superuser)


@admin.register(User)
class PersonAdmin(Audited, UserAdmin):  # type: ignore[type-arg]  # not generic at run time
    """Admin of people. Staff deactivate them and do not delete them: only they may delete their memories."""

    owner_field = "pk"
    list_display = ("username", "email", "application", "is_staff", "is_active", "last_login")
    list_filter = ("is_staff", "is_superuser", "is_active", ("application", admin.EmptyFieldListFilter))
    list_select_related = ("application",)
    readonly_fields = ("application", "external_id", "last_login", "date_joined")
    fieldsets = (
        *(UserAdmin.fieldsets or ()),
        (gettext_lazy("Application"), {"fields": ("application", "external_id")}),
    )

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        """Return whether the user may change this row: only superusers change superusers."""
        protected = isinstance(obj, User) and obj.is_superuser and not request.user.is_superuser
        return not protected and super().has_change_permission(request, obj)

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> tuple[Any, ...]:  # noqa: ANN401 - Django's signature
        """Let only superusers change permissions, and the addresses that receive password resets."""
        given = super().get_readonly_fields(request, obj)
        return tuple(given) if request.user.is_superuser else (*given, *_GIVES_ACCESS)

    def get_fieldsets(self, request: HttpRequest, obj: Any = None) -> Any:  # noqa: ANN401 - Django's signature
        """Hide the password, and the link to set it, from staff who may not set it."""
        given = super().get_fieldsets(request, obj)
        if obj is None or request.user.is_superuser:
            return given
        return [(None, {"fields": ("username",)}), *given[1:]]

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:  # noqa: ARG002 - Django's signature
        return False

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:  # noqa: ANN401, FBT001 - Django's signature
        super().save_model(request, obj, form, change)
        self.record(request, "change" if change else "add", [obj])

    def user_change_password(self, request: HttpRequest, id: str, form_url: str = "") -> HttpResponse:  # noqa: A002 - Django's signature
        if not request.user.is_superuser:
            raise PermissionDenied
        response = super().user_change_password(request, id, form_url)
        if request.method == "POST" and response.status_code == 302:  # noqa: PLR2004 - it was changed
            self.record(request, "set password", User.objects.filter(pk=id))
        return response


@admin.register(ApiKey)
class ApiKeyAdmin(ReadOnly):
    """Admin of API keys: staff look at them and revoke them."""

    list_display = (
        "name",
        "prefix",
        "owner",
        "application",
        "scopes",
        "last_used_at",
        "last_used_address",
        "expires_at",
        "revoked_at",
    )
    list_filter = ("created_at", "last_used_at", ("revoked_at", admin.EmptyFieldListFilter))
    list_select_related = ("owner", "application")
    search_fields = ("name", "prefix", "owner__username")
    exclude = ("digest",)
    readonly_fields = ("prefix", "last_used_at", "last_used_address", "revoked_at", "created_at")
    actions = ("revoke",)

    @admin.action(description=gettext_lazy("Revoke"), permissions=["curate"])
    def revoke(self, request: HttpRequest, queryset: QuerySet[ApiKey]) -> None:
        def act(owner: UUID, ids: Sequence[UUID]) -> list[ApiKey]:
            person = User.objects.get(pk=owner)
            return [revoke_key(str(one), owner=person) for one in ids]

        self.each_owner(request, queryset, "revoke", act)


@admin.register(Application)
class ApplicationAdmin(ReadOnly):
    """Read-only admin of applications."""

    list_display = ("name", "owner", "created_at")
    list_select_related = ("owner",)
    search_fields = ("name", "owner__username")
    readonly_fields = ("created_at",)


@admin.register(AuditEntry)
class AuditEntryAdmin(ReadOnly):
    """Read-only admin of the audit record."""

    list_display = ("created_at", "actor", "act", "subject", "owner")
    list_filter = ("act", "subject", "created_at")
    list_select_related = ("owner",)
    search_fields = ("actor", "owner__username")
    readonly_fields = ("created_at",)


@admin.register(DeletionRequest)
class DeletionRequestAdmin(ReadOnly):
    """Admin of requested deletions: staff look at them, and call one off for a person who asks for it."""

    list_display = ("owner", "scope", "requested_at", "due_at", "begun_at", "called_off_at", "finished_at")
    list_filter = ("scope", "requested_at", ("finished_at", admin.EmptyFieldListFilter))
    list_select_related = ("owner",)
    search_fields = ("owner__username",)
    actions = ("call_off",)

    @admin.action(description=gettext_lazy("Call off"), permissions=["curate"])
    def call_off(self, request: HttpRequest, queryset: QuerySet[DeletionRequest]) -> None:
        def act(owner: UUID, _ids: Sequence[UUID]) -> DeletionRequest:
            return call_off_deletion(owner=owner)

        self.each_owner(request, queryset, "call off", act)


admin.site.unregister(Job)


@admin.register(Job)
class AuditedJobAdmin(Audited, JobAdmin):
    """Admin of jobs that records looks and runs, because jobs name their owners.

    It is here because `memsite.jobs` does not know the audit record.
    """

    @admin.action(description=gettext_lazy("Run again"), permissions=["run"])
    def queue_again(self, request: HttpRequest, jobs: QuerySet[Job]) -> None:
        with transaction.atomic():
            ended = list(jobs.filter(status__in=ENDED))
            super().queue_again(request, jobs)
            self.record(request, "run again", ended)


@admin.register(Invitation)
class InvitationAdmin(admin.ModelAdmin):  # type: ignore[type-arg]  # not generic at run time
    """Admin of one-time links to sign up. The link is shown once, when it is created."""

    list_display = ("created_at", "created_by", "makes_staff", "expires_at", "used_at")
    list_select_related = ("created_by",)
    exclude = ("digest",)
    ordering: ClassVar = ("-id",)

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:  # noqa: ARG002 - Django's signature
        return False

    def add_view(self, request: HttpRequest, *_args: object, **_kwargs: object) -> HttpResponse:
        if not self.has_add_permission(request):
            return redirect("admin:index")
        if request.method != "POST":
            return render(request, "admin/invite.html", admin.site.each_context(request))
        makes_staff = request.user.is_superuser and "makes_staff" in request.POST
        code = create_invitation(User.objects.get(pk=get_owner(request)), makes_staff=makes_staff)
        link = f"{settings.MEMSITE_BASE_URL}{reverse('account_signup')}?invitation={code}"
        messages.success(
            request, _("Send this link; it works once, for seven days: %(link)s") % {"link": link}
        )
        return redirect("admin:accounts_invitation_changelist")
