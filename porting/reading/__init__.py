"""Read uploaded files within limits: archives, JSON of any size item by item, lines of text."""

from porting.reading.archives import Document, open_documents
from porting.reading.json_items import count_levels, read_items
from porting.reading.recognition import Found, list_items, recognise

__all__ = [
    "Document",
    "Found",
    "count_levels",
    "list_items",
    "open_documents",
    "read_items",
    "recognise",
]
