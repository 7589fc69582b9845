"""Whole games as text, and as the action lists of OpenSpiel.

No file format for 跳棋 is in common use, so ours follows PGN: tags in brackets, numbered rounds, a
result at the end, remarks in braces. ``Rules`` names a preset, ``Switches`` lists what differs from
it, ``Position`` gives another start than the preset's.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from itertools import pairwise
from pathlib import Path
from typing import Any

from checkers.board import Board
from checkers.game import Game, Skipped
from checkers.geometry import NEIGHBOURS
from checkers.move import Move
from checkers.notation import EMPTY
from checkers.paths import jumps
from checkers.rules import PRESETS, Rules
from qikit.errors import GameError, IllegalMove, InvalidMove, InvalidRecord

_TAG = re.compile(r'^\s*\[(\w+)\s+"((?:[^"\\]|\\.)*)"\s*\]\s*$')
_TOKEN = re.compile(r"\{([^}]*)\}|(\d+\.+)|(\S+)")
_PLACES = ("Rules", "Switches", "Position", "Result")
_RESULT = re.compile(r"1-0|0-1|1/2-1/2|\*|[A-F]{1,6}")


# ---- text -------------------------------------------------------------------------------------


def _switches(rules: Rules) -> tuple[str, dict[str, Any]]:
    """The preset that is nearest to the rules, and what differs from it."""
    values = asdict(rules)

    def changes(name: str) -> dict[str, Any]:
        preset = asdict(Rules.preset(name))
        return {key: value for key, value in values.items() if preset[key] != value}

    nearest = min(PRESETS, key=lambda name: len(changes(name)))
    return nearest, changes(nearest)


def dumps(game: Game) -> str:
    """The text of a game, the way of every turn written out.

    >>> game = Game(headers={"Event": "例"})
    >>> _ = game.add("c1:e7"), game.add("n1:m5", "{稳}")
    >>> print(dumps(game))
    [Event "例"]
    [Rules "club2008"]
    [Result "*"]
    <BLANKLINE>
    1. c1>e7 n1-m5 {稳} *
    <BLANKLINE>
    """
    board = game.root()
    name, changed = _switches(board.rules)
    tags = {key: value for key, value in game.headers.items() if key not in _PLACES}
    tags["Rules"] = name
    if changed:
        tags["Switches"] = json.dumps(changed, ensure_ascii=False)
    if game.start is not None:
        tags["Position"] = game.start
    tags["Result"] = game.result
    lines = []
    for key, value in tags.items():
        quoted = value.replace("\\", "\\\\").replace('"', '\\"')
        lines.append(f'[{key} "{" ".join(quoted.split())}"]')
    words = _remark(game.remarks.get(0, ""))
    seats = len(board.camps)
    for ply, (move, before) in enumerate(game.boards()):
        if ply % seats == 0:
            words.append(f"{ply // seats + 1}.")
        words.append(before.notation(move))
        words += _remark(game.remarks.get(ply + 1, ""))
    words.append(game.result)
    return "\n".join([*lines, "", *_wrapped(words), ""])


def _remark(text: str) -> list[str]:
    plain = " ".join(text.replace("{", "").replace("}", "").split())
    return [f"{{{plain}}}"] if plain else []


def _wrapped(words: Iterable[str], width: int = 96) -> Iterator[str]:
    line = ""
    for word in words:
        if line and len(line) + 1 + len(word) > width:
            yield line
            line = word
        else:
            line = f"{line} {word}".lstrip()
    if line:
        yield line


def loads(text: str) -> list[Game]:
    """The games of a text. A turn that is not legal ends its game; ``defects`` tell where and why.

    So they do of a ``Result`` that is none, and of text before the first tag that is no game.

    Raises:
        InvalidRecord: there is no game in the text (neither tags nor a turn nor a result), or tags
            name rules or a position that cannot be.

    >>> loads("1. c1>e7 n1-m5 2. a1:i5 *")[0].defects[0].ply
    3
    """
    games: list[Game] = []
    stray: list[Skipped] = []
    for tags, body in _split(text):
        if not tags and not _is_game(body):
            stray.append(Skipped(0, body[:80], "不是棋局 (no game)"))
            continue
        game = _read_game(tags, body)
        game.defects[:0] = stray
        stray = []
        games.append(game)
    if not games:
        raise InvalidRecord(
            "没有找到棋局：没有标签，也没有着法 (no game found: neither tags nor moves)", text=text
        )
    return games


def _is_game(body: str) -> bool:
    """Whether text without tags begins, after remarks, with a turn (of any board) or a result."""
    for match in _TOKEN.finditer(body):
        word = _word(match)
        if word:
            try:
                return bool(_RESULT.fullmatch(word)) or Move.parse(word) is not None
            except InvalidMove:
                return False
            except IllegalMove:
                return True
    return False


def _word(match: re.Match[str]) -> str:
    """The turn or result of a token, without the number in front; empty for all else."""
    return re.sub(r"^\d+\.+", "", match[3] or "")


def _split(text: str) -> Iterator[tuple[dict[str, str], str]]:
    """Tags and move text of each game."""
    tags: dict[str, str] = {}
    body: list[str] = []
    inside = False  # in a remark that spans lines
    for line in text.lstrip("\ufeff").splitlines():
        match = None if inside else _TAG.match(line)
        if match:
            if body:
                yield tags, "\n".join(body)
                tags, body = {}, []
            tags[match[1]] = re.sub(r"\\(.)", r"\1", match[2])
        elif line.strip():
            body.append(line)
            for sign in line:
                inside = sign == "{" if sign in "{}" else inside
    if tags or body:
        yield tags, "\n".join(body)


def _read_game(tags: dict[str, str], body: str) -> Game:
    try:
        changes = json.loads(tags.get("Switches", "{}"))
        if not isinstance(changes, dict):
            raise ValueError(f"Switches 要写成 {{名字: 值}} (an object): {tags['Switches']!r}")
        if isinstance(changes.get("teams"), list):
            changes["teams"] = tuple(changes["teams"])
        rules = Rules.preset(tags.get("Rules", "club2008"), **changes)
        game = Game(start=tags.get("Position"), rules=rules)
        board = game.root()
    except (ValueError, TypeError, AttributeError, RecursionError) as error:
        raise InvalidRecord(f"棋局的标签不对 (bad tags): {error}", text=str(tags)) from None
    game.headers = {key: value for key, value in tags.items() if key not in _PLACES}
    result = tags.get("Result", "*")
    if _RESULT.fullmatch(result):
        game.result = result
    else:
        game.defects.append(
            Skipped(0, result, "没有这样的结果 (a result is 1-0, 0-1, 1/2-1/2, * or camp letters)")
        )
    for match in _TOKEN.finditer(body):
        remark, number, word = match.groups()
        ply = len(game.moves)
        if remark is not None:
            game.remarks[ply] = " ".join(f"{game.remarks.get(ply, '')} {remark}".split())
        elif number is None:
            word = _word(match)
            if _RESULT.fullmatch(word):
                game.result = word
                continue
            try:
                game.moves.append(board.push(word))
            except GameError as error:
                game.defects.append(Skipped(ply + 1, word, str(error)))
                break  # what follows belongs to a position that we do not have
    return game


def read(path: Path | str) -> list[Game]:
    """The games of a file (UTF-8, or GB 18030).

    Raises:
        InvalidRecord: it cannot be read, or holds no game.
    """
    try:
        data = Path(path).read_bytes()
    except OSError as error:
        raise InvalidRecord(f"{path} 读不了 (cannot be read): {error.strerror}") from None
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = data.decode("gb18030", "replace")
    return loads(text)


def write(games: Iterable[Game], path: Path | str) -> None:
    """Write games to a file (UTF-8)."""
    Path(path).write_text("\n".join(dumps(game) for game in games), "utf-8")


# ---- OpenSpiel --------------------------------------------------------------------------------

_PEER_DIRECTIONS = (4, 5, 3, 0, 2, 1)
"""Direction of an OpenSpiel action -> ours."""
_END_OF_TURN = 726
_RULES = "openspiel"


def _further(board: Board, move_start: int, holes: list[int]) -> bool:
    """Whether a chain that has used ``holes`` could go on."""
    owners = list(board.owners)
    camp = owners[move_start]
    owners[move_start] = EMPTY
    return any(
        owners[land] == EMPTY and land not in holes
        for land in jumps(owners, board.rules, camp, holes[-1])
    )


def to_openspiel(game: Game) -> list[int]:
    """The action ids with which OpenSpiel's ``chinese_checkers`` plays a game.

    An action is ``6 * hole + direction``, 726 ends a chain that could go on, or passes.

    Raises:
        InvalidRecord: the game has long jumps, side camps or another start than OpenSpiel knows.
    """
    board = game.root()
    if board.rules.jump != "short" or board.fen() != Board.start(len(board.camps)).fen():
        raise InvalidRecord("OpenSpiel 没有这样的开局或规则 (OpenSpiel has no such start or rules)")
    ours = {direction: k for k, direction in enumerate(_PEER_DIRECTIONS)}
    actions: list[int] = []
    for move, before in game.boards():
        if not move:
            actions.append(_END_OF_TURN)
            continue
        path = before.path(move)
        step = path[1] in NEIGHBOURS[path[0]]
        for start, end in pairwise(path):
            direction = next(
                d
                for d in range(6)
                if end == (over := int(NEIGHBOURS[start, d]))
                or (not step and over >= 0 and end == int(NEIGHBOURS[over, d]))
            )
            actions.append(6 * start + ours[direction])
        if not step and _further(before, path[0], list(path)):
            actions.append(_END_OF_TURN)
    return actions


def from_openspiel(actions: Iterable[int], seats: int = 2) -> Game:
    """The game of a list of OpenSpiel action ids.

    Raises:
        InvalidMove: an id that names no action (the place in the list is told).
        IllegalMove: an action that is not possible there.
    """
    board = Board.start(seats, rules=_RULES)
    chain: list[int] = []
    for index, action in enumerate(actions):
        if action == _END_OF_TURN:
            board.push(Move(chain[0], chain[-1]) if chain else Move.PASS)
            chain = []
            continue
        if not 0 <= action < _END_OF_TURN:
            raise InvalidMove(
                f"第 {index} 个动作编号不对 (no such action): {action}", text=str(action)
            )
        start, direction = action // 6, _PEER_DIRECTIONS[action % 6]
        near = int(NEIGHBOURS[start, direction])
        held = near >= 0 and board.piece_at(near) is not None
        end = int(NEIGHBOURS[near, direction]) if held else near
        if end < 0 or (chain and (start != chain[-1] or not held)):
            raise IllegalMove(
                f"第 {index} 个动作走不了 (not possible): {action}",
                text=str(action),
                position=board.fen(),
            )
        if not held:
            board.push(Move(start, end))
            continue
        chain = [*(chain or [start]), end]
        if not _further(board, chain[0], chain):
            board.push(Move(chain[0], chain[-1]))
            chain = []
    if chain:
        raise IllegalMove("最后一着没有走完 (the last turn is not finished)", position=board.fen())
    return Game.from_board(board)


__all__ = ["dumps", "from_openspiel", "loads", "read", "to_openspiel", "write"]
