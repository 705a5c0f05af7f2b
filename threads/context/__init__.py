"""Assemble the messages that a language model is sent for a thread and a new input."""
