"""Measure the nightly maintenance: a million memories of several owners, none judged before.

    .venv/bin/python -m bench.forgetting                    # 1,000,000 memories of 20 owners
    .venv/bin/python -m bench.forgetting --memories 100000

Uses a PostgreSQL of its own in a temporary folder, which is removed afterwards. Rows are as large as usual
ones, aged evenly from 0 to 400 days: the first night changes half of them, later nights what one day brings.
The yardstick is one scan of the whole table.
"""

from __future__ import annotations

import os
import shutil
import tempfile
import time
from argparse import ArgumentParser
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, Final

from memsite.serving.postgres.database import ROLE, get_embedded_parameters
from memsite.serving.postgres.postgres import EmbeddedPostgres
from memsite.serving.postgres.provision import provision
from memsite.serving.postgres.roles import Actor, Role, act_as
from memsite.serving.processes.child import Child
from memsite.serving.supervision.starting import wait_for_embedded

_ROWS: Final = """
INSERT INTO memories_memory (
    id, owner_id, layer, kind, category, content, tags, participants, subject, predicate, object,
    single_valued, speaker, session, turn, importance, base_importance, confidence, lifespan, status, pinned,
    sensitive, abstraction_level, occurrence_count, access_count, last_accessed_at, valid_until,
    forgotten_by, written_by, metadata, created_at, updated_at, fingerprint, terms, content_words, cues,
    entity_terms, index_version, slot, wording)
SELECT
    encode(overlay(uuid_send(gen_random_uuid()) placing
        substring(int8send((extract(epoch FROM c.at) * 1000)::bigint) from 3) from 1 for 6), 'hex')::uuid,
    %(owner)s::uuid, l.layer, l.kind, '',
    'Note ' || n || ' of a usual length: ' || repeat('word ', 14), '{}', '{}', '', '', '', false,
    '', 'default', n, l.importance, l.importance, 0.9, l.lifespan, 'active', random() < 0.01, false,
    '', 1, (CASE WHEN random() < 0.6 THEN 0 ELSE random() * 5 END)::int, NULL,
    CASE WHEN random() < 0.01 THEN %(now)s - random() * interval '9 days' END, '', 'program',
    '{}', c.at, c.at, uuid_send(gen_random_uuid()), repeat('abcd', 20)::bytea, 18, 0, '', 1, '',
    uuid_send(gen_random_uuid())
FROM generate_series(1, %(each)s) AS n
CROSS JOIN LATERAL (SELECT %(now)s - (1 - n::float8 / %(each)s) * interval '400 days' AS at) AS c
JOIN (VALUES
    (0, 'episodic', 'conversation', 0.5, 'long'), (1, 'semantic', 'fact', 0.8, 'long'),
    (2, 'semantic', 'preference', 0.9, 'core'), (3, 'semantic', 'fact', 0.8, 'long'),
    (4, 'semantic', 'lesson', 0.85, 'core'), (5, 'semantic', 'fact', 0.8, 'working'),
    (6, 'episodic', 'conversation', 0.5, 'long'), (7, 'semantic', 'skill', 0.8, 'core'),
    (8, 'semantic', 'project', 0.8, 'long'), (9, 'semantic', 'context', 0.4, 'temporary')
) AS l (number, layer, kind, importance, lifespan) ON l.number = n %% 10
"""


@contextmanager
def own_database() -> Iterator[None]:
    """Start a database with the site's tables, which Django uses from now on; remove it at the end."""
    folder = Path(tempfile.mkdtemp(prefix="memsite-bench-"))
    server = EmbeddedPostgres(folder)
    server.make()
    child = Child(server.program())
    child.start()
    try:
        wait_for_embedded(server, child)
        provision(folder)
        parameters = get_embedded_parameters(folder)
        address = f"postgresql://{ROLE}@/{parameters['dbname']}?host={parameters['host']}"
        os.environ |= {"DATABASE_URL": address, "MEMSITE_DATA_DIR": str(folder / "site")}
        os.environ |= {"DJANGO_SETTINGS_MODULE": "memsite.settings", "MEMSITE_LOG_LEVEL": "warning"}
        _prepare_django()
        yield
    finally:
        child.stop()
        shutil.rmtree(folder, ignore_errors=True)


def _prepare_django() -> None:
    import django  # noqa: PLC0415 - the settings read the environment when they are loaded
    from django.core.management import call_command  # noqa: PLC0415 - as above

    django.setup()
    call_command("migrate", verbosity=0)
    act_as(Actor(role=Role.TABLE_OWNER))  # whom no policy binds


def fill(memories: int, owners: int, now: datetime) -> None:
    """Write so many memories, spread evenly over so many owners."""
    from django.db import connection  # noqa: PLC0415 - as above

    from memories.storage.events import lock_ledger  # noqa: PLC0415 - as above
    from memsite.accounts.models import User  # noqa: PLC0415 - as above

    for number in range(owners):
        owner = User.objects.create(username=f"bench-{number}")
        with connection.cursor() as cursor:
            cursor.execute(_ROWS, {"now": now, "each": memories // owners, "owner": owner.pk})
        lock_ledger(owner=owner.pk)
    with connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE memories_memory")


def measure(what: str, act: Callable[[], Any]) -> None:
    """Print how long an action took and what it returned."""
    start = time.perf_counter()
    result = act()
    print(f"{what:34} {time.perf_counter() - start:7.1f} s   {result}", flush=True)


def _read_all() -> int:
    from django.db import connection  # noqa: PLC0415 - as above

    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM memories_memory WHERE length(content) > 0")
        return int(cursor.fetchone()[0])


def main() -> None:
    parser = ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--memories", type=int, default=1_000_000)
    parser.add_argument("--owners", type=int, default=20)
    wanted = parser.parse_args()
    with own_database():
        from django.utils import timezone  # noqa: PLC0415 - as above

        from memories.maintenance.forgetting import nightly  # noqa: PLC0415 - as above

        now = timezone.now()
        measure("filling", lambda: fill(wanted.memories, wanted.owners, now))
        measure("reading all of it (yardstick)", _read_all)
        measure("first night, with the cap", lambda: nightly.run_nightly(now))
        measure("the same night once more", lambda: nightly.run_nightly(now))
        measure("the next night", lambda: nightly.run_nightly(now + timedelta(days=1)))


if __name__ == "__main__":
    main()
