"""The pages of long-term memory: look, search, add, edit, forget, restore, erase."""
