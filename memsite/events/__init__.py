"""The event log of each owner: what happened to memories and threads, numbered; streams of it, and webhooks."""
