"""One owner's memories in memory: rows, postings, vectors, and the cache that holds them."""
