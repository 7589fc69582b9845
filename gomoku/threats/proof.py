"""A proved win: what the attacker plays against every reply."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from gomoku.move import Move

if TYPE_CHECKING:
    from gomoku.board import Board


@dataclass(frozen=True)
class Step:
    """One attacking move, and what follows.

    After the move the attacker completes a five wherever the reply leaves one open; otherwise it
    goes on with the step listed for the reply, or else with ``otherwise``.

    Attributes:
        move: the attacker's move.
        replies: the next step by reply.
        otherwise: the next step after any other reply: the threat carried out.
    """

    move: Move
    replies: Mapping[Move, Step] = field(default_factory=dict)
    otherwise: Step | None = None

    @cached_property
    def attack_moves(self) -> int:
        """Attacking stones at most, up to and including the one that makes five unstoppable."""
        following = [step.attack_moves for step in self.replies.values()]
        if self.otherwise is not None:
            following.append(self.otherwise.attack_moves)
        return 1 + max(following, default=0)


@dataclass(frozen=True)
class Proof:
    """A win that the side to move can force.

    Attributes:
        board: the position (a copy that nobody else holds).
        root: the first step.
        nodes: positions that the search entered.

    >>> import gomoku
    >>> board = gomoku.Board.from_stones("f8 g8 h8 e5 e6 e7".split(), ["i8", "e4"], "black")
    >>> proof = gomoku.solve_vcf(board, max_attack_moves=3)
    >>> str(proof.first), proof.attack_moves, proof.verify()
    ('e8', 1, True)
    """

    board: Board
    root: Step
    nodes: int

    @property
    def first(self) -> Move:
        """The first winning move."""
        return self.root.move

    @property
    def attack_moves(self) -> int:
        """Attacking stones at most, up to and including the one that makes five unstoppable."""
        return self.root.attack_moves

    @property
    def line(self) -> tuple[Move, ...]:
        """One line of play, attacker first, with the replies that hold out longest."""
        moves = []
        step: Step | None = self.root
        while step is not None:
            moves.append(step.move)
            if not step.replies:
                break
            reply, following = max(step.replies.items(), key=lambda pair: pair[1].attack_moves)
            moves.append(reply)
            step = following
        return tuple(moves)

    def verify(self) -> bool:
        """Whether the proof holds against every legal reply, by the rules alone."""
        from gomoku.threats.verifier import fault

        return fault(self) is None
