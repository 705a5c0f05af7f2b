"""Measure whether the graph signal helps questions whose answer takes two memories."""
