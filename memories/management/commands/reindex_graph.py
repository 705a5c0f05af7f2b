"""`manage.py reindex_graph`: derive entities, relations and mentions from the memories again."""

from typing import Any

from django.core.management.base import BaseCommand, CommandParser
from tqdm import tqdm

from memories.storage import count_memories_left, list_owners_with_memories, rebuild_graph
from memsite.serving.postgres import acting_for


class Command(BaseCommand):
    help = (
        "Derive the graph of everybody's memories anew, owner by owner, beside the running site. A run that "
        "was stopped goes on where it was; owners that are done are left alone, unless --again."
    )
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--again", action="store_true", help="also owners whose graph is up to date")
        parser.add_argument("--progress", choices=("on", "off"), default="on")

    def handle(self, **options: Any) -> None:
        owners, again = list_owners_with_memories(), options["again"]
        left = sum(acting_for(owner)(count_memories_left)(owner=owner, again=again) for owner in owners)
        with tqdm(total=left, unit="memory", file=self.stderr, disable=options["progress"] == "off") as bar:
            for owner in owners:
                with acting_for(owner):
                    for count in rebuild_graph(owner=owner, again=again):
                        bar.update(count)
        self.stdout.write(f"{left} memories of {len(owners)} owners read")
