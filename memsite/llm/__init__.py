"""The only door to language models, embedding models and tokenizers. Plain Python, no Django models."""
