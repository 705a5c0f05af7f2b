"""Shared parts of the pages: layout, errors, notices, the first page, health."""
