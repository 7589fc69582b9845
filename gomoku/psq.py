"""Gomocup's ``.psq``: a header, one move a line with its time, the players, an end code.

Coordinates are x,y from 1 with y counted from the top; times are milliseconds. The file does not
name the rules: the reader is told them.
"""

from __future__ import annotations

import re

from gomoku.board import Board
from gomoku.game import Game, Recorder, Skipped, result_of
from gomoku.geometry import MAX_SIZE, MIN_SIZE
from gomoku.move import Move
from gomoku.notation import parse_integer
from gomoku.rules import Rules
from qikit.errors import InvalidRecord

_HEADER = re.compile(r"Piskvorky\s+(\d+)x(\d+)\s*,\s*(\d+):(\d+)\s*,\s*(\d+)", re.ASCII)
_MOVE = re.compile(r"\s*(-?\d+)\s*,\s*(-?\d+)\s*(?:,\s*(-?\d+))?\s*", re.ASCII)


def loads(text: str, *, rules: Rules | str = "freestyle") -> Game:
    """The game of a ``.psq`` text.

    Raises:
        InvalidRecord: the header is missing, or the board is not square or of no known size.

    >>> game = loads("Piskvorky 15x15, 11:11, 0\\n8,8,120\\n8,7,90\\nblack.zip\\nwhite.zip\\n-1\\n")
    >>> [str(move) for move in game.mainline()], game.headers["Black"]
    (['h8', 'h9'], 'black.zip')
    """
    lines = text.splitlines()
    match = _HEADER.match(lines[0]) if lines else None
    if match is None:
        raise InvalidRecord("缺少 Piskvorky 首行 (no psq header)", text=text[:80])
    size = parse_integer(match[1])
    if size is None or parse_integer(match[2]) != size or not MIN_SIZE <= size <= MAX_SIZE:
        raise InvalidRecord(
            f"棋盘 {match[1][:9]}x{match[2][:9]} 不支持 (board size not supported)",
            text=lines[0][:80],
        )
    game = Game(Board(size=size, rules=rules))
    recorder = Recorder(game)
    rest = lines[1:]
    while rest and (match := _MOVE.fullmatch(rest[0])) is not None and "," in rest[0]:
        x, y = parse_integer(match[1]), parse_integer(match[2])
        text = rest[0][:80]
        if x is None or y is None or not (1 <= x <= size and 1 <= y <= size):
            recorder.skip(text, f"不在 {size} 路棋盘上 (off the board)")
        elif recorder.play(Move(x - 1, size - y), text=text) and match[3] is not None:
            milliseconds = parse_integer(match[3])
            if milliseconds is None:
                recorder.skip(text, "用时的数过长 (a time too long)")
            else:
                recorder.node.time = milliseconds / 1000
        rest = rest[1:]
    names = [line.strip() for line in rest if line.strip()]
    if names and re.fullmatch(r"-?\d+", names[-1]):
        game.headers["EndCode"] = names.pop()
    for key, name in zip(("Black", "White"), names, strict=False):
        game.headers[key] = name
    for extra in names[2:]:
        game.defects.append(Skipped(recorder.board.ply, extra, "多余的行 (a line too many)"))
    game.result = result_of(recorder.board)
    return game


def dumps(game: Game) -> str:
    """The main line as ``.psq`` text (variations, comments and rules have no place there).

    Raises:
        ValueError: the game begins from a position with stones or has a pass.

    >>> dumps(Game.of_moves(["h8", "h9"])).splitlines()
    ['Piskvorky 15x15, 0:0, 0', '8,8,0', '8,7,0', '-1']
    """
    if game.start.stone_count:
        raise ValueError("psq 不能表示摆好的局面 (psq cannot hold a position with stones)")
    size = game.start.size
    out = [f"Piskvorky {size}x{size}, 0:0, 0"]
    for node in game.root.mainline():
        move = node.move
        assert move is not None
        if move.is_pass:
            raise ValueError("psq 不能表示停一手 (psq cannot hold a pass)")
        out.append(f"{move.x + 1},{size - move.y},{round(1000 * (node.time or 0))}")
    if "Black" in game.headers or "White" in game.headers:
        out += [game.headers.get("Black", "?"), game.headers.get("White", "?")]
    out.append(game.headers.get("EndCode", "-1"))
    return "\n".join(out) + "\n"
