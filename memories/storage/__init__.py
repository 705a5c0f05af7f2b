"""The only way to the rows of memories: access, queries, writes, the graph, events and usage."""
