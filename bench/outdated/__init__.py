"""Fit by which sentence vectors a newer statement makes an older one outdated."""
