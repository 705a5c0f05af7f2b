"""People and what belongs to them: keys, applications, preferences, invitations, the audit record."""
