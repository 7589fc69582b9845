"""Searches that think ahead, one package a game."""
