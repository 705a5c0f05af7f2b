"""The API of keys, applications and preferences."""
