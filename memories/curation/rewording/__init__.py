"""New wordings and changed fields of a memory, as successors or in place."""
