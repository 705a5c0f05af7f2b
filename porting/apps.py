from django.apps import AppConfig


class PortingConfig(AppConfig):
    name = "porting"
    verbose_name = "Export and import"

    def ready(self) -> None:
        """Add export and import to the settings page Data."""
        from memsite.web.settings_parts import (  # noqa: PLC0415 - models can be imported only now
            SettingsPage,
            register_retentions,
            register_settings_part,
        )
        from porting.pages import parts  # noqa: PLC0415 - as above

        register_settings_part(SettingsPage.DATA, parts.make_export_part)
        register_settings_part(SettingsPage.DATA, parts.make_import_part)
        register_retentions(parts.list_retentions)
