"""`manage.py renormalise`: derive stored memories again by the current normalisation rules."""

from typing import Any

from django.core.management.base import BaseCommand, CommandParser
from tqdm import tqdm

from memories.maintenance import count_memories_left, list_owners_left, renormalise_memories
from memsite.serving.postgres import acting_for


class Command(BaseCommand):
    help = (
        "Derive fingerprints, index terms and graph of everybody's memories by the present rules, owner by "
        "owner, beside the running site. The worker does the same by itself; a run that was stopped goes on "
        "where it was, and owners that are done are left alone."
    )
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--progress", choices=("on", "off"), default="on")

    def handle(self, **options: Any) -> None:
        owners = list_owners_left()
        left = sum(acting_for(owner)(count_memories_left)(owner=owner) for owner in owners)
        with tqdm(total=left, unit="memory", file=self.stderr, disable=options["progress"] == "off") as bar:
            for owner in owners:
                with acting_for(owner):
                    for count in renormalise_memories(owner=owner):
                        bar.update(count)
        self.stdout.write(f"{left} memories of {len(owners)} owners read")
