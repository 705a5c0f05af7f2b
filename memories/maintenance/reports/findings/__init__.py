"""Findings of a report: conflicts, duplicates, and what is similar."""
