"""What a query asks: its words, its concepts, and the time it speaks of."""

from memories.retrieval.query import concepts, windows
from memories.retrieval.query.query import Query, parse_query

__all__ = ["Query", "concepts", "parse_query", "windows"]
