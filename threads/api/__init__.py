"""The API of short-term memory: parse, one call, render."""
