"""Labelled data sets: conversations with questions, and exchanges with what is to be learnt."""
