"""Run the site: the supervisor, the embedded PostgreSQL, and the processes that serve it."""
