"""Which messages a memory came from, and which memories a branch of a thread may see."""
