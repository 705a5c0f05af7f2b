"""Page to sign up, openly or by invitation.

It also handles an invitation that is no longer valid, and a name that somebody else takes meanwhile.
"""

from __future__ import annotations

from typing import Any

from allauth.account.views import SignupView
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _

from memsite.accounts.signing import VOID_INVITATION, NameTaken, drop_void_invitation, get_invitation
from memsite.web.requests import notify


class SignUpView(SignupView):  # type: ignore[misc]  # allauth has no type information
    # allauth's sign-up page with invitations.
    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """Show a notice if the visitor's invitation cannot be used."""
        if request.user.is_authenticated and "invitation" in request.GET:
            notice = _("You are signed in as %(name)s. Sign out, then open the invitation again.")
            notify(request, notice % {"name": request.user.get_username()}, level=messages.WARNING)
        elif drop_void_invitation(request):
            notify(request, _(VOID_INVITATION), level=messages.WARNING)
            self.invitation_is_void = True
        response: HttpResponse = super().dispatch(request, *args, **kwargs)
        return response

    invitation_is_void = False

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        return {**super().get_context_data(**kwargs), "invitation": get_invitation(self.request)}

    def form_valid(self, form: Any) -> HttpResponse:  # noqa: ANN401 - allauth's signature
        """Sign up, or show the form again if the invitation became void or the name or address was taken
        meanwhile.
        """
        response: HttpResponse
        if self.invitation_is_void:
            form.add_error(None, _("Send the form again for an account without the invitation."))
            response = self.form_invalid(form)
            return response
        try:
            response = super().form_valid(form)
        except NameTaken as taken:
            form.full_clean()
            if not form.errors:
                form.add_error(None, _(taken.message))
            response = self.form_invalid(form)
        return response


sign_up = SignUpView.as_view()
