"""Plain slow twin of the junqi room, written from the rules page and the table of the boards.

A position is a dict from point names to (seat, letter) and a few plain values; nothing is kept
between two questions.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

ORDER = "abcdefghi"
"""Movable kinds that fight by rank, the highest first."""
MODEL = json.loads((Path(__file__).parents[1] / "data" / "junqi_board.json").read_text("utf-8"))[
    "boards"
]


class Table:
    """One board of the data file, by point names."""

    def __init__(self, board: str) -> None:
        model: dict[str, Any] = MODEL[board]
        name = {node["id"]: node["name"] for node in model["nodes"]}
        self.type = {node["name"]: node["type"] for node in model["nodes"]}
        self.names = list(name.values())
        self.zone = {node["name"]: node["seat"] for node in model["nodes"]}
        self.row = {node["name"]: node["row"] for node in model["nodes"]}
        self.roads: dict[str, set[str]] = {n: set() for n in self.names}
        self.rails: dict[str, set[str]] = {n: set() for n in self.names}
        for a, b in model["road_edges"]:
            self.roads[name[a]].add(name[b])
            self.roads[name[b]].add(name[a])
        for a, b in model["rail_edges"]:
            self.rails[name[a]].add(name[b])
            self.rails[name[b]].add(name[a])
        self.lines = [[name[i] for i in line["nodes"]] for line in model["rail_lines"]]
        self.seats = len(model["seats"])


TABLES = {board: Table(board) for board in MODEL}


@dataclass
class Position:
    """A game in progress."""

    board: str
    cells: dict[str, tuple[int, str]]
    turn: int
    alive: list[bool]
    quiet: int = 0
    shown: list[bool] = field(default_factory=lambda: [False] * 4)
    result: list[Any] | None = None
    mine_survives: bool = True
    flag_reveal: bool = True
    quiet_limit: int = 70

    def copy(self) -> Position:
        twin = Position(**self.__dict__)
        twin.cells, twin.alive, twin.shown = dict(self.cells), list(self.alive), list(self.shown)
        return twin


def allied(a: int, b: int) -> bool:
    return a % 2 == b % 2


def can_take(position: Position, seat: int, point: str) -> bool:
    """Whether a piece of ``seat`` may end on that point."""
    if point not in position.cells:
        return True
    if TABLES[position.board].type[point] == "camp":
        return False
    return not allied(position.cells[point][0], seat)


def targets(position: Position, start: str) -> set[str]:
    """Where the piece on ``start`` may go, were it its turn."""
    table = TABLES[position.board]
    seat, letter = position.cells[start]
    if letter in "jl" or table.type[start] == "hq":
        return set()
    found = {point for point in table.roads[start] if can_take(position, seat, point)}
    if letter == "i":
        seen, waiting = {start}, [start]
        while waiting:
            for point in table.rails[waiting.pop()] - seen:
                seen.add(point)
                if point not in position.cells:
                    waiting.append(point)
                    found.add(point)
                elif can_take(position, seat, point):
                    found.add(point)
    else:
        for line in table.lines:
            if start not in line:
                continue
            at = line.index(start)
            for way in (line[at + 1 :], list(reversed(line[:at]))):
                for point in way:
                    if can_take(position, seat, point):
                        found.add(point)
                    if point in position.cells:
                        break
    return found


def moves(position: Position, seat: int | None = None) -> set[str]:
    """The legal moves as text; none after the end."""
    if position.result is not None:
        return set()
    seat = position.turn if seat is None else seat
    return {
        f"{start}-{target}"
        for start, (owner, _) in position.cells.items()
        if owner == seat
        for target in targets(position, start)
    }


def fight(attacker: str, defender: str, mine_survives: bool) -> str:
    """``A`` attacker stays, ``D`` defender stays, ``=`` both leave."""
    if attacker == "k" or defender == "k":
        return "="
    if defender == "l":
        return "A"
    if defender == "j":
        if attacker == "i":
            return "A"
        return "D" if mine_survives else "="
    if attacker == defender:
        return "="
    return "A" if ORDER.index(attacker) < ORDER.index(defender) else "D"


def put_out(position: Position, seat: int) -> None:
    position.alive[seat] = False
    position.cells = {p: c for p, c in position.cells.items() if c[0] != seat}


def lost_team(position: Position) -> int | None:
    for team in (0, 1):
        members = [s for s in range(TABLES[position.board].seats) if s % 2 == team]
        if not any(position.alive[s] for s in members):
            return team
    return None


def pass_turn(position: Position) -> None:
    """Give the turn to the next living seat that can move; those that cannot go out."""
    seats = TABLES[position.board].seats
    seat = position.turn
    while True:
        team = lost_team(position)
        if team is not None:
            position.result = ["win", 1 - team]
            return
        seat = (seat + 1) % seats
        if position.alive[seat]:
            position.turn = seat
            if moves(position, seat):
                return
            put_out(position, seat)


def play(position: Position, move: str) -> Position:
    """The position after a legal move."""
    new = position.copy()
    start, target = move.split("-")
    seat, letter = new.cells.pop(start)
    if target not in position.cells:
        new.cells[target] = (seat, letter)
        new.quiet += 1
    else:
        other, defender = position.cells[target]
        outcome = fight(letter, defender, new.mine_survives)
        new.quiet = 0
        if outcome in "A=":
            del new.cells[target]
            if defender == "a" and new.flag_reveal:
                new.shown[other] = True
        if outcome == "A":
            new.cells[target] = (seat, letter)
        elif letter == "a" and new.flag_reveal:
            new.shown[seat] = True
        if defender == "l":
            put_out(new, other)
    pass_turn(new)
    if new.result is None and new.quiet_limit and new.quiet >= new.quiet_limit:
        new.result = ["draw", None]
    return new
