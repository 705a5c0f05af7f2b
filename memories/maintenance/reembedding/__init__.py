"""Changing the embedding model with no downtime: fill in the new one's vectors beside, then switch."""
