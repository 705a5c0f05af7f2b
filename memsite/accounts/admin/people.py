"""Admin pages of people and groups. Staff change neither permissions nor addresses; superusers do."""

from __future__ import annotations

from typing import Any

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount, SocialApp, SocialToken
from allauth.usersessions.models import UserSession
from django.contrib import admin
from django.contrib.auth.admin import GroupAdmin, UserAdmin
from django.contrib.auth.models import Group
from django.core.exceptions import PermissionDenied
from django.db.models import Model
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext_lazy
from oauth2_provider.models import AccessToken, Grant, IDToken, RefreshToken
from oauth2_provider.models import Application as Client

from memsite.accounts.audited_admin import Audited
from memsite.accounts.models import User

# Their own pages would show and change people's rows without an audit entry.
admin.site.unregister([EmailAddress, Authenticator, SocialAccount, SocialApp, SocialToken, UserSession])
admin.site.unregister([Client, AccessToken, RefreshToken, Grant, IDToken])


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
