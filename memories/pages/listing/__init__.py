"""The list of memories: search, filters, order, and acts on the selected ones."""
