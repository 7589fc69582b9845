"""Making the shelf of puzzles: ``python -m ai.puzzles.making FOLDER``, resumable.

Positions come from the ends of own quick games and from few pieces put down at random. A search
says where a mate may be; the prover then decides. A position becomes a puzzle when only one first
move mates, and every piece that can go without changing that has been taken off.

Each seed writes its finds to a file of its own in FOLDER, the same for the same seed, so that a
rerun continues; then the best and most different ones of all files are put on the shelf.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from random import Random
from typing import Any

import click
import numpy as np
from numpy.typing import NDArray
from tqdm import tqdm

from ai.openings import openings
from ai.player import Budget
from ai.puzzles.grading import WORTH, Measure, grade, measure, threat
from ai.puzzles.solving import solve
from ai.puzzles.themes import material, pattern
from ai.search.xiangqi import Brain
from qikit.errors import InvalidPosition
from xiangqi import Board, Move
from xiangqi.fen import Setup
from xiangqi.geometry import BLACK, RED
from xiangqi.mates import Prover, Unproved
from xiangqi.pieces import ADVISOR, BISHOP, CANNON, KING, KNIGHT, PAWN, ROOK

SHELF = Path(__file__).with_name("xiangqi.json")
LONGEST = 7
ADVANTAGE = 200
"""Hundredths of a pawn from which a longer look is worth while."""
PLIES = 160
LAST = 16
"""Plies before the end of a game in which mates are looked for."""

PALACE = (3, 4, 5, 12, 13, 14, 21, 22, 23)
ADVISORS = (3, 5, 13, 21, 23)
ELEPHANTS = (2, 6, 18, 22, 26, 38, 42)
LETTERS = {"R": ROOK, "N": KNIGHT, "C": CANNON, "P": PAWN}
ATTACKS = ("R", "RN", "RC", "RP", "NC", "NP", "CP", "RR", "RNP", "RCP", "NCP", "RNC", "NN", "CC",
           "CCP", "NPP", "RPP", "PPP", "NNC", "RCC", "RNN")  # fmt: skip
COUNTERS = ("", "R", "N", "C", "P", "RP", "RN", "RC", "CP", "NP", "CN", "RR", "PP")


@dataclass(frozen=True)
class Effort:
    """How a seed is worked through.

    Attributes:
        name: of its files.
        looks: nodes of the searches that say whether a mate may be there, each tried where the one
            before saw none but an advantage.
        nodes: positions the prover may look at for one question; what it cannot decide is no
            puzzle.
        memory: words of the prover's memory.
        least: own moves of the shortest mate that is wanted.
        tense: Black has to threaten mate in random positions.
        tries, games: random positions and games of a seed.
    """

    name: str
    looks: tuple[int, ...]
    nodes: int
    memory: int
    least: int
    tense: bool
    tries: int
    games: int


BROAD = Effort("broad", (8_000,), 300_000, 1 << 18, 1, False, 300, 3)
TENSE = Effort("tense", (8_000, 30_000), 600_000, 1 << 19, 3, True, 1500, 0)


@dataclass(frozen=True)
class Found:
    """A puzzle before it is chosen."""

    fen: str
    sure: int
    line: tuple[str, ...]
    theme: str
    measure: Measure

    @property
    def appeal(self) -> float:
        """How much one wants it: a key that hides, a threat to meet, few pieces."""
        one = self.measure
        return (
            2.0 * one.quiet + 1.5 * (one.gift >= 3) + 2.0 * (one.threatened > 0)
            + 0.4 * min(one.tempting, 8) + 1.0 * ("·" in self.theme) - 0.25 * one.pieces
            - 1.0 * (one.spoils > 0) + 0.5 * (self.sure - one.moves)
        )  # fmt: skip


# ---------------------------------------------------------------- where positions come from


def scattered(random: Random) -> Board | None:
    """Few pieces at random, each side's attackers mostly before the other's general; Red moves."""
    codes = np.zeros(90, np.uint8)

    def put(code: int, points: list[int]) -> None:
        free = [sq for sq in points if not codes[sq]]
        if free:
            codes[random.choice(free)] = code

    for color in (RED, BLACK):
        base = 8 * color
        put(KING + base, _seen(color, (*PALACE, 3, 4, 5, 3, 4, 5)))
        for kind, points in ((ADVISOR, ADVISORS), (BISHOP, ELEPHANTS)):
            for _ in range(random.choice((0, 1, 2, 2) if color else (0, 0, 1, 2))):
                put(kind + base, _seen(color, points))
        for letter in random.choice(COUNTERS if color else ATTACKS):
            near = letter == "P" or random.random() < 0.8
            rows = range(45, 90) if near else range(90)
            put(LETTERS[letter] + base, _seen(color, rows))
    return legal(codes)


def _seen(color: int, points: Iterable[int]) -> list[int]:
    """Points of Red as the same points of a colour."""
    return [89 - sq if color else sq for sq in points]


def legal(codes: NDArray[np.uint8]) -> Board | None:
    """The position with Red to move, if it can be and Red is not in check."""
    try:
        board = Board.from_setup(Setup(codes, RED))
    except InvalidPosition:
        return None
    return None if board.is_check() else board


def endings(random: Random, brain: Brain) -> Iterator[Board]:
    """The last positions of a quick game in which the later winner moves, Red in all of them."""
    board = Board()
    for text in random.choice(openings()):
        board.push(text)
    while len(board.move_stack) < PLIES and len(board.legal_moves):
        nodes = random.choice((300, 1000, 3000))
        thought = brain.think(board, Budget(nodes=nodes), noise=30, seed=random.getrandbits(31))[0]
        board.push(Move(thought.move & 127, thought.move >> 7))
        if thought.score < -1500 and len(board.move_stack) > PLIES // 2:
            break
    winner = 1 - board.turn
    for _ in range(min(LAST, len(board.move_stack))):
        board.pop()
        if board.turn == winner:
            one = legal((board if winner == RED else board.swap_colors()).codes.copy())
            if one is not None:
                yield one


# ---------------------------------------------------------------- from a position to a puzzle


class Maker:
    """Makes puzzles of positions, with the same effort for each."""

    def __init__(self, effort: Effort, seed: int) -> None:
        self.effort = effort
        self.random = Random(seed)
        self.brain = Brain(hash_size=4)
        self.prover = Prover(effort.memory)

    def search(self) -> list[Found]:
        """All finds of the seed."""
        found: dict[int, Found] = {}
        for board in self.positions():
            one = self.refine(board)
            if one is not None:
                found[Board(one.fen).key] = one
        return list(found.values())

    def positions(self) -> Iterator[Board]:
        """What the seed looks at."""
        for _ in range(self.effort.games):
            yield from endings(self.random, self.brain)
        for _ in range(self.effort.tries):
            board = scattered(self.random)
            if board is None:
                continue
            if not self.effort.tense or threat(self.prover, board, BLACK) is not None:
                yield board

    def refine(self, board: Board) -> Found | None:
        """The puzzle in a position, if there is one."""
        hoped = self.hoped(board)
        if hoped is None or not self.effort.least <= hoped <= LONGEST:
            return None
        try:
            found = self.key(board, hoped, self.effort.least)
            return None if found is None else self.finished(self.thinned(board, *found), *found)
        except Unproved:
            return None

    def hoped(self, board: Board) -> int | None:
        """Own moves of the mate that a search sees, None where it sees none."""
        for nodes in self.effort.looks:
            self.brain.forget()
            thoughts = self.brain.think(board, Budget(nodes=nodes))
            if not thoughts or thoughts[0].mate is not None or thoughts[0].score < ADVANTAGE:
                return thoughts[0].mate if thoughts else None
        return None

    def key(self, board: Board, most: int, least: int) -> tuple[Move, int] | None:
        """The only first move that mates as fast as can be, and in how many moves; or None."""
        nodes = self.effort.nodes
        moves = self.prover.distance(board, most, nodes=nodes)
        if moves is None or moves < least:
            return None
        right = self.prover.mate(board, moves, nodes=nodes)
        assert right is not None
        other = self.prover.mate(board, moves, barred=right, nodes=nodes)
        return None if other is not None else (right, moves)

    def thinned(self, board: Board, right: Move, moves: int) -> Board:
        """The same puzzle with every piece taken off that changes neither the right move, nor the
        length, nor what Black threatens."""
        menace = threat(self.prover, board, BLACK)
        squares = [sq for sq, code in enumerate(board.codes) if code and code & 7 != KING]
        self.random.shuffle(squares)
        squares.sort(key=lambda sq: int(board.codes[sq]) & 7 in (ADVISOR, BISHOP))
        for sq in squares:
            if sq == right.from_square:
                continue
            codes = board.codes.copy()
            codes[sq] = 0
            fewer = legal(codes)
            try:
                if (
                    fewer is not None
                    and right in fewer.legal_moves
                    and self.key(fewer, moves, moves) == (right, moves)
                    and threat(self.prover, fewer, BLACK) == menace
                ):
                    board = fewer
            except Unproved:
                continue
        return board

    def finished(self, board: Board, right: Move, moves: int) -> Found | None:
        """The puzzle, or None where it is too plain."""
        one = measure(self.prover, board, right, moves)
        too_plain = (
            one.spoils >= WORTH[KNIGHT]
            or (one.spoils and moves == 1)
            or one.tempting < (1 if moves == 1 else 2)
            or (moves >= 4 and not one.threatened and one.pieces > 9)
        )
        if too_plain:
            return None
        sure = self.sure(board, right, moves)
        line = solve(self.prover, board, moves)
        end = board.copy()
        for move in line:
            end.push(move)
        name = pattern(end)
        theme = material(board) + (f"·{name}" if name else "")
        return Found(board.fen(counters=False), sure, tuple(map(str, line)), theme, one)

    def sure(self, board: Board, right: Move, moves: int) -> int:
        """Own moves, up to two more than the mate needs, within which no other first move mates."""
        for more in (moves + 1, moves + 2):
            try:
                other = self.prover.mate(board, more, barred=right, nodes=self.effort.nodes)
            except Unproved:
                return more - 1
            if other is not None:
                return more - 1
        return moves + 2


# ---------------------------------------------------------------- the shelf

WANTED = {1: 12, 2: 36, 3: 40, 4: 30, 5: 20, 6: 12, 7: 10}
"""How many puzzles of each length the shelf holds at most."""
ALIKE = 5
"""Points in which two puzzles have to differ at least, mirrored or not."""
SAME = 5
"""Puzzles of one theme and length on the shelf at most."""
SURE = 5
"""``Puzzle.sure`` goes beyond the length up to here only: plain minimax has to confirm it."""
SHARE = 3
"""One mating pattern has at most this part of a length."""


def choose(found: list[Found]) -> list[Found]:
    """The shelf: of each length the most appealing ones that are not alike."""
    taken: list[Found] = []
    shapes: list[NDArray[np.uint8]] = []
    themes: Counter[tuple[int, str]] = Counter()
    patterns: Counter[tuple[int, str]] = Counter()
    lengths: Counter[int] = Counter()
    for one in sorted(found, key=lambda one: (-one.appeal, one.fen)):
        moves = one.measure.moves
        board = Board(one.fen)
        codes = board.codes.copy()
        mirror = codes.reshape(10, 9)[:, ::-1].reshape(90)
        alike = any(min((s != codes).sum(), (s != mirror).sum()) < ALIKE for s in shapes)
        name = one.theme.partition("·")[2]
        common = name and patterns[moves, name] >= WANTED[moves] // SHARE
        full = lengths[moves] >= WANTED[moves] or themes[moves, one.theme] >= SAME
        if alike or common or full or not board.is_valid():
            continue
        taken.append(one)
        shapes.append(codes)
        lengths[moves] += 1
        themes[moves, one.theme] += 1
        patterns[moves, name] += 1
    return in_order(taken)


def in_order(taken: list[Found]) -> list[Found]:
    """Easy and short ones first; among equals the mating patterns take turns."""
    seen: Counter[tuple[int, int, str]] = Counter()
    keyed: list[tuple[int, int, int, int, Found]] = []
    for one in taken:  # the most appealing first
        place = grade(one.measure), one.measure.moves
        name = one.theme.partition("·")[2]
        keyed.append((*place, seen[*place, name], len(keyed), one))
        seen[*place, name] += 1
    return [one for *_, one in sorted(keyed, key=lambda row: row[:4])]


def row(one: Found) -> dict[str, Any]:
    """A puzzle as it stands in the file."""
    return {
        "fen": one.fen,
        "moves": one.measure.moves,
        "sure": min(one.sure, max(one.measure.moves, SURE)),
        "line": " ".join(one.line),
        "theme": one.theme,
        "grade": grade(one.measure),
    }


def write(path: Path, rows: list[dict[str, Any]]) -> None:
    """A JSON list, one row a line."""
    lines = ",\n".join(json.dumps(one, ensure_ascii=False) for one in rows)
    part = path.with_suffix(".part")
    part.write_text(f"[\n{lines}\n]\n", "utf-8")
    part.replace(path)


def read(path: Path) -> list[Found]:
    """The finds of a file."""
    return [
        Found(**{**one, "line": tuple(one["line"]), "measure": Measure(**one["measure"])})
        for one in json.loads(path.read_text("utf-8"))
    ]


@click.command()
@click.argument("folder", type=click.Path(path_type=Path, file_okay=False))
@click.option("--broad", default=25, show_default=True, help="Seeds for mates of any length.")
@click.option("--tense", default=50, show_default=True, help="Seeds in which Black threatens.")
@click.option("--shelf", type=click.Path(path_type=Path), default=SHELF, help="File to write.")
def main(folder: Path, broad: int, tense: int, shelf: Path) -> None:
    """Make the shelf of puzzles; FOLDER keeps what each seed found."""
    folder.mkdir(parents=True, exist_ok=True)
    work = [(BROAD, seed) for seed in range(1, broad + 1)]
    work += [(TENSE, seed) for seed in range(1, tense + 1)]
    found = []
    for effort, seed in tqdm(work, desc="puzzles", unit="seed", disable=None):
        path = folder / f"{effort.name}-{seed:05d}.json"
        if not path.exists():
            write(path, [asdict(one) for one in Maker(effort, seed).search()])
        found += read(path)
    write(shelf, [row(one) for one in choose(found)])


if __name__ == "__main__":
    main()
