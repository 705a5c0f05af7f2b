"""Signing up, when somebody else takes the name or the address in the same moment."""

from __future__ import annotations

from typing import Any

from allauth.account.views import SignupView
from django.http import HttpResponse
from django.utils.translation import gettext as _

from memsite.accounts.adapter import Taken


class SignUpView(SignupView):  # type: ignore[misc]  # allauth has no type information
    def form_valid(self, form: Any) -> HttpResponse:  # noqa: ANN401 - allauth's signature
        """The form again, with what is wrong now, when the database refused what the form had found free."""
        try:
            response: HttpResponse = super().form_valid(form)
        except Taken as taken:
            form.full_clean()
            if not form.errors:
                form.add_error(None, _(taken.message))
            response = self.form_invalid(form)
        return response


sign_up = SignUpView.as_view()
