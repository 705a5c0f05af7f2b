"""Accounts of an owner's memories: how good they are, where they disagree, and what would mend them.

A report holds counts and ids, never a text: what it shows is looked up when it is read, so that what
was erased is gone from every report.
"""
