"""Recall memories for a context: what is asked, and within how much time."""
