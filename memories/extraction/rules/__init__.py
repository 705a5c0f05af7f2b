"""Extraction by rules, in English and Chinese."""
