"""Long-term memory in the Django admin: lists, acts with a preview and undo, conflicts, reports."""

from memories.admin import dispute_list, memory_list, names, report_list

__all__ = ["dispute_list", "memory_list", "names", "report_list"]
