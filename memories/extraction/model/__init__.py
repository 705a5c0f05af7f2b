"""Extraction by a language model: its answer's schema, and the evidence each item must have."""

from memories.extraction.model.by_model import ModelProposal, propose_by_model
from memories.extraction.model.left_out import list_left_out

__all__ = ["ModelProposal", "list_left_out", "propose_by_model"]
