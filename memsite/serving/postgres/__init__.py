"""The database: the embedded PostgreSQL, its roles and versions, and the connections to it."""

from memsite.serving.postgres import database
from memsite.serving.postgres.backup import BackupFailed, restore_backup, write_backup
from memsite.serving.postgres.data_version import newer_migrations, why_newer
from memsite.serving.postgres.database import RECALL_THREADS, STATEMENT_SECONDS, WEB_THREADS, databases
from memsite.serving.postgres.postgres import SUPERUSER, EmbeddedDatabaseError, EmbeddedPostgres
from memsite.serving.postgres.provision import grant_access, install_pgvector, owner_policy, provision
from memsite.serving.postgres.roles import (
    NOBODY,
    Actor,
    Role,
    across_owners,
    act_as,
    act_for,
    acting_as,
    acting_for,
    actor,
    as_table_owner,
)
from memsite.serving.postgres.server_check import (
    UnreachableDatabase,
    UnusableDatabase,
    check,
    check_deployment,
)

__all__ = [
    "NOBODY",
    "RECALL_THREADS",
    "STATEMENT_SECONDS",
    "SUPERUSER",
    "WEB_THREADS",
    "Actor",
    "BackupFailed",
    "EmbeddedDatabaseError",
    "EmbeddedPostgres",
    "Role",
    "UnreachableDatabase",
    "UnusableDatabase",
    "across_owners",
    "act_as",
    "act_for",
    "acting_as",
    "acting_for",
    "actor",
    "as_table_owner",
    "check",
    "check_deployment",
    "database",
    "databases",
    "grant_access",
    "install_pgvector",
    "newer_migrations",
    "owner_policy",
    "provision",
    "restore_backup",
    "why_newer",
    "write_backup",
]
