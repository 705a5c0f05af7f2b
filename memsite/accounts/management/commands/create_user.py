"""`manage.py create_user NAME --password P [--staff]`: create an account from the shell."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError, CommandParser

from memsite.accounts.models import User


class Command(BaseCommand):
    help = "Make a person's account; --staff makes an administrator."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("name")
        parser.add_argument("--password", required=True)
        parser.add_argument("--email", default="")
        parser.add_argument("--staff", action="store_true")

    def handle(self, *_args: Any, **options: Any) -> None:
        user = User(
            username=options["name"],
            email=options["email"],
            is_staff=options["staff"],
            is_superuser=options["staff"],
        )
        user.set_password(options["password"])
        if user.email and User.objects.filter(email__iexact=user.email).exists():
            raise CommandError("An account with this e-mail address exists already.")
        if User.objects.filter(username__iexact=user.username).exists():  # as the sign-up page compares
            raise CommandError("An account with this name exists already.")
        try:
            user.full_clean()
            validate_password(options["password"], user)
        except ValidationError as error:
            raise CommandError("; ".join(error.messages)) from None
        user.save(force_insert=True)
        self.stdout.write(f"Made {'administrator' if user.is_staff else 'user'} {user.username} ({user.id}).")
