"""Which moves come to a strong player's mind: probabilities of legal moves from a small network.

A move is seen as its mover sees it: from the own end of the board, and from the left when the own
general stands right of the middle. With the general in the middle both sights are as good; the
mean of the two is taken, so that mirror images get mirrored answers. ``MOVES`` lists what a piece
can do on some board, seen so; the network has an output for each.

The network is a file of the package that onnxruntime evaluates. Without either, players do
without a policy.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from importlib.resources import as_file, files
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from qikit.kernels import load
from xiangqi.geometry import RED, SQUARES, in_palace, square_file, square_rank

FILE = "xiangqi_policy.onnx"


def _is_move(start: int, goal: int) -> bool:
    """Whether some piece at the near end of the board can go so."""
    across = abs(square_file(start) - square_file(goal))
    along = abs(square_rank(start) - square_rank(goal))
    if not across or not along:
        return start != goal
    if across + along == 3:
        return True
    place = square_file(start) + square_rank(start)
    if across == along == 1:
        return in_palace(start, RED) and in_palace(goal, RED) and place % 2 == 1
    home = max(start, goal) < len(SQUARES) // 2 and square_file(start) % 2 == 0
    return across == along == 2 and home and place % 4 == 2


MOVES: tuple[tuple[int, int], ...] = tuple(
    (start, goal) for start in SQUARES for goal in SQUARES if _is_move(start, goal)
)
"""From and to of each output of the network, as the mover sees it."""


@cache
def outputs() -> NDArray[np.int16]:
    """Number of the output by sight and move ``from | to << 7``, [4, 16384]; -1 = no move.

    A sight is the side to move, and 2 more when it sees the board mirrored.

    >>> MOVES[outputs()[0, 19 | 22 << 7]], MOVES[outputs()[1, 70 | 67 << 7]]
    ((19, 22), (19, 22))
    """
    numbers = np.full((128, 128), -1, np.int16)
    starts, goals = np.array(MOVES).T
    numbers[goals, starts] = np.arange(len(MOVES))
    points = np.arange(90)
    mirrored = 9 * (points // 9) + 8 - points % 9
    result = np.full((4, 128, 128), -1, np.int16)
    for sight, seen in enumerate((points, 89 - points, mirrored, 89 - mirrored)):
        result[sight, :90, :90] = numbers[seen[:, None], seen]
    return result.reshape(4, -1)


def sights(general: int, turn: int) -> tuple[int, ...]:
    """The sights of a mover whose general stands on a point: one, or two where both are as good.

    >>> sights(3, 0), sights(5, 0), sights(84, 1), sights(85, 1)
    ((0,), (2,), (3,), (1, 3))
    """
    file = 8 - square_file(general) if turn else square_file(general)
    return (turn, turn + 2) if file == 4 else (turn + 2 * (file > 4),)


class Policy:
    """A policy network.

    Any number of threads may ask at once.

    Args:
        path: the ``.onnx`` file.

    Raises:
        ModuleNotFoundError: onnxruntime is not installed.
        ValueError: no such network, or one of another shape.
    """

    def __init__(self, path: str | Path) -> None:
        import onnxruntime

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        self._session = onnxruntime.InferenceSession(
            str(path), options, providers=["CPUExecutionProvider"]
        )
        ends = (*self._session.get_inputs(), *self._session.get_outputs())
        shapes = [one.shape[1:] for one in ends]
        if shapes != [[3, len(SQUARES)], [len(MOVES)]]:
            raise ValueError(f"{path}: 网络形状不符 (not the shape of a policy): {shapes}")
        self._kernel: Any = load("ai.search.xiangqi.policy.kernel")
        self._last: tuple[int, list[tuple[int, NDArray[np.float32]]]] = (-1, [])

    def logits(self, board: Any, moves: Sequence[Any]) -> NDArray[np.float64]:
        """How much the network likes each of some legal moves, float64[len(moves)]."""
        numbers = np.array([start | goal << 7 for start, goal in moves], np.int64)
        total = np.zeros(len(moves))
        values = self._values(board)
        for sight, row in values:
            total += row[outputs()[sight, numbers]]
        return total / len(values)

    def _values(self, board: Any) -> list[tuple[int, NDArray[np.float32]]]:
        """Sights and what the network says of each; the last board's are kept, since players ask
        twice: what to think about, and in which order."""
        key, values = self._last
        if key != board.key:
            seen = sights(board.king(board.turn), board.turn)
            planes = np.empty((len(seen), 3, len(SQUARES)), np.int64)
            for sight, each in zip(seen, planes, strict=True):
                self._kernel.see(board._state, sight, each)
            rows = self._session.run(None, {"planes": planes})[0]
            values = list(zip(seen, rows, strict=True))
            self._last = (board.key, values)
        return values

    def probabilities(self, board: Any, moves: Sequence[Any] | None = None) -> NDArray[np.float64]:
        """Probability of each of ``moves`` (legal ones; default all) to be the best of them."""
        logits = self.logits(board, list(board.legal_moves if moves is None else moves))
        if not len(logits):
            return logits
        powers = np.exp(logits - logits.max())
        result: NDArray[np.float64] = powers / powers.sum()
        return result


@cache
def shipped() -> Policy | None:
    """The policy in the package; ``None`` where there is none, or no onnxruntime."""
    source = files("ai") / "models" / FILE
    if not source.is_file():
        return None
    try:
        with as_file(source) as path:
            return Policy(path)
    except ModuleNotFoundError:
        return None
