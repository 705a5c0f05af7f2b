"""The event log of each owner: what happened to memories and threads, numbered, and streams of it."""
