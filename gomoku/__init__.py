"""五子棋 (gomoku, renju): board, rules, 禁手 referee, threat solver, records.

>>> import gomoku
>>> board = gomoku.Board(size=15, rules="freestyle")
>>> board.push("h8")
Move(x=7, y=7)
"""

from gomoku.board import Board, LegalMoves, Status
from gomoku.forbidden import Forbidden, ForbiddenKind, ForbiddenLine
from gomoku.game import Game, Node
from gomoku.geometry import BLACK, WHITE
from gomoku.move import Move
from gomoku.rules import CARO_EXACT, CARO_OVERLINE, FREESTYLE, RENJU, STANDARD, Rules
from gomoku.threats import Answer, Proof, Solver, Step, solve_vcf, solve_vct
from qikit import Capability, GameInfo

GAME = GameInfo(
    name="gomoku",
    name_zh="五子棋",
    board=Board,
    move=Move,
    capabilities=(
        Capability.MOVES
        | Capability.START
        | Capability.PERFT
        | Capability.FEN
        | Capability.SVG
        | Capability.PARSE
        | Capability.MIRROR
    ),
)

__all__ = [
    "BLACK",
    "CARO_EXACT",
    "CARO_OVERLINE",
    "FREESTYLE",
    "GAME",
    "RENJU",
    "STANDARD",
    "WHITE",
    "Answer",
    "Board",
    "Forbidden",
    "ForbiddenKind",
    "ForbiddenLine",
    "Game",
    "LegalMoves",
    "Move",
    "Node",
    "Proof",
    "Rules",
    "Solver",
    "Status",
    "Step",
    "solve_vcf",
    "solve_vct",
]
