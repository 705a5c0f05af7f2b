from django.apps import AppConfig


class ServingConfig(AppConfig):
    name = "memsite.serving"

    def ready(self) -> None:
        from django.core.checks import Tags, register  # noqa: PLC0415 - needs the apps

        from memsite.serving.postgres import check_deployment  # noqa: PLC0415 - likewise

        register(check_deployment, Tags.security, deploy=True)
