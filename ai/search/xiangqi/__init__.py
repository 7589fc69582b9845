"""Searching 象棋: :class:`Brain` thinks about a position, :class:`SearchPlayer` plays with it."""

from ai.search.xiangqi.brain import Brain, Thought
from ai.search.xiangqi.player import SearchPlayer, offences

__all__ = ["Brain", "SearchPlayer", "Thought", "offences"]
