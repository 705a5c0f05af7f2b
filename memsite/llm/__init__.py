"""Language models, embedding models and tokenizers: the only code that calls them. No Django models.

Use `memsite.llm.chat`, `memsite.llm.embedding`, `memsite.llm.tokens` and `memsite.llm.simple_tokenizer`.
"""
