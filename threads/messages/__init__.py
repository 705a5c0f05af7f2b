"""Append, place, read, retrieve, remove and export the messages of a thread."""
