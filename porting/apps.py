from django.apps import AppConfig


class PortingConfig(AppConfig):
    name = "porting"
    verbose_name = "Export and import"

    def ready(self) -> None:
        """Add export and import to the settings page Data, and imports to what a deletion reaches."""
        from memsite.accounts.deletion import (  # noqa: PLC0415 - models can be imported only now
            StoredData,
            register_stored_data,
        )
        from memsite.web.settings_parts import (  # noqa: PLC0415 - as above
            SettingsPage,
            register_retentions,
            register_settings_part,
        )
        from porting import importing  # noqa: PLC0415 - as above
        from porting.pages import parts  # noqa: PLC0415 - as above

        register_stored_data(StoredData(importing.count_imports, importing.erase_some_imports))
        register_settings_part(SettingsPage.DATA, parts.make_export_part)
        register_settings_part(SettingsPage.DATA, parts.make_import_part)
        register_retentions(parts.list_retentions)
