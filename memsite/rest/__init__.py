"""Shared parts of the API: views, errors, lists, rate limits, renderers."""
