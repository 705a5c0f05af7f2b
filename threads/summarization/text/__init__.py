"""The text of a summary: by a model, else by rules, within its limits."""
