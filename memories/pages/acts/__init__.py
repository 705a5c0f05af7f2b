"""Acts of a person on single memories: add, edit, confirm, pin, forget, restore, erase; and undo."""

from memories.pages.acts.single import PERSON, undo_url

__all__ = ["PERSON", "undo_url"]
