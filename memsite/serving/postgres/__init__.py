"""The database: the embedded PostgreSQL, its roles and versions, and the connections to it."""
