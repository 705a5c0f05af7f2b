"""The event log of each owner: what happened to memories and threads; streams of it, and webhooks."""
