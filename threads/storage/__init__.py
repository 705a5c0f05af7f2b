"""Rows of threads and messages: access to one, queries for many, paths in the tree, the queue of jobs."""
