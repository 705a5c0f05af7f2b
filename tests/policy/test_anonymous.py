"""Every route requires a signed-in caller, except those listed here."""

from __future__ import annotations

import uuid

import pytest
from django.test import Client

from tests.policy.routes import Route, all_routes

#: Open to anyone, each with its reason.
PUBLIC = {
    "home": "says what the site is; shows nothing of anybody",
    "guide": "says what is kept and how to stop it",
    "theme": "a colour scheme, kept in the visitor's own browser",
    "set_language": "a language, kept in the visitor's own browser",
    "healthz": "for supervisors: alive",
    "readyz": "for supervisors: able to work",
    "api_schema": "the API's description, the same for everyone",
    "api_docs": "the same, as a page",
    "account_login": "how one comes in",
    "account_signup": "how one comes in; closed or by invitation as set",
    "account_logout": "signs out whoever is in; does nothing for others",
    "account_inactive": "tells that an account is switched off",
    "account_email_verification_sent": "tells to look into the mailbox",
    "account_confirm_email": "the link carries its own proof",
    "account_reset_password": "for who cannot sign in",
    "account_reset_password_done": "for who cannot sign in",
    "account_reset_password_from_key": "the link carries its own proof",
    "account_reset_password_from_key_done": "for who cannot sign in",
    "mfa_authenticate": "the second step of signing in",
    "socialaccount_login_cancelled": "the way back from single sign-on",
    "socialaccount_login_error": "the way back from single sign-on",
    "socialaccount_signup": "the way back from single sign-on",
    "openid_connect_login": "the way to single sign-on",
    "openid_connect_callback": "the way back from single sign-on",
    "account_confirm_login_code": "how one comes in",
    "login": "the admin's own way in",
    "logout": "signs out whoever is in; does nothing for others",
    "oauth_resource": "where programs find the authorization server",
    "oauth_resource_mcp": "the same",
    "oauth_server": "what the authorization server offers, the same for everyone",
    "oauth_server_mcp": "the same",
    "oauth_openid": "the same",
    "oauth_openid_mcp": "the same",
    "oauth_register": "how a program introduces itself; gives no access",
    "oauth_token": "a code or a refresh token is the proof",
    "oauth_revoke": "the token is the proof",
    "jsi18n": "the admin's translations",
}
PROTECTED = [route for route in all_routes() if route.name not in PUBLIC]


@pytest.mark.parametrize("route", PROTECTED, ids=str)
@pytest.mark.django_db
def test_route_turns_the_unknown_away(route: Route) -> None:
    url = route.url(dict.fromkeys(route.parameters, str(uuid.uuid4())))
    for method in route.methods:
        response = getattr(Client(), method)(url)
        # 301: allauth's former URLs, which only redirect to the present ones.
        refused = response.status_code in {301, 401, 403, 404, 405}
        to_sign_in = response.status_code == 302 and "/login" in response["Location"]
        assert refused or to_sign_in, (method, url, response.status_code)


def test_list_of_open_routes_names_only_routes_that_exist() -> None:
    assert set(PUBLIC) <= {route.name for route in all_routes()}


@pytest.mark.parametrize("route", [r for r in all_routes() if r.path.startswith("api/")], ids=str)
@pytest.mark.django_db
def test_api_answers_the_unknown_in_the_one_shape(route: Route) -> None:
    if route.name in PUBLIC:
        return
    url = route.url(dict.fromkeys(route.parameters, str(uuid.uuid4())))
    response = Client().generic(route.methods[0].upper(), url)
    assert response.status_code == 401
    assert set(response.json()) == {"code", "message", "detail"}
