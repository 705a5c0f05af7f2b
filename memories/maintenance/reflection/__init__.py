"""Reflection: what many memories show together, made into few, each with its sources."""
