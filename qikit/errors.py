"""The errors that every game raises: all are ``ValueError`` and carry what was wrong and where."""

from __future__ import annotations


class GameError(ValueError):
    """Base of all errors about moves and positions.

    Attributes:
        text: the input as the caller gave it.
        position: the position (its text form) in which the input was read, or ``""``.

    >>> error = InvalidMove("走法格式不对 (not a move): 'zz'", text="zz", position="start")
    >>> isinstance(error, ValueError), error.text, error.position
    (True, 'zz', 'start')
    """

    def __init__(self, message: str, *, text: str = "", position: str = "") -> None:
        super().__init__(message)
        self.text = text
        self.position = position


class InvalidPosition(GameError):
    """A position text cannot be read, or the position breaks a rule that makes play impossible."""


class InvalidMove(GameError):
    """A move text is malformed: no position could make sense of it."""


class IllegalMove(GameError):
    """A well-formed move that the rules do not allow here; the message says which rule stops it.

    Attributes:
        rule: id of the rule that stops the move (``"S0-XQ-10"``), or ``""``.
    """

    def __init__(self, message: str, *, text: str = "", position: str = "", rule: str = "") -> None:
        super().__init__(message, text=text, position=position)
        self.rule = rule


class AmbiguousMove(GameError):
    """A text that fits several legal moves.

    Attributes:
        candidates: text forms of every move that fits.
    """

    def __init__(
        self, message: str, *, text: str = "", position: str = "", candidates: tuple[str, ...] = ()
    ) -> None:
        super().__init__(message, text=text, position=position)
        self.candidates = candidates


class InvalidRecord(GameError):
    """A game record cannot be read at all (a partly readable one is returned with its defects)."""
