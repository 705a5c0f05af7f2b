"""Extraction by a language model: its answer's schema, and the evidence each item must have."""

from memories.extraction.model.by_model import Proposal, propose

__all__ = ["Proposal", "propose"]
