"""A tree of moves as a file holds it, and how it becomes a game: point by point, nothing recursive.

Readers of files build :class:`RawNode` trees out of whatever the file says. What the rules do not
allow is left out together with what follows it, and named in ``Game.defects``; everything else
stays.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from qikit.errors import GameError, InvalidMove, InvalidPosition, InvalidRecord
from xiangqi.board import Board
from xiangqi.fen import Setup
from xiangqi.game import Game, Node, Skipped
from xiangqi.geometry import COLORS, SQUARE_NAMES
from xiangqi.move import Move

MOST_DEFECTS = 200
"""Branches named one by one; further ones are counted."""


class RawNode:
    """A move of a file, not yet checked; the root has none.

    Attributes:
        start, goal: points 0..89, or any other number where the file names no point.
        comment: the remark on it.
        children: what follows, main line first.
    """

    __slots__ = ("children", "comment", "goal", "start")

    def __init__(self, start: int = -1, goal: int = -1) -> None:
        self.start = start
        self.goal = goal
        self.comment = ""
        self.children: list[RawNode] = []

    def move(self) -> Move:
        """The move as such.

        Raises:
            InvalidMove: it names a point that is not on the board.
        """
        if not (0 <= self.start < 90 and 0 <= self.goal < 90):
            raise InvalidMove(f"{self}：不在棋盘上 (not on the board)", text=str(self))
        return Move(self.start, self.goal)

    def walk(self) -> Iterator[RawNode]:
        """This node and all below, each line to its end before its variations."""
        waiting = [self]
        while waiting:
            node = waiting.pop()
            yield node
            waiting.extend(reversed(node.children))

    def __str__(self) -> str:
        return f"{_point(self.start)}{_point(self.goal)}"


def _point(number: int) -> str:
    return SQUARE_NAMES[number] if 0 <= number < 90 else f"({number})"


def plant(
    setup: Setup,
    root: RawNode,
    *,
    headers: Mapping[str, str],
    defects: Sequence[Skipped] = (),
) -> Game:
    """The game of a position and a raw tree.

    Files are not to be trusted for the side to move: the colour of the piece that moves first
    decides, then what the file says (a contradiction is a defect if ``setup.named_turn``).

    Args:
        headers: tags of the game.
        defects: what the reader of the file has found so far.

    Raises:
        InvalidRecord: the position cannot be played, and nothing else is left of the game.
    """
    codes = setup.codes.tolist()
    movers = [codes[child.start] >> 3 for child in root.children if _has_piece(codes, child)]
    complaint = None
    for turn in dict.fromkeys((*movers, setup.turn, *COLORS)):
        try:
            game = Game(Board.from_setup(setup._replace(turn=turn)))
        except InvalidPosition as error:
            complaint = complaint or str(error)
            continue
        game.headers.update(headers)
        game.defects += defects
        if setup.named_turn and turn != setup.turn:
            reason = "先行方与所记不符，以着法为准 (the side to move is not the one stated)"
            game.defects.append(Skipped(0, "", reason))
        graft(game, root)
        return game
    if not headers and not root.comment:
        raise InvalidRecord(str(complaint))
    game = Game(headers=dict(headers))
    game.root.comment = root.comment
    count = sum(1 for _ in root.walk()) - 1
    reason = f"{complaint}；{count} 着没有读 ({count} moves not read)"
    game.defects += [*defects, Skipped(0, "", reason)]
    return game


def _has_piece(codes: Sequence[int], node: RawNode) -> bool:
    return 0 <= node.start < 90 and codes[node.start] != 0


def graft(game: Game, root: RawNode) -> None:
    """Add the legal part of a raw tree to a game that has no moves yet."""
    game.root.comment = root.comment
    board, ply = game.board(), 0
    left_out = 0
    waiting = _followers(root, game.root, 0, True)
    while waiting:
        raw, parent, before, is_main = waiting.pop()
        while ply > before:
            board.pop()
            ply -= 1
        move = Move(raw.start, raw.goal)
        if not board.is_legal(move):
            left_out += 1
            if left_out <= MOST_DEFECTS or is_main:
                has_rival = bool(waiting) and waiting[-1][1] is parent
                game.defects.append(_left_out(board, raw, before + 1, is_main, has_rival))
            continue
        board.push_unchecked(move)
        ply += 1
        node = parent.add_unchecked(move, raw.comment)
        waiting += _followers(raw, node, ply, is_main)
    if left_out > MOST_DEFECTS:
        rest = left_out - MOST_DEFECTS
        game.defects.append(
            Skipped(0, "", f"还有 {rest} 处不合法着法没有读 ({rest} more illegal moves not read)")
        )


def _followers(
    raw: RawNode, node: Node, ply: int, is_main: bool
) -> list[tuple[RawNode, Node, int, bool]]:
    """What follows a node, last one first: with its new parent, its plies, whether it is main."""
    children = raw.children
    return [(child, node, ply, is_main and child is children[0]) for child in reversed(children)]


def _first_children(raw: RawNode) -> Iterator[RawNode]:
    while raw.children:
        raw = raw.children[0]
        yield raw


def _left_out(board: Board, raw: RawNode, ply: int, is_main: bool, has_rival: bool) -> Skipped:
    rest = sum(1 for _ in raw.walk()) - 1
    more = f"；其后 {rest} 着没有读 ({rest} more not read)" if rest else ""
    if is_main and has_rival:
        more += "；同处的变着成为主线 (a variation becomes the main line)"
    behind = tuple(str(node) for node in _first_children(raw)) if is_main else ()
    try:
        board.push(raw.move())
    except GameError as error:
        return Skipped(ply, str(raw), f"{error}{more}", behind)
    raise AssertionError("a legal move")
