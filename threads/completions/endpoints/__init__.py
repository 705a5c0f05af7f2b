"""The paths under `/v1`: what they take, what they answer, and how they fail, in OpenAI's shapes."""

from threads.completions.endpoints.application import answer_completions

__all__ = ["answer_completions"]
