"""The pages of long-term memory: view, search, add, edit, forget, restore, erase."""
