"""Embedding models: local and remote, and what their similarities mean."""
