"""`manage.py reembed`: change the embedding model without downtime."""

from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from tqdm import tqdm

from memories.maintenance import Pace, change_embedding_model, embedding_switch, get_former_embedder
from memsite.errors import MemsiteError
from memsite.llm.embedding import (
    Embedder,
    get_embedder,
    get_profiles_file,
    is_code_model,
    profiling,
    resolve_model_name,
    save_profile,
)


class Command(BaseCommand):
    help = (
        "Change the embedding model beside the running site: vectors of the new one are filled in beside the "
        "old, which answer until all are there. A run that was stopped or killed goes on where it was."
    )
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        what = parser.add_mutually_exclusive_group(required=True)
        what.add_argument("--to", metavar="MODEL", help="local, openai, openai:MODEL, or a model's name")
        what.add_argument("--rollback", action="store_true", help="go back to the former model")
        what.add_argument("--drop-old", action="store_true", help="delete the vectors of models not in use")
        what.add_argument("--cancel", action="store_true", help="give up a change that has not switched")
        what.add_argument("--status", action="store_true", help="show the state of the change")
        parser.add_argument(
            "--rate", type=float, default=500.0, help="memories a second at most; 0: no limit"
        )
        parser.add_argument("--batch", type=int, default=256, help="memories a request (1 to 500)")
        parser.add_argument(
            "--profile", action="store_true", help="first measure what the new model's similarities mean"
        )
        parser.add_argument(
            "--skip-refused", action="store_true", help="switch although the model refused some memories"
        )
        parser.add_argument("--progress", choices=("on", "off"), default="on")

    def handle(self, **options: Any) -> None:
        try:
            self._do(options)
        except MemsiteError as error:
            raise CommandError(error.message) from error

    def _do(self, options: dict[str, Any]) -> None:
        if options["status"]:
            self._tell(embedding_switch.get_switch_state())
        elif options["drop_old"]:
            self.stdout.write(f"{embedding_switch.drop_old_vectors()} vectors deleted")
        elif options["cancel"]:
            given_up = embedding_switch.abandon_switch()
            self.stdout.write(f"the change to {given_up} was given up" if given_up else "there is no change")
        else:
            target = (
                get_former_embedder()
                if options["rollback"]
                else get_embedder(resolve_model_name(options["to"]))
            )
            self._change(target, options)

    def _change(self, target: Embedder, options: dict[str, Any]) -> None:
        if options["profile"]:
            target = self._measured(target)
        if not options["rollback"]:
            self._check_profile(target)
        pace = Pace(batch=min(max(options["batch"], 1), 500), rate=max(options["rate"], 0.0))
        left = embedding_switch.count_missing_vectors(target.model)
        with tqdm(total=left, unit="memory", file=self.stderr, disable=options["progress"] == "off") as bar:
            changed = change_embedding_model(
                target, pace=pace, progress=bar.update, skip_refused=options["skip_refused"]
            )
        self.stdout.write(f"{changed.embedded} memories embedded, {changed.refused} refused")
        how = "is now in use" if changed.switched else "was in use already"
        self.stdout.write(self.style.SUCCESS(f"{changed.model} {how}"))
        if embedding_switch.get_switch_state().wanted != changed.model:
            self.stdout.write(
                "set MEMSITE_EMBEDDING and MEMSITE_EMBEDDING_MODEL to it; until then the site warns"
            )

    def _measured(self, target: Embedder) -> Embedder:
        pairs = profiling.read_pairs(Path(settings.BASE_DIR) / "bench" / "profile" / "pairs.jsonl")
        fitted = profiling.fit_profile(pairs, profiling.compute_cosines(target, pairs))
        save_profile(get_profiles_file(), target.model, fitted.profile)
        self.stdout.write(f"similarity scale of {target.model} measured on {len(pairs)} pairs")
        return get_embedder(target.model)

    def _check_profile(self, target: Embedder) -> None:
        if target.profile.origin == "unknown":
            raise CommandError(
                f"the similarities of {target.model} were never measured, so thresholds would be wrong:"
                " run this again with --profile"
            )
        if target.profile.warning:
            self.stderr.write(self.style.WARNING(target.profile.warning))
        if is_code_model(target.model):
            self.stderr.write(self.style.WARNING(f"{target.model} looks like a model for program code alone"))

    def _tell(self, state: embedding_switch.SwitchState) -> None:
        self.stdout.write(f"in use: {state.active or 'none yet'}\nin the settings: {state.wanted}")
        if state.target:
            self.stdout.write(f"changing to: {state.target} since {state.started_at:%Y-%m-%d %H:%M} UTC")
        if state.former:
            self.stdout.write(f"rollback goes to: {state.former}")
        self.stdout.write(f"not embedded yet: {state.missing}")
        for model, count in state.vectors.items():
            self.stdout.write(f"vectors of {model}: {count}")
        if state.error:
            self.stdout.write(self.style.WARNING(f"last stopped: {state.error}"))
