"""The API of the event log."""
