from django.apps import AppConfig


class AccountsConfig(AppConfig):
    name = "memsite.accounts"
    label = "accounts"
    verbose_name = "People and keys"
