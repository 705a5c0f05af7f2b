"""Sign-up, invitations, user names and second factors."""
