"""Recall: one owner's memories ranked for a query, in memory and without a database.

`analysis` and `query` read text, `rows` and `index` hold an owner's memories, `keyword`, `vector` and
`graph` are the three arms, `structure` and `dates` what conversation and calendar add, `fusion`,
`relevance` and `weighing` turn signals into one order, `ranking` is the door to all of it.
"""
