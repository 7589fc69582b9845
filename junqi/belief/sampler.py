"""Drawing full positions that a view does not rule out, each with the same probability."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from junqi.belief.constraints import Constraints, chance_rows
from junqi.layout import A_SIDE, PIECES
from junqi.pieces import KINDS
from qikit.errors import InvalidPosition
from qikit.kernels import load

Randomness = np.random.Generator | Random | int | None


def seed_of(rng: Randomness) -> int:
    """A seed from a source of random numbers: the same source in the same state, the same seed."""
    if rng is None:
        rng = np.random.default_rng()
    if isinstance(rng, np.random.Generator):
        return int(rng.integers(0, 1 << 62))
    if isinstance(rng, Random):
        return rng.getrandbits(62)
    return int(rng) & ((1 << 62) - 1)


class Sampler:
    """Draws worlds that fit some constraints.

    Where no two hidden sides have fought (双明, 陆战棋, early 四暗) draws are independent and
    exactly uniform. Else they are states, some steps apart, of a Markov chain whose only limit is
    the uniform distribution (Metropolis with independent proposals: every world can follow every
    other).

    Args:
        constraints: what is certain.
    """

    def __init__(self, constraints: Constraints) -> None:
        self._table = constraints.support
        candidates = constraints.candidates.tolist()
        settled = [kinds & (kinds - 1) == 0 for kinds in candidates]
        self._given = np.array(
            [kinds.bit_length() - 1 if settled[p] else -1 for p, kinds in enumerate(candidates)],
            np.int64,
        )
        self._chances = chance_rows(constraints.chances)
        trees = _trees(constraints.fights.tolist())
        self._plan_links(trees, candidates)
        self._plan_sides(candidates, settled, constraints.rosters)
        self._look_ahead(trees, candidates)

    @property
    def _kernel(self) -> Any:
        return load("junqi.belief.kernel")

    @property
    def linked(self) -> int:
        """Number of pieces that fights tie to other hidden pieces."""
        return len(self._links)

    def _plan_links(self, trees: list[tuple[int, int, int, int]], candidates: list[int]) -> None:
        count = len(trees)
        self._links = np.zeros((count, 3), np.int64)
        self._forward = np.zeros((count, len(KINDS)), np.int64)
        self._ahead = np.ones((count, len(KINDS)), np.float64)
        for k, (piece, parent, row, side) in enumerate(trees):
            self._links[k] = piece, parent, candidates[piece]
            if parent >= 0:
                self._forward[k] = self._table[row, side]

    def _look_ahead(self, trees: list[tuple[int, int, int, int]], candidates: list[int]) -> None:
        """For every kind of a linked piece, roughly how likely the branches below it will fit."""
        for k in range(len(trees) - 1, -1, -1):
            piece, parent = trees[k][:2]
            if parent < 0:
                continue
            left = self._amounts[piece // A_SIDE]
            weights = [
                float(self._ahead[k, kind] * left[kind]) if candidates[piece] >> kind & 1 else 0.0
                for kind in KINDS
            ]
            total = sum(weights)
            for kind in KINDS:
                fits = int(self._forward[k, kind])
                share = sum(weights[other] for other in KINDS if fits >> other & 1)
                self._ahead[parent, kind] *= share / total

    def _plan_sides(
        self, candidates: list[int], settled: list[bool], rosters: NDArray[np.int64]
    ) -> None:
        shape = (4, len(KINDS))
        self._sides = np.zeros((4, 4), np.int64)
        self._caps, self._strides, self._members = (np.zeros(shape, np.int64) for _ in range(3))
        self._classes, self._amounts = np.zeros(shape, np.int64), np.zeros(shape, np.int64)
        self._order = np.zeros((4, A_SIDE), np.int64)
        self._choices = np.zeros((4, A_SIDE), np.int64)
        linked = [int(piece) for piece in self._links[:, 0]]
        sizes: list[int] = []
        for seat in range(4):
            own = range(A_SIDE * seat, A_SIDE * seat + A_SIDE)
            amounts = rosters[seat].tolist()
            for piece in own:
                if settled[piece] and candidates[piece]:
                    amounts[candidates[piece].bit_length() - 1] -= 1
            first = [piece for piece in linked if piece in own]
            rest = [piece for piece in own if not settled[piece] and piece not in first]
            rest.sort(key=lambda piece: (candidates[piece].bit_count(), candidates[piece], piece))
            groups = _classes_of(candidates, first, rest, amounts)
            stride = 1
            for c, kinds in enumerate(groups):
                cap = sum(amounts[kind] for kind in kinds)
                self._caps[seat, c], self._strides[seat, c] = cap, stride
                stride *= cap + 1
                for kind in kinds:
                    self._classes[seat, kind] = c
                    self._members[seat, c] |= 1 << kind
            self._amounts[seat] = amounts
            order = first + rest
            self._order[seat, : len(order)] = order
            for k, piece in enumerate(order):
                self._choices[seat, k] = sum(
                    1 << c
                    for c in range(len(groups))
                    if candidates[piece] & int(self._members[seat, c])
                )
            self._sides[seat] = sum(sizes), sum(sizes) + stride - 1, len(order), len(first)
            sizes.append(stride)
        self._tables = np.zeros(sum(sizes), np.float64)
        for seat in range(4):
            base, full, pieces, _ = self._sides[seat].tolist()
            groups_count = int(np.count_nonzero(self._caps[seat]))
            self._kernel.tabulate(
                self._tables[base : full + 1],
                np.ascontiguousarray(self._choices[seat]),
                pieces,
                np.ascontiguousarray(self._caps[seat, :groups_count]),
                np.ascontiguousarray(self._strides[seat, :groups_count]),
                np.zeros(len(KINDS), np.int64),
            )

    def draw(self, count: int, rng: Randomness = None) -> NDArray[np.int8]:
        """Draw worlds.

        Returns:
            int8 array of shape (count, 100): the kind of every piece number, -1 = no such piece.

        Raises:
            InvalidPosition: no world was found.
        """
        out = np.empty((count, PIECES), np.int8)
        drawn = self._kernel.sample(
            self._sides,
            self._caps,
            self._strides,
            self._members,
            self._classes,
            self._amounts,
            self._order,
            self._choices,
            self._links,
            self._forward,
            self._ahead,
            self._tables,
            self._chances,
            self._given,
            np.zeros((2, 4, len(KINDS)), np.int64),
            np.zeros((3, PIECES), np.int64),
            np.zeros(len(KINDS), np.float64),
            0,
            np.array([seed_of(rng)], np.int64),
            out,
        )
        if drawn < count:
            raise InvalidPosition("找不到符合已知情况的布子 (no world found that fits)")
        return out


def _classes_of(
    candidates: list[int], linked: list[int], rest: list[int], amounts: list[int]
) -> list[list[int]]:
    """Kinds with pieces left, grouped: alike for all pieces of a side, and for no linked one."""
    groups: dict[tuple[int, ...], list[int]] = {}
    for kind in KINDS:
        if not amounts[kind]:
            continue
        signature = tuple(candidates[piece] >> kind & 1 for piece in rest)
        alone = any(candidates[piece] >> kind & 1 for piece in linked)
        groups.setdefault((*signature, kind if alone else -1), []).append(kind)
    return list(groups.values())


def _trees(fights: list[list[int]]) -> list[tuple[int, int, int, int]]:
    """Fights as trees: (piece, row of its parent or -1, relation, side of the table for it).

    A fight removes one of the two or both, and nobody dies twice, so there is no ring.
    """
    near: dict[int, list[tuple[int, int, int]]] = {}
    for attacker, defender, row in fights:
        near.setdefault(attacker, []).append((defender, row, 0))
        near.setdefault(defender, []).append((attacker, row, 1))
    found: list[tuple[int, int, int, int]] = []
    seen: set[int] = set()
    for root in sorted(near, key=lambda piece: (-len(near[piece]), piece)):
        waiting = [] if root in seen else [(root, -1, 0, 0)]
        while waiting:
            entry = waiting.pop()
            seen.add(entry[0])
            found.append(entry)
            parent = len(found) - 1
            waiting += [
                (other, parent, row, side)
                for other, row, side in near[entry[0]]
                if other not in seen
            ]
    return found
