"""PGN of 象棋 and plain move lists: text to games and back.

The reader is lenient where files differ (tags or none, numbers or none, any notation whatever the
Format tag says, results missing, footers); what it cannot take over stands in ``Game.defects``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, NamedTuple

from qikit.errors import InvalidPosition
from xiangqi.board import Board
from xiangqi.fen import parse_fen
from xiangqi.game import Game, Node, Skipped
from xiangqi.geometry import BLACK, START_FEN
from xiangqi.movetext import RESULT_WORDS, Line, Score, scan
from xiangqi.notation import chinese, iccs, san, uci, wxf
from xiangqi.replay import replay

if TYPE_CHECKING:
    from xiangqi.move import Move

Writer = Callable[[Board, "Move"], str]

NOTATIONS: dict[str, tuple[str, Writer]] = {
    "chinese": ("", lambda board, move: chinese(board, move, full_width=True)),
    "traditional": (
        "",
        lambda board, move: chinese(board, move, traditional=True, full_width=True),
    ),
    "wxf": ("WXF", lambda board, move: wxf(board, move)),
    "wxf2018": ("WXF", lambda board, move: wxf(board, move, "2018")),
    "iccs": ("ICCS", lambda board, move: iccs(move)),
    "uci": ("ICCS", lambda board, move: uci(move)),
    "san": ("", lambda board, move: san(board, move)),
}
"""By name: value of the Format tag (Chinese is the default and needs none), writer of a move."""


def loads(text: str, *, base: int | None = None) -> list[Game]:
    """The games of a text: PGN, one game after another, or lists of moves in any notation.

    Args:
        text: decoded text of a whole file.
        base: number of Red's back rank in coordinates and SAN, 0 or 1; by default found out.

    Returns:
        Every game with what of it could be read; the rest is in ``game.defects``.

    >>> [game] = loads("1. 炮二平五 马8进7 2. h0g2 R9.8 1-0")
    >>> [str(move) for move in game.moves()], game.result
    (['h2e2', 'h9g7', 'h0g2', 'i9h9'], '1-0')
    """
    text = text.lstrip("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    return [_game(score, base) for score in scan(text)]


def _game(score: Score, base: int | None) -> Game:
    fen = score.headers.get("FEN", "").strip() or score.fen
    try:
        game = Game(_start(fen, score.line) if fen else None, headers=score.headers)
    except InvalidPosition as error:
        game = Game(headers=score.headers)
        count = len(score.line.plies)
        game.defects.append(Skipped(0, fen, f"{error}；{count} 着没有读 ({count} moves not read)"))
    else:
        replay(game, score.line, base)
    game.closing = "\n".join(score.closing)
    game.defects += [Skipped(fault.ply, fault.text, fault.reason) for fault in score.faults]
    if score.damaged:
        reason = f"{score.damaged} 处文字无法解码 ({score.damaged} places cannot be decoded)"
        game.defects.append(Skipped(0, "�", reason))
    game.result = _result(game, score)
    return game


def _start(fen: str, line: Line) -> Board:
    """The start position; a FEN without a side takes it from the dots of ``1. ... 炮8平5``."""
    setup = parse_fen(fen)
    if not setup.named_turn and line.plies and line.plies[0].dots:
        setup = setup._replace(turn=BLACK)
    return Board.from_setup(setup)


def _result(game: Game, score: Score) -> str:
    """The result of the tag, else the word behind the moves; a conflict is a defect."""
    tag = RESULT_WORDS.get(score.headers.get("Result", "").strip(), "*")
    word = RESULT_WORDS.get(score.result, "*")
    if tag != "*" and word not in ("*", tag):
        game.defects.append(
            Skipped(
                len(score.line.plies),
                score.result,
                f"与结果标签 {tag} 不符，取标签 (differs from the Result tag)",
            )
        )
    return tag if tag != "*" else word


def dumps(game: Game, notation: str = "chinese") -> str:
    """A game as PGN, with its remarks and variations.

    Args:
        notation: a name in :data:`NOTATIONS`.

    Raises:
        ValueError: no such notation.

    >>> print(dumps(Game.from_moves(["h2e2", "h9g7", "h0g2"], headers={"Red": "甲"})))
    [Game "Chinese Chess"]
    [Red "甲"]
    <BLANKLINE>
      1. 炮二平五 马８进７
      2. 马二进三 *
    <BLANKLINE>
    """
    if notation not in NOTATIONS:
        names = ", ".join(NOTATIONS)
        raise ValueError(f"记谱法只能是 (a notation is one of) {names}: {notation!r}")
    form, write = NOTATIONS[notation]
    tags = "".join(f'[{name} "{_escape(value)}"]\n' for name, value in _tags(game, form))
    rows = list(_rows(game, write))
    if rows and rows[-1][-1] not in ")}":
        rows[-1] += f" {game.result}"
    else:
        rows.append(f"  {game.result}")
    if game.closing:
        rows.append(_remark(game.closing))
    return f"{tags}\n" + "\n".join(rows) + "\n"


def _tags(game: Game, form: str) -> Iterator[tuple[str, str]]:
    headers = {"Game": "Chinese Chess", **game.headers}
    if form:
        headers["Format"] = form
    else:
        headers.pop("Format", None)
    if game.result != "*" or "Result" in headers:
        headers["Result"] = game.result
    fen = game.board().fen()
    if fen != START_FEN:
        headers["FEN"] = fen
    yield from headers.items()


def _escape(value: str) -> str:
    return " ".join(value.split("\n")).replace("\\", "\\\\").replace('"', '\\"')


def _remark(text: str) -> str:
    return "{" + text.replace("}", "｝") + "}"


class _Piece(NamedTuple):
    """A piece of written moves; ``row`` says that it begins a row in the main line."""

    text: str
    row: bool


def _rows(game: Game, write: Writer) -> Iterator[str]:
    """The main line a round a row; remarks and variations stand in rows of their own."""
    if game.root.comment:
        yield _remark(game.root.comment)
    first = game.root.next
    lines = [_line(first, game.board(), write)] if first else []
    row: list[str] = []
    while lines:
        piece = next(lines[-1], None)
        if piece is None:
            lines.pop()
            if lines:
                row.append(")")
        elif isinstance(piece, _Piece):
            if len(lines) == 1 and piece.row and row:
                yield " ".join(row)
                row = []
            row.append(piece.text if len(lines) == 1 else piece.text.strip())
        else:
            if len(lines) == 1 and row:
                yield " ".join(row)
                row = []
            row.append("(")
            lines.append(_line(*piece, write))
    if row:
        yield " ".join(row)


def _line(node: Node | None, board: Board, write: Writer) -> Iterator[_Piece | tuple[Node, Board]]:
    """The pieces of a line from its first node on, and each variation with its position."""
    interrupted = True
    while node is not None:
        assert node.move is not None
        red = board.turn != BLACK
        number = f"{board.fullmove_number:3}. {'' if red else '... '}"
        yield _Piece(
            (number if red or interrupted else "") + write(board, node.move) + _glyphs(node),
            red or interrupted,
        )
        siblings = node.parent.variations if node.parent else []
        asides = siblings[1:] if siblings and siblings[0] is node else []
        places = [board.copy() for _ in asides]
        board.push_unchecked(node.move)
        if node.comment:
            yield _Piece(_remark(node.comment), True)
        yield from zip(asides, places, strict=True)
        interrupted = bool(node.comment or asides)
        node = node.next


def _glyphs(node: Node) -> str:
    return "".join(f" ${number}" for number in node.nags)
