"""Scores of an index for a query, and their fusion into one."""
