"""The pages of threads: the list, one conversation, what was learnt from it."""
