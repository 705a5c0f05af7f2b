"""Pages of export and import, in the settings."""
