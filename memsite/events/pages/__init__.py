"""Pages of webhooks, in the settings."""
