"""Extraction by a language model: its answer's schema, and the evidence each item must have."""
