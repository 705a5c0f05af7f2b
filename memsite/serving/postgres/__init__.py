"""The database: the embedded PostgreSQL, its roles and versions, and the connections to it."""

from memsite.serving.postgres import database
from memsite.serving.postgres.backup import BackupFailed, restore_backup, write_backup
from memsite.serving.postgres.database import (
    RECALL_THREADS,
    STATEMENT_SECONDS,
    WEB_THREADS,
    build_databases,
    is_disk_full,
)
from memsite.serving.postgres.last_writes import call_after_commit, write_last
from memsite.serving.postgres.patience import is_server_silent
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
from memsite.serving.postgres.schema import SCHEMA, make_tables
from memsite.serving.postgres.server_check import (
    UnreachableDatabase,
    UnusableDatabase,
    check_deployment,
    check_server,
    explain_newer,
    list_newer_migrations,
)

__all__ = [
    "NOBODY",
    "RECALL_THREADS",
    "SCHEMA",
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
    "build_databases",
    "call_after_commit",
    "check_deployment",
    "check_server",
    "database",
    "explain_newer",
    "grant_access",
    "install_pgvector",
    "is_disk_full",
    "is_server_silent",
    "list_newer_migrations",
    "make_tables",
    "owner_policy",
    "provision",
    "restore_backup",
    "write_backup",
    "write_last",
]
