"""The write path: prepare a draft, match it with what is stored, resolve conflicts, and apply."""
