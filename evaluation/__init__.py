"""Measure recall on a data set of conversations and questions about them."""
