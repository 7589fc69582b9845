"""Drawing full positions that a view does not rule out, each with the same probability."""

from __future__ import annotations

from dataclasses import dataclass
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

SIDES = PIECES // A_SIDE
SEARCHES = 100
"""Searches for a first world, each from the beginning, before there is said to be none."""
WAYS = 4096
"""If the linked pieces can be what they are in so many ways or fewer, these are listed."""
PATIENCE = 50_000
"""Kinds tried in making the list before it is given up."""
WHOLE = 6
"""A tree of so many pieces or fewer is redrawn as a whole."""
FIRST_BURN = 200
"""Steps once, from the world that the search has found."""
BURN = 30
"""Steps before every series of worlds, so that two series do not resemble each other."""


def seed_of(rng: Randomness) -> int:
    """A seed from a source of random numbers: the same source in the same state, the same seed."""
    if rng is None:
        rng = np.random.default_rng()
    if isinstance(rng, np.random.Generator):
        return int(rng.integers(0, 1 << 62))
    if isinstance(rng, Random):
        return rng.getrandbits(62)
    return int(rng) & ((1 << 62) - 1)


@dataclass(frozen=True)
class _Near:
    """A fight as one of the two sees it.

    Attributes:
        other: the piece that it fought.
        fits: row of the sampler's relations: what fits here, by the kind there.
        both: both left the board.
    """

    other: int
    fits: int
    both: bool


class Sampler:
    """Draws worlds that fit some constraints.

    Where no two hidden sides have fought (双明, 陆战棋, early 四暗), or such fights leave few ways,
    draws are independent and exactly uniform. Else they are successive states of a Markov chain
    whose only limit is the uniform distribution: `junqi.belief.drawing.kernel` tells of its steps.

    Args:
        constraints: what is certain.

    Raises:
        InvalidPosition: no world fits.
    """

    def __init__(self, constraints: Constraints) -> None:
        self._constraints = constraints
        candidates = constraints.candidates.tolist()
        near, self._masks = _nearness(constraints)
        self._order = _order(candidates, near)
        self._slot = {
            piece: A_SIDE * seat + k
            for seat, (linked, free) in enumerate(self._order)
            for k, piece in enumerate(linked + free)
        }
        self._piece = np.zeros(PIECES, np.int64)
        for piece, slot in self._slot.items():
            self._piece[slot] = piece
        self._certain = np.array(
            [kinds.bit_length() - 1 if kinds & (kinds - 1) == 0 else -1 for kinds in candidates],
            np.int8,
        )
        self._bounds = np.zeros(PIECES, np.int64)
        self._bounds[list(self._slot.values())] = [candidates[piece] for piece in self._slot]
        self._chances = chance_rows(
            tuple(
                tuple(self._slot[piece] for piece in chance if piece in self._slot)
                for chance in constraints.chances
            )
        )
        self._plan_sides(candidates)
        self._plan_links(near)
        self._world = np.zeros(PIECES, np.int64)
        self._list_ways()
        if self.chain:
            self._find_world()
            self._world = self._run(1, FIRST_BURN, 0)[1]

    @property
    def _kernel(self) -> Any:
        return load("junqi.belief.drawing.kernel")

    @property
    def linked(self) -> int:
        """Number of pieces that fights tie to other hidden pieces."""
        return sum(len(linked) for linked, _ in self._order)

    @property
    def chain(self) -> bool:
        """Whether a world depends on the one before: too many ways to list."""
        return bool(self.linked) and not len(self._totals)

    # ---- the plan: its arrays are described in the kernel ---------------------------------------

    def _plan_sides(self, candidates: list[int]) -> None:
        kernel = self._kernel
        self._sides = np.zeros((SIDES, 5), np.int64)
        self._kinds = np.zeros(5 * SIDES * len(KINDS), np.int64)
        self._choices = np.zeros(PIECES, np.int64)
        self._lanes = np.zeros((kernel.FIT_LANES, len(KINDS)), np.float64)
        for slot in range(PIECES):
            self._lanes[slot] = _lanes(int(self._bounds[slot]))
        sizes: list[int] = []
        for seat, (linked, free) in enumerate(self._order):
            amounts = self._constraints.rosters[seat].tolist()
            for piece in range(A_SIDE * seat, A_SIDE * seat + A_SIDE):
                if candidates[piece] and piece not in self._slot:
                    amounts[candidates[piece].bit_length() - 1] -= 1
            anything, own = 0, len(KINDS) * seat
            for piece in linked:
                anything |= candidates[piece]
            sets = [anything] * len(linked) + [candidates[piece] for piece in free]
            groups = _classes(sets, amounts)
            stride = 1
            for c, group in enumerate(groups):
                cap = sum(amounts[kind] for kind in group)
                self._kinds[kernel.CAPS + own + c] = cap
                self._kinds[kernel.STRIDES + own + c] = stride
                for kind in group:
                    self._kinds[kernel.CLASSES + own + kind] = own + c
                    self._kinds[kernel.STEPS + own + kind] = stride
                    self._lanes[kernel.CLASS_LANES + own + c, kind] = 1.0
                stride *= cap + 1
            self._kinds[kernel.AMOUNTS + own :][: len(KINDS)] = amounts
            for k, kinds in enumerate(sets):
                self._choices[A_SIDE * seat + k] = sum(
                    1 << c for c, group in enumerate(groups) if kinds >> group[0] & 1
                )
            alike = sum(kinds == sets[-1] for kinds in sets[len(linked) :])
            self._sides[seat] = stride, len(sets), len(linked), len(groups), len(sets) - alike
            sizes.append(stride)
        first = A_SIDE + 1 + max(sizes)  # a class that is used up is looked up below its table
        self._tables = np.zeros(first + sum(sizes), np.float64)
        self._tables[1 : A_SIDE + 1] = 1 / np.arange(1, A_SIDE + 1)
        for seat, size in enumerate(sizes):
            pieces, groups_count = self._sides[seat, [1, 3]].tolist()
            kernel.tabulate(
                self._tables[first : first + size],
                self._choices[A_SIDE * seat : A_SIDE * seat + A_SIDE],
                pieces,
                self._kinds[kernel.CAPS + len(KINDS) * seat :][:groups_count],
                self._kinds[kernel.STRIDES + len(KINDS) * seat :][:groups_count],
                np.zeros(len(KINDS), np.int64),
            )
            first += size
            self._sides[seat, 0] = first - 1

    def _plan_links(self, near: dict[int, list[_Near]]) -> None:
        kernel, slot = self._kernel, self._slot
        width = len(KINDS)
        count = len(self._masks) // width
        turned = np.zeros((2 * count, width, width))
        for relation in range(count):
            here = np.array(
                [_lanes(int(kinds)) for kinds in self._masks[width * relation :][:width]]
            )
            turned[2 * relation : 2 * relation + 2] = here, here.T
        fits = kernel.FIT_LANES
        self._lanes = np.concatenate([self._lanes, turned.reshape(-1, width)])
        self._near = np.zeros((PIECES, 1 + 2 * A_SIDE), np.int64)
        for piece, fights in near.items():
            self._near[slot[piece], 0] = len(fights)
            for k, fight in enumerate(fights):
                self._near[slot[piece], 1 + 2 * k : 3 + 2 * k] = (
                    slot[fight.other],
                    width * fight.fits,
                )
        twins = [
            (slot[piece], slot[fight.other])
            for piece, fights in near.items()
            for fight in fights
            if fight.both and piece < fight.other
        ]
        blocks: list[tuple[int, ...]] = []
        rows: list[tuple[int, ...]] = []
        evidence: list[tuple[int, ...]] = []
        for block in [*_blocks(near), set(near)] if near else []:
            start, told = len(rows), len(evidence)
            place: dict[int, int] = {}
            for root in sorted(block, key=lambda piece: (-len(near[piece]), piece)):
                waiting = [] if root in place else [(root, -1, 0)]
                while waiting:
                    piece, parent, lanes = waiting.pop()
                    place[piece] = len(place)
                    rows.append((slot[piece], parent, lanes, piece // A_SIDE))
                    for fight in near[piece]:
                        if fight.other not in block:
                            row = fits + 2 * width * fight.fits
                            evidence.append((place[piece], slot[fight.other], row))
                        elif fight.other not in place:
                            back = next(n for n in near[fight.other] if n.other == piece)
                            row = fits + 2 * width * back.fits
                            waiting.append((fight.other, place[piece], row))
            blocks.append((start, len(place), told, len(evidence)))
        self._twins, self._blocks, self._rows, self._evidence = (
            np.array(made, np.int64).reshape(-1, columns)
            for made, columns in ((twins, 2), (blocks, 4), (rows, 4), (evidence, 3))
        )

    def _list_ways(self) -> None:
        """All that the linked pieces can be, if that is not too much."""
        self._listed = np.zeros((0, self.linked), np.int8)
        self._totals = np.zeros(0, np.float64)
        if not self.linked:
            return
        listed = np.zeros((WAYS, self.linked), np.int8)
        totals = np.zeros(WAYS, np.float64)
        found = self._kernel.list_linked(
            self._sides,
            self._kinds,
            self._rows[-self.linked :],
            self._lanes,
            self._tables,
            np.zeros((3, PIECES), np.int64),
            np.zeros((2, PIECES), np.float64),
            PATIENCE,
            listed,
            totals,
        )
        if not found:
            raise InvalidPosition("找不到符合已知情况的布子 (no world found that fits)")
        if found > 0:
            self._listed, self._totals = listed[:found].copy(), totals[:found].copy()

    def _find_world(self) -> None:
        """Kinds of the linked pieces to start from.

        Piece by piece, each time with all that then is certain of the others, so that a dead end
        is seen early.
        """
        known = self._constraints
        narrow = load("junqi.belief.kernel").narrow
        linked = [piece for side, _ in self._order for piece in side]
        rng, room = Random(0), np.zeros((5, A_SIDE), np.int64)
        chances = chance_rows(known.chances)
        for _ in range(SEARCHES):
            found = known.candidates.copy()
            for piece in linked:
                while (kinds := int(found[piece])) & (kinds - 1):
                    kind = rng.choice([kind for kind in KINDS if kinds >> kind & 1])
                    tried = found.copy()
                    tried[piece] = 1 << kind
                    fights, table = known.fights, known.support
                    if narrow(tried, known.rosters, SIDES, fights, table, chances, room):
                        found = tried
                    else:
                        found[piece] = kinds & ~(1 << kind)
                if not found[piece]:
                    break
            else:
                for piece in linked:
                    self._world[self._slot[piece]] = int(found[piece]).bit_length() - 1
                return
        raise InvalidPosition("找不到符合已知情况的布子 (no world found that fits)")

    # ---- drawing --------------------------------------------------------------------------------

    def draw(self, count: int, rng: Randomness = None) -> NDArray[np.int8]:
        """Draw worlds.

        Returns:
            int8 array of shape (count, 100): the kind of every piece number, -1 = no such piece.

        Raises:
            InvalidPosition: no world was found.
            ValueError: a negative count.
        """
        if count < 0:
            raise ValueError(f"世界数不能是负数 (a negative number of worlds): {count}")
        return self._run(count, BURN if self.chain else 1, seed_of(rng))[0]

    def _run(self, count: int, burn: int, seed: int) -> tuple[NDArray[np.int8], NDArray[np.int64]]:
        """Worlds after some steps, and the last one by slot."""
        out = np.empty((count, PIECES), np.int8)
        out[:] = self._certain
        world = self._world.copy()
        drawn = self._kernel.sample(
            self._sides,
            self._kinds,
            self._choices,
            self._blocks,
            self._rows,
            self._evidence,
            self._near,
            self._masks,
            self._bounds,
            self._twins,
            self._lanes,
            self._tables,
            self._listed,
            self._totals,
            self._chances,
            self._piece,
            world,
            np.zeros((10, PIECES), np.int64),
            np.zeros((4, PIECES * len(KINDS)), np.float64),
            burn,
            np.array([seed], np.int64),
            out,
        )
        if drawn < count:
            raise InvalidPosition("找不到符合已知情况的布子 (no world found that fits)")
        return out, world


def _lanes(kinds: int) -> list[float]:
    """A set of kinds as twelve numbers."""
    return [float(kinds >> kind & 1) for kind in KINDS]


def _nearness(constraints: Constraints) -> tuple[dict[int, list[_Near]], NDArray[np.int64]]:
    """What every linked piece fought, and [12 * relation + kind there] what fits here."""
    near: dict[int, list[_Near]] = {}
    masks: list[NDArray[np.int64]] = []
    numbers: dict[tuple[int, int], int] = {}
    for *pair, row in constraints.fights.tolist():
        for side in range(2):
            if (row, side) not in numbers:
                numbers[row, side] = len(masks)
                masks.append(constraints.support[row, 1 - side])
            seen = _Near(pair[1 - side], numbers[row, side], row // 8 == 3)
            near.setdefault(pair[side], []).append(seen)
    return near, np.concatenate([np.zeros(0, np.int64), *masks])


def _order(
    candidates: list[int], near: dict[int, list[_Near]]
) -> list[tuple[list[int], list[int]]]:
    """For every side its open pieces: linked ones; free ones, the largest group of equals last."""
    found = []
    for seat in range(SIDES):
        own = range(A_SIDE * seat, A_SIDE * seat + A_SIDE)
        sets = [
            candidates[piece]
            for piece in own
            if piece not in near and candidates[piece] & (candidates[piece] - 1)
        ]
        most = max(sets, key=sets.count, default=0)
        free = [
            piece
            for piece in own
            if piece not in near and candidates[piece] & (candidates[piece] - 1)
        ]
        free.sort(key=lambda p: (candidates[p] == most, candidates[p].bit_count(), candidates[p]))
        found.append(([piece for piece in own if piece in near], free))
    return found


def _classes(sets: list[int], amounts: list[int]) -> list[list[int]]:
    """Kinds with pieces left, grouped: alike for all pieces of a side."""
    groups: dict[tuple[int, ...], list[int]] = {}
    for kind in KINDS:
        if amounts[kind]:
            groups.setdefault(tuple(kinds >> kind & 1 for kinds in sets), []).append(kind)
    return list(groups.values())


def _blocks(near: dict[int, list[_Near]]) -> list[set[int]]:
    """Parts of the trees of fights that are redrawn together; every linked piece is in one.

    A fight removes one of the two or both, and nobody dies twice, so there is no ring.
    """
    found: list[set[int]] = []
    seen: set[int] = set()
    for root in near:
        if root in seen:
            continue
        tree, waiting = {root}, [root]
        while waiting:
            for fight in near[waiting.pop()]:
                if fight.other not in tree:
                    tree.add(fight.other)
                    waiting.append(fight.other)
        seen |= tree
        if len(tree) <= WHOLE:
            found.append(tree)
            continue
        for piece in tree:
            if len(near[piece]) == 1:
                continue
            block = {piece}
            for fight in near[piece]:  # with an equal go those that it fought
                block.add(fight.other)
                if fight.both:
                    block |= {other.other for other in near[fight.other]}
            if block not in found:
                found.append(block)
    return [block for block in found if not any(block < other for other in found)]
