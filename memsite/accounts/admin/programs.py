"""Admin pages of API keys, applications and invitations. No page shows a key or a link a second time."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar, Final
from uuid import UUID

from django.conf import settings
from django.contrib import admin, messages
from django.db.models import Count, Model, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from memsite.accounts.audited_admin import OwnerFilter, ReadOnly
from memsite.accounts.keys import revoke_key
from memsite.accounts.models import ApiKey, Application, Invitation, User
from memsite.accounts.signing import create_invitation
from memsite.web.requests import get_owner

#: The states of a key or an invitation that staff filter by: value → label and rows at this moment.
_KEY_STATES: Final[Mapping[str, tuple[Promise, Callable[[], Q]]]] = {
    "usable": (
        gettext_lazy("Usable"),
        lambda: Q(revoked_at=None) & (Q(expires_at=None) | Q(expires_at__gt=timezone.now())),
    ),
    "revoked": (gettext_lazy("Revoked"), lambda: Q(revoked_at__isnull=False)),
    "expired": (gettext_lazy("Expired"), lambda: Q(revoked_at=None, expires_at__lte=timezone.now())),
}
_INVITATION_STATES: Final[Mapping[str, tuple[Promise, Callable[[], Q]]]] = {
    "usable": (gettext_lazy("Usable"), lambda: Q(used_at=None, expires_at__gt=timezone.now())),
    "used": (gettext_lazy("Used"), lambda: Q(used_at__isnull=False)),
    "expired": (gettext_lazy("Expired"), lambda: Q(used_at=None, expires_at__lte=timezone.now())),
}


class StateFilter(admin.SimpleListFilter):
    """Filter by a state that follows from several columns."""

    title = gettext_lazy("state")
    parameter_name = "state"
    states: ClassVar[Mapping[str, tuple[Promise, Callable[[], Q]]]]

    def lookups(self, request: HttpRequest, model_admin: admin.ModelAdmin[Any]) -> list[tuple[str, Promise]]:  # type: ignore[override]  # noqa: ARG002 - Django's signature; labels are lazy
        return [(value, label) for value, (label, _rows) in self.states.items()]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:  # noqa: ARG002 - Django's signature
        chosen = self.states.get(self.value() or "")
        return queryset.filter(chosen[1]()) if chosen else queryset


class KeyStateFilter(StateFilter):
    states = _KEY_STATES


class InvitationStateFilter(StateFilter):
    states = _INVITATION_STATES


@admin.register(ApiKey)
class ApiKeyAdmin(ReadOnly):
    """Admin of API keys: staff look at them and revoke them."""

    list_display = (
        "name",
        "beginning",
        "owner",
        "application",
        "scope_list",
        "last_used_at",
        "last_used_address",
        "state",
    )
    list_filter = (OwnerFilter, KeyStateFilter, ("last_used_at", admin.DateFieldListFilter))
    list_select_related = ("owner", "application")
    search_fields = ("name", "prefix", "owner__username")
    search_help_text = gettext_lazy("The key's name or beginning, or its owner's name")
    sortable_by = ()
    actions = ("revoke",)
    fields = (
        *("name", "beginning", "owner", "application", "scope_list", "state", "created_at", "expires_at"),
        *("last_used_at", "last_used_address", "revoked_at"),
    )

    @admin.display(description=gettext_lazy("begins with"))
    def beginning(self, key: ApiKey) -> SafeString:
        """Return the beginning of the key, by which its owner knows it."""
        return format_html("<code>msk_{}…</code>", key.prefix)

    @admin.display(description=gettext_lazy("scopes"))
    def scope_list(self, key: ApiKey) -> str:
        """Return what the key may do."""
        return ", ".join(key.scopes)

    @admin.display(description=gettext_lazy("state"))
    def state(self, key: ApiKey) -> SafeString:
        """Return whether the key is usable."""
        expired = key.expires_at is not None and key.expires_at <= timezone.now()
        name = "revoked" if key.revoked_at is not None else "expired" if expired else "usable"
        return _show_state(_KEY_STATES, name)

    @admin.action(description=gettext_lazy("Revoke for good"), permissions=["curate"])
    def revoke(self, request: HttpRequest, queryset: QuerySet[ApiKey]) -> None:
        def act(owner: UUID, ids: Sequence[UUID]) -> list[ApiKey]:
            person = User.objects.get(pk=owner)
            return [revoke_key(str(one), owner=person) for one in ids]

        self.each_owner(request, queryset, "revoke", act)


@admin.register(Application)
class ApplicationAdmin(ReadOnly):
    """Read-only admin of applications."""

    list_display = ("name", "owner", "end_users", "usable_keys", "created_at")
    list_filter = (OwnerFilter,)
    list_select_related = ("owner",)
    search_fields = ("name", "owner__username")
    search_help_text = gettext_lazy("The application's name, or its owner's")
    sortable_by = ()
    fields = ("name", "owner", "end_users", "usable_keys", "created_at")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Application]:
        """Add the numbers of end users and of usable keys, in the same statement."""
        rows: QuerySet[Application] = super().get_queryset(request)
        people = User.objects.filter(application=OuterRef("pk"))
        keys = ApiKey.objects.filter(
            _KEY_STATES["usable"][1](), owner=OuterRef("owner"), application=OuterRef("pk")
        )
        return rows.annotate(end_user_count=_count(people), key_count=_count(keys))

    @admin.display(description=gettext_lazy("end users"))
    def end_users(self, application: Any) -> int:  # noqa: ANN401 - an application with the counts of get_queryset
        """Return how many end users it has."""
        return int(application.end_user_count)

    @admin.display(description=gettext_lazy("usable keys"))
    def usable_keys(self, application: Any) -> int:  # noqa: ANN401 - as above
        """Return how many of its keys are usable."""
        return int(application.key_count)


@admin.register(Invitation)
class InvitationAdmin(admin.ModelAdmin):  # type: ignore[type-arg]  # not generic at run time
    """Admin of one-time links to sign up. The link is shown once, when it is created."""

    list_display = ("created_at", "created_by", "makes_staff", "state", "expires_at", "used_at")
    list_filter = (InvitationStateFilter,)
    list_select_related = ("created_by",)
    sortable_by = ()
    show_full_result_count = False
    fields = ("created_at", "created_by", "makes_staff", "state", "expires_at", "used_at")
    ordering: ClassVar = ["-id"]

    @admin.display(description=gettext_lazy("state"))
    def state(self, invitation: Invitation) -> SafeString:
        """Return whether the invitation is usable."""
        expired = invitation.expires_at <= timezone.now()
        name = "used" if invitation.used_at is not None else "expired" if expired else "usable"
        return _show_state(_INVITATION_STATES, name)

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:  # noqa: ARG002 - Django's signature
        return False

    def add_view(self, request: HttpRequest, *_args: object, **_kwargs: object) -> HttpResponse:
        if not self.has_add_permission(request):
            return redirect("admin:index")
        if request.method != "POST":
            facts = {"title": _("Invite somebody"), "opts": self.opts}
            return render(request, "admin/invite.html", admin.site.each_context(request) | facts)
        makes_staff = request.user.is_superuser and "makes_staff" in request.POST
        code = create_invitation(User.objects.get(pk=get_owner(request)), makes_staff=makes_staff)
        link = f"{settings.MEMSITE_BASE_URL}{reverse('account_signup')}?invitation={code}"
        messages.success(
            request, _("Send this link; it works once, for seven days: %(link)s") % {"link": link}
        )
        return redirect("admin:accounts_invitation_changelist")


def _show_state(states: Mapping[str, tuple[Promise, Callable[[], Q]]], name: str) -> SafeString:
    return format_html('<span class="state is-{}">{}</span>', name, states[name][0])


def _count(rows: QuerySet[Any]) -> Coalesce:
    """Return the number of rows of a subquery, 0 for none."""
    counted = rows.order_by().values("application").annotate(count=Count("pk")).values("count")
    return Coalesce(Subquery(counted), 0)
