"""What keeps a memory in order: forgetting, reflection, reports, new embeddings, health."""
