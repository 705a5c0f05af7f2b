"""Pages of threads: the list, one conversation, and what was learnt from it."""
