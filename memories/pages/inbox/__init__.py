"""The inbox: what waits for a person's decision."""
