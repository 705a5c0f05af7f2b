"""The OpenAI-compatible endpoint: who asks, which request it is, and where its messages belong."""
