"""Statements in passing: lists, fragments, events, dialect, and asides in requests."""

from memories.extraction.talk.talk import find_aside, find_listed, find_opinion, find_remark, quote_remark

__all__ = ["find_aside", "find_listed", "find_opinion", "find_remark", "quote_remark"]
