"""The form to sign in."""

from __future__ import annotations

from typing import Any

from allauth.account.forms import LoginForm
from django.utils.translation import gettext_lazy as _


class SignInForm(LoginForm):  # type: ignore[misc]  # allauth has no type information
    """allauth's form, whose first field says what it takes: allauth calls it "Login"."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field = self.fields["login"]
        field.label = _("Username or email")
        field.widget.attrs.pop("placeholder")
        field.widget.attrs["autocomplete"] = "username"
