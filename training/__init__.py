"""Labelled data, and the fits of what is estimated from sentence vectors: `python -m training`."""
