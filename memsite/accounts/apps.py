from django.apps import AppConfig


class AccountsConfig(AppConfig):
    name = "memsite.accounts"
    label = "accounts"
    verbose_name = "People and keys"

    def ready(self) -> None:
        from allauth.account.signals import user_logged_in  # noqa: PLC0415 - needs the apps

        from memsite.accounts.signing import note_sign_in  # noqa: PLC0415 - likewise

        user_logged_in.connect(note_sign_in, dispatch_uid="accounts.note_sign_in")
