"""The database: the embedded PostgreSQL, its roles and versions, and the connections to it."""

from memsite.serving.postgres import database
from memsite.serving.postgres.data_version import newer_migrations, why_newer
from memsite.serving.postgres.database import RECALL_THREADS, STATEMENT_SECONDS, WEB_THREADS, databases
from memsite.serving.postgres.postgres import SUPERUSER, EmbeddedDatabaseError, EmbeddedPostgres
from memsite.serving.postgres.provision import provision
from memsite.serving.postgres.server_check import UnreachableDatabase, UnusableDatabase, check

__all__ = [
    "RECALL_THREADS",
    "STATEMENT_SECONDS",
    "SUPERUSER",
    "WEB_THREADS",
    "EmbeddedDatabaseError",
    "EmbeddedPostgres",
    "UnreachableDatabase",
    "UnusableDatabase",
    "check",
    "database",
    "databases",
    "newer_migrations",
    "provision",
    "why_newer",
]
