from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class AccountsConfig(AppConfig):
    name = "memsite.accounts"
    label = "accounts"
    verbose_name = _("People and keys")

    def ready(self) -> None:
        from allauth.account.signals import user_logged_in  # noqa: PLC0415 - needs the apps

        from memsite.accounts.audit import record_caller  # noqa: PLC0415 - likewise
        from memsite.accounts.deletion import load_deletion_banner  # noqa: PLC0415 - likewise
        from memsite.accounts.pages.privacy import (  # noqa: PLC0415 - likewise
            list_account_retentions,
            load_overview_part,
        )
        from memsite.accounts.signing import note_sign_in  # noqa: PLC0415 - likewise
        from memsite.events.webhooks import register_audit  # noqa: PLC0415 - likewise
        from memsite.web import overview  # noqa: PLC0415 - likewise
        from memsite.web.layout import register_banner  # noqa: PLC0415 - likewise
        from memsite.web.settings_parts import register_retentions  # noqa: PLC0415 - likewise

        user_logged_in.connect(note_sign_in, dispatch_uid="accounts.note_sign_in")
        register_audit(record_caller)
        register_banner(load_deletion_banner)
        register_retentions(list_account_retentions)
        overview.register_part(load_overview_part)
