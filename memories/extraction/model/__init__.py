"""Extraction by a language model: its answer's schema, and the evidence each item must have."""

from memories.extraction.model.by_model import ModelProposal, propose_by_model

__all__ = ["ModelProposal", "propose_by_model"]
