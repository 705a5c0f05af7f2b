"""The pages of the graph: an entity with its neighbours in rings, beside its relations as a list."""
