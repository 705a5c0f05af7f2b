"""The OpenAI-compatible endpoint: who asks, which request it is, and where its messages belong."""

from threads.completions.endpoints import answer_completions

__all__ = ["answer_completions"]
