"""Arrays of an index: postings, columns that grow, and the compiled loops over them."""
