"""Repetition inside the search tree."""
