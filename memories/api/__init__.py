"""The API of long-term memory: parse, one call, render."""
