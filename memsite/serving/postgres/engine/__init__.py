"""Django's PostgreSQL engine. It sets the owner for whom the code acts, and limits waiting for the server."""
