"""Chat models, embedding models and tokenizers. Plain Python, no Django models.

Only this package imports `openai`, tokenizers and embedding libraries.
"""
