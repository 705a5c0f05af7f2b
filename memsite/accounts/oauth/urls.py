"""URLs of the authorization server. Clients that know the resource alone ask at those with `/mcp`."""

from django.urls import path

from memsite.accounts.oauth import views

urlpatterns = [
    path(".well-known/oauth-protected-resource", views.resource_metadata, name="oauth_resource"),
    path(".well-known/oauth-protected-resource/mcp", views.resource_metadata, name="oauth_resource_mcp"),
    path(".well-known/oauth-authorization-server", views.server_metadata, name="oauth_server"),
    path(".well-known/oauth-authorization-server/mcp", views.server_metadata, name="oauth_server_mcp"),
    path(".well-known/openid-configuration", views.server_metadata, name="oauth_openid"),
    path(".well-known/openid-configuration/mcp", views.server_metadata, name="oauth_openid_mcp"),
    path("oauth/authorize", views.authorize, name="oauth_authorize"),
    path("oauth/token", views.token, name="oauth_token"),
    path("oauth/register", views.register, name="oauth_register"),
    path("oauth/revoke", views.revoke, name="oauth_revoke"),
]
