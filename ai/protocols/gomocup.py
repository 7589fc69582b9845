"""五子棋 engine for managers and graphical programs: the Gomocup (Piskvork) protocol.

Also the extensions of the Yixin and Rapfi programs that such programs use, and ``SHOWFORBID`` and
analysis mode of AlphaGomoku's. Coordinates are ``x,y`` from 0 with y counted from the top.

The main thread reads commands and answers those that cannot wait (``END``, ``STOP``); everything
else is done in order by a worker, so a command that follows a move at once is never lost.
"""

from __future__ import annotations

import re
import sys
import time
from collections.abc import Callable, Mapping
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

from ai.player import Budget, Choice, Player
from ai.simple import RandomPlayer
from ai.threat_player import ThreatPlayer
from ai.transport import LineTransport
from ai.worker import Task, Worker
from qikit import GameError

if TYPE_CHECKING:
    from gomoku import Board, Move

Players = Mapping[str, Callable[[int | None], Player]]
"""Name of a player -> maker, called with the seed (or ``None``)."""

SIMPLE_PLAYERS: Players = {
    "threats": ThreatPlayer,
    "random": RandomPlayer,
}

MARGIN = 0.1
"""Seconds of every limit (half of it at most) kept for the pipe and a busy machine."""
FAREWELL = 10.0
"""Seconds after END in which commands that came before it are still answered."""
LONGEST_ERROR = 200
"""Characters of an error that are sent; the rest quotes what was sent to us."""
UNLIMITED = 2_147_483_647
SHARE = 15
"""A move may take this part of the time left for the match."""
_PAIR = re.compile(r"\s*(-?\d+)\s*,\s*(-?\d+)\s*", re.ASCII)
_TRIPLE = re.compile(r"\s*(-?\d+)\s*,\s*(-?\d+)\s*,\s*(\d+)\s*", re.ASCII)
_BLOCKS = {
    "BOARD",
    "YXBOARD",
    "SWAP2BOARD",
    "SHOWFORBID",
    "YXBLOCK",
    "YXBLOCKUNDO",
    "YXBLOCKPATH",
    "YXBLOCKPATHUNDO",
}
"""Commands that are followed by lines up to ``DONE``."""
_IGNORED = {"YXBLOCKPATHRESET", "YXPRINTFEATURE", "YXDRAW", "YXRESIGN", "PONDER"}
_UNSUPPORTED = re.compile(
    r"YX(HASHDUMP|HASHLOAD|.*DATABASE.*|DB.*|LIBTODB|TXTTODB)|RELOADCONFIG|LOADMODEL|EXPORTMODEL"
    r"|TRACESEARCH|SWAP1STBOARD|SWAPBOARD|SWAP5STEP\d|PROBOARD|LONGPROBOARD|RIFSTEP\d|BALANCE"
)
_ENOUGH = 60
"""Difference of shapes (see ``Board.evaluation``) that makes a side clearly better."""


def memory_in_use() -> int:
    """Most bytes that this process has held so far; an estimate where the system does not say."""
    if sys.platform == "win32":
        return 160_000_000
    import resource

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (
        1 if sys.platform == "darwin" else 1024
    )


def _integer(text: str) -> int | None:
    from gomoku.notation import parse_integer

    return parse_integer(text)


class Refusal(Exception):
    """A command that is known but cannot be done; its text goes behind ``ERROR``."""


class GomocupEngine:
    """Serves one manager until it ends or goes away.

    Args:
        link: where the commands come from.
        players: who can play, the first one by default.
        player: name of the player.
        seed: fixed seed for what is left to chance.
    """

    def __init__(
        self,
        link: LineTransport,
        players: Players = SIMPLE_PLAYERS,
        *,
        player: str | None = None,
        seed: int | None = None,
    ) -> None:
        self._link = link
        self._make_player = players[player or next(iter(players))]
        self._seed = seed
        self._player: Player | None = None
        self._worker = Worker(on_failure=link.hang_up)
        self._info: dict[str, str] = {}
        self._size = 15
        self._board: Board | None = None
        self._stones: list[tuple[Move, int]] = []
        self._turn = 0
        self._blocked: set[Move] = set()
        self._gui = False
        self._began = time.monotonic()
        self._block: tuple[str, list[str], float] | None = None

    def run(self) -> None:
        """Answer commands until ``END``, the end of the input or a broken pipe.

        Raises:
            BaseException: whatever a player or a board raised; the process should end with it.
        """
        for line in self._link:
            if line.split()[0].upper() == "END":
                self._worker.halt()
                # a stopped search still prints its move, and what stood before it its answer
                self._worker.wait(FAREWELL)
                break
            self._line(line)
        else:
            while self._link.connected and not self._worker.wait(0.05):
                pass
            self._worker.halt()
        if self._worker.failure is not None:
            raise self._worker.failure

    # Commands, on the main thread

    def _line(self, line: str) -> None:
        word, _, rest = line.partition(" ")
        word = word.upper()
        if self._block is not None:
            name, lines, began = self._block
            if word != "DONE":
                lines.append(line)
                return
            self._block = None
            self._submit(name, lines, began)
        elif word in _BLOCKS:
            self._block = (word, [], time.monotonic())
        elif word in ("STOP", "YXSTOP"):
            self._worker.halt()
        else:
            self._submit(word, [rest.strip()], time.monotonic())

    def _submit(self, name: str, lines: list[str], began: float) -> None:
        searches = name in ("BEGIN", "TURN", "BOARD", "PLAY", "SWAP2BOARD") or name.startswith(
            ("YXNBEST", "YXBALANCE", "YXSWAP2", "YXSOOSORV", "YXSEARCHDEFEND")
        )
        self._worker.submit(lambda task: self._do(task, name, lines, began), search=searches)

    # Work, on the worker's thread

    def _do(self, task: Task, name: str, lines: list[str], began: float) -> None:
        try:
            action = getattr(self, f"_do_{name.lower()}", None)
            if action is not None:
                action(lines, task, began)
            elif match := re.fullmatch(r"(YXSWAP2STEP|YXSOOSORVSTEP)(\d)", name):
                self._enter_gui_mode()
                steps = self._swap2_step if match[1] == "YXSWAP2STEP" else self._soosorv_step
                steps(int(match[2]), task, began)
            elif name in _IGNORED or name.startswith("YXBLOCKPATH"):
                self._say(f"{name} is not used by this engine")
            elif _UNSUPPORTED.fullmatch(name):
                raise Refusal(f"{name} 不支持 (not supported)")
            else:
                self._link.send(f"UNKNOWN command {name[:40]!r}")
        except (Refusal, GameError) as error:
            self._link.send(f"ERROR {' '.join(str(error).split())[:LONGEST_ERROR]}")

    def _do_start(self, lines: list[str], task: Task, began: float) -> None:
        self._start(lines[0])

    def _do_rectstart(self, lines: list[str], task: Task, began: float) -> None:
        match = _PAIR.fullmatch(lines[0])
        if match is None or match[1] != match[2]:
            raise Refusal(f"只支持方形棋盘 (only square boards): {lines[0]}")
        self._start(match[1])

    def _start(self, text: str) -> None:
        from gomoku.geometry import MAX_SIZE, MIN_SIZE

        size = _integer(text)
        if size is None or not MIN_SIZE <= size <= MAX_SIZE:
            raise Refusal(
                f"棋盘须为 {MIN_SIZE} 至 {MAX_SIZE} 路 (board size not supported): {text!r}"
            )
        self._size = size
        self._began = time.monotonic()
        self._new_game()
        self._warm()
        self._link.send("OK")

    def _warm(self) -> None:
        """Load the kernels now: the time of START does not count as thinking."""
        player = self._player_now()
        player.choose(self._board_now().copy(), Budget(time=0.05, nodes=1))

    def _do_restart(self, lines: list[str], task: Task, began: float) -> None:
        self._began = time.monotonic()
        self._new_game()
        self._link.send("OK")

    def _new_game(self) -> None:
        self._clear()
        self._blocked = set()
        self._player = None

    def _do_info(self, lines: list[str], task: Task, began: float) -> None:
        key, _, value = lines[0].partition(" ")
        key = key.lower()
        if re.fullmatch(r"-?\d+", value.strip()) and _integer(value) is None:
            raise Refusal(f"INFO {key[:40]} 的数过长 (number too long): {value}")
        self._info[key] = value.strip()
        if key == "rule":
            self._forget_board()
        elif key == "max_memory":
            self._player = None
        elif key in ("show_detail", "thread_num", "caution_factor"):
            self._enter_gui_mode()
        elif key == "evaluate":
            match = _PAIR.fullmatch(value)
            move = self._on_board(match)
            if match is not None and move is not None:
                worth = self._board_now().worth()[move.y, move.x]
                self._link.send(f"DEBUG {value} black {worth[0]} white {worth[1]}")

    def _do_begin(self, lines: list[str], task: Task, began: float) -> None:
        self._answer(task, began)

    def _do_turn(self, lines: list[str], task: Task, began: float) -> None:
        self._put(self._read_point(lines[0]))
        self._answer(task, began)

    def _do_play(self, lines: list[str], task: Task, began: float) -> None:
        move = self._read_point(lines[0])
        self._put(move)
        self._link.send(self._text(move))

    def _do_board(self, lines: list[str], task: Task, began: float) -> None:
        self._set_up(lines)
        self._answer(task, began)

    def _do_yxboard(self, lines: list[str], task: Task, began: float) -> None:
        self._enter_gui_mode()
        self._set_up(lines)

    def _do_takeback(self, lines: list[str], task: Task, began: float) -> None:
        move = self._read_point(lines[0])
        for place in range(len(self._stones) - 1, -1, -1):
            if self._stones[place][0] == move:
                turn = self._stones[place][1]
                del self._stones[place]
                self._rebuild(turn)
                self._link.send("OK")
                return
        raise Refusal(f"{lines[0]} 上没有棋子 (no stone there)")

    def _do_about(self, lines: list[str], task: Task, began: float) -> None:
        self._link.send(
            f'name="Qiyuan", version="{version("qiyuan-games")}", '
            'author="the Qiyuan contributors", country="CN", www="", email=""'
        )

    def _do_swap2board(self, lines: list[str], task: Task, began: float) -> None:
        if len(lines) not in (0, 3, 5):
            raise Refusal(f"SWAP2BOARD 应有 0、3 或 5 行，而不是 {len(lines)} 行 (0, 3 or 5 lines)")
        self._place_in_turn(lines)
        if not lines:
            self._link.send(" ".join(map(self._text, self._three_stones())))
            return
        better = self._better_side(task, began)
        board = self._board_now()
        if better == 0:
            self._link.send("SWAP")
        elif better is None and len(lines) == 3:
            self._link.send(" ".join(map(self._text, self._balancing_pair(board))))
        else:
            self._link.send(self._text(self._think(task, began).move))

    # Yixin, Rapfi, AlphaGomoku

    def _do_yxshowforbid(self, lines: list[str], task: Task, began: float) -> None:
        points = self._board_now().forbidden_points()
        pairs = (self._xy(move) for move in points)
        self._link.send("FORBID " + "".join(f"{x:02}{y:02}" for x, y in pairs) + ".")

    def _do_showforbid(self, lines: list[str], task: Task, began: float) -> None:
        self._set_up(lines)
        points = self._board_now().forbidden_points()
        self._link.send(" ".join(["FORBID", *map(self._text, points)]))

    def _do_yxshowinfo(self, lines: list[str], task: Task, began: float) -> None:
        self._enter_gui_mode()
        self._link.send("MESSAGE INFO MAX_THREAD_NUM 1", "MESSAGE INFO MAX_HASH_SIZE 32768")

    def _do_yxhashclear(self, lines: list[str], task: Task, began: float) -> None:
        self._player = None

    _do_clearhash = _do_yxhashclear

    def _do_yxshowhashusage(self, lines: list[str], task: Task, began: float) -> None:
        self._say("the tables are emptied before every search")

    def _do_protocolversion(self, lines: list[str], task: Task, began: float) -> None:
        self._link.send("1,0")

    def _do_yxblock(self, lines: list[str], task: Task, began: float) -> None:
        self._blocked |= {self._read_point(line) for line in lines}

    def _do_yxblockundo(self, lines: list[str], task: Task, began: float) -> None:
        self._blocked -= {self._read_point(line) for line in lines}

    def _do_yxblockreset(self, lines: list[str], task: Task, began: float) -> None:
        self._blocked = set()

    def _do_yxnbest(self, lines: list[str], task: Task, began: float) -> None:
        """The ``n`` best moves one after another, each with the better ones left out."""
        wanted = _integer(lines[0] or "1")
        if wanted is None:
            raise Refusal(f"YXNBEST 后应为着法数 (not a number of moves): {lines[0]}")
        moves = self._candidates()
        wanted = max(min(wanted, len(moves)), 1)
        choices: list[Choice] = []
        while len(choices) < wanted and (not choices or task.next_part()):
            choice = self._think(task, began, moves, parts=wanted)
            moves.remove(choice.move)
            choices.append(choice)
            self._link.send(f"MESSAGE {len(choices)}. {self._describe(choice)}")
        self._play(choices[0])

    def _do_yxsearchdefend(self, lines: list[str], task: Task, began: float) -> None:
        self._link.send(f"MESSAGE DEFEND {self._text(self._think(task, began).move)}")

    def _do_yxbalanceone(self, lines: list[str], task: Task, began: float) -> None:
        self._link.send(self._text(self._balancing_move(self._board_now())))

    def _do_yxbalancetwo(self, lines: list[str], task: Task, began: float) -> None:
        self._link.send(" ".join(map(self._text, self._balancing_pair(self._board_now()))))

    def _do_traceboard(self, lines: list[str], task: Task, began: float) -> None:
        for row in str(self._board_now()).splitlines():
            self._link.send(f"MESSAGE {row}")

    def _do_bench(self, lines: list[str], task: Task, began: float) -> None:
        board = self._board_now()
        kernel, state, patterns, constants = board.copy().kernel_arrays()
        import numpy as np

        moves = np.array([m.point(board.size) for m in board.empty_points()[::5]][:40], np.int64)
        if not len(moves):
            raise Refusal("没有空点可以测速 (no empty point to play on)")
        start = time.thread_time()
        kernel.churn(state, patterns, constants, moves, 200_000 // len(moves))
        seconds = max(time.thread_time() - start, 1e-9)
        self._say(f"{200_000 / seconds / 1e6:.2f} M make+unmake/s")

    # Opening dialogues

    def _swap2_step(self, step: int, task: Task, began: float) -> None:
        if step == 1:
            self._clear()
            for number, move in enumerate(self._three_stones(), 1):
                x, y = self._xy(move)
                self._link.send(f"MESSAGE SWAP2 MOVE{number} {x} {y}")
            return
        better = self._better_side(task, began)
        if step == 2 and better is None:
            self._link.send("MESSAGE SWAP2 SWAP1 NO")
            for number, move in enumerate(self._balancing_pair(self._board_now()), 4):
                x, y = self._xy(move)
                self._link.send(f"MESSAGE SWAP2 MOVE{number} {x} {y}")
            return
        word = "YES" if better == 0 else "NO"
        self._link.send(f"MESSAGE SWAP2 SWAP{min(step - 1, 2)} {word}")

    def _soosorv_step(self, step: int, task: Task, began: float) -> None:
        """Opening, swap, fourth stone and number, swap, fifth stones, the one to keep."""
        from gomoku.openings import images_of

        board = self._board_now()
        if step == 1:
            self._clear()
            for number, move in enumerate(self._three_stones(renju=True), 1):
                x, y = self._xy(move)
                self._link.send(f"MESSAGE SOOSORV MOVE{number} {x} {y}")
        elif step in (2, 4):
            word = "YES" if self._better_side(task, began) == board.turn else "NO"
            self._link.send(f"MESSAGE SOOSORV SWAP{step // 2} {word}")
        elif step == 3:
            x, y = self._xy(self._balancing_move(board))
            self._link.send(f"MESSAGE SOOSORV MOVE4 {x} {y}", "MESSAGE SOOSORV MOVE5NUM 2")
        elif step == 5:
            offered: list[Move] = []
            for move in self._by_balance(board):
                if not images_of(board, move) & set(offered):
                    offered.append(move)
                if len(offered) == 2:
                    break
            for move in offered:
                x, y = self._xy(move)
                self._link.send(f"MESSAGE SOOSORV MOVE5 {x} {y}")
        else:
            self._link.send(f"MESSAGE SOOSORV MOVE6 {self._text(self._think(task, began).move)}")

    def _three_stones(self, *, renju: bool = False) -> list[Move]:
        """Three stones after which neither side stands clearly better, off the beaten centre."""
        from random import Random

        from gomoku.openings import named_openings

        board = self._board_now()
        if renju and self._size == 15:
            return list(Random(self._seed).choice(named_openings()).moves)
        rng = Random(self._seed)
        best: list[Move] = []
        best_value = float("inf")
        last, ring = self._size - 1, max(self._size // 5, 1)
        points = [
            move
            for move in type(board)(size=self._size).empty_points()
            if abs(min(move.x, move.y, last - move.x, last - move.y) - ring) <= 1
        ]
        for _ in range(60):
            stones = rng.sample(points, 3)
            trial = type(board)(size=self._size, rules=board.rules)
            for move in stones:
                trial.push_unchecked(move)
            value = abs(self._balance(trial))
            if value < best_value:
                best, best_value = stones, value
        return best

    def _balance(self, board: Board) -> float:
        """Shapes of black less those of white, the move counted as half a shape."""
        turn_bonus = 25 if board.turn == 0 else -25
        return board.evaluation + turn_bonus

    def _better_side(self, task: Task, began: float) -> int | None:
        """The side that stands clearly better, ``None`` if neither does."""
        from gomoku import Solver

        board = self._board_now()
        solver = Solver(task.stop)
        first, _ = solver.vct_move(board, 12, max_nodes=4000)
        if first is not None:
            return board.turn
        balance = self._balance(board)
        if abs(balance) < _ENOUGH:
            return None
        return 0 if balance > 0 else 1

    def _by_balance(self, board: Board) -> list[Move]:
        values = {}
        for move in board.legal_moves:
            board.push_unchecked(move)
            values[move] = abs(self._balance(board))
            board.pop()
        return sorted(values, key=lambda move: (values[move], move))

    def _balancing_move(self, board: Board) -> Move:
        ordered = self._by_balance(board)
        if not ordered:
            raise Refusal("没有可下的点 (no move)")
        return ordered[0]

    def _balancing_pair(self, board: Board) -> tuple[Move, Move]:
        """Two stones, one of each side, that leave the position level."""
        worth = board.worth().sum(axis=2)
        near = sorted(board.legal_moves, key=lambda move: -int(worth[move.y, move.x]))[:24]
        best = None
        best_value = float("inf")
        for first in near:
            board.push_unchecked(first)
            for second in near:
                if second == first or not board.is_legal(second):
                    continue
                board.push_unchecked(second)
                value = abs(self._balance(board))
                board.pop()
                if value < best_value:
                    best, best_value = (first, second), value
            board.pop()
        if best is None:
            raise Refusal("没有可下的点 (no move)")
        return best

    # The position

    def _rules(self) -> Any:
        """The rule set that ``INFO rule`` names; 2 is renju for Yixin's programs."""
        from gomoku import CARO_EXACT, CARO_OVERLINE, FREESTYLE, RENJU, STANDARD

        text = self._info.get("rule", "0")
        bits = max(_integer(text) or 0, 0)
        if bits & 4 or (bits == 2 and self._gui):
            return RENJU
        if bits & 8:
            return CARO_EXACT if bits & 1 else CARO_OVERLINE
        return STANDARD if bits & 1 else FREESTYLE

    def _board_now(self) -> Board:
        if self._board is None:
            self._rebuild(self._turn)
        assert self._board is not None
        return self._board

    def _rebuild(self, turn: int) -> None:
        """Make the board from the list of stones; as a game where their order allows it."""
        from gomoku import Board

        rules = self._rules()
        if all(color == place % 2 for place, (_, color) in enumerate(self._stones)):
            board = Board(size=self._size, rules=rules)
            for move, _ in self._stones:
                if board.cell(move.x, move.y):
                    raise Refusal(f"{self._text(move)} 上有两枚棋子 (two stones on a point)")
                board.push_unchecked(move)
            if board.turn == turn:
                self._board = board
                return
        sides = [[m for m, color in self._stones if color == side] for side in (0, 1)]
        self._board = Board.from_stones(sides[0], sides[1], turn, rules=rules, size=self._size)

    def _clear(self) -> None:
        self._stones = []
        self._turn = 0
        self._board = None

    def _forget_board(self) -> None:
        """The rules may have changed: make the board anew when it is wanted."""
        if self._board is not None:
            self._turn = self._board.turn
            self._board = None

    def _enter_gui_mode(self) -> None:
        """A command of Yixin's dialect has come: rule 2 is renju from now on."""
        self._gui = True
        self._forget_board()

    def _set_up(self, lines: list[str]) -> None:
        """Take the lines of BOARD: ``x,y,f``, f 1 = own stone, 2 = the other side's."""
        own: list[tuple[Move, int]] = []
        for line in lines:
            match = _TRIPLE.fullmatch(line)
            if match is None:
                raise Refusal(f"应为 x,y,类别 (not x,y,field): {line!r}")
            field = _integer(match[3])
            if field == 3 or (_integer(match[1]), _integer(match[2])) == (-1, -1):
                continue  # a mark of the display; a pass
            move = self._on_board(match)
            if move is None or field is None or field not in (1, 2):
                raise Refusal(f"不是棋盘上的棋子 (no stone of this board): {line!r}")
            if any(move == other for other, _ in own):
                raise Refusal(f"{match[1]},{match[2]} 上有两枚棋子 (two stones on a point)")
            own.append((move, field))
        counts = [sum(field == which for _, field in own) for which in (1, 2)]
        if counts[0] == counts[1]:
            me = 0
        elif counts[1] == counts[0] + 1:
            me = 1
        else:
            me = 0 if own[0][1] == 1 else 1
        stones = [(move, me if field == 1 else 1 - me) for move, field in own]
        before = self._stones, self._board
        self._stones = stones
        try:
            self._rebuild(me)
        except (GameError, Refusal):
            self._stones, self._board = before
            raise

    def _place_in_turn(self, lines: list[str]) -> None:
        moves = [self._read_point(line) for line in lines]
        if len(set(moves)) < len(moves):
            raise Refusal("同一点上有两枚棋子 (two stones on a point)")
        self._stones = [(move, place % 2) for place, move in enumerate(moves)]
        self._turn = len(moves) % 2
        self._board = None

    def _put(self, move: Move) -> None:
        board = self._board_now()
        if board.cell(move.x, move.y):
            raise Refusal(f"{self._text(move)} 已有棋子 (occupied)")
        self._stones.append((move, board.turn))
        board.push_unchecked(move)

    def _on_board(self, match: re.Match[str] | None) -> Move | None:
        from gomoku import Move

        if match is None:
            return None
        x, y = _integer(match[1]), _integer(match[2])
        if x is None or y is None or not (0 <= x < self._size and 0 <= y < self._size):
            return None
        return Move(x, self._size - 1 - y)

    def _read_point(self, text: str) -> Move:
        move = self._on_board(_PAIR.fullmatch(text))
        if move is None:
            raise Refusal(f"不是棋盘上的点 (no point of this board): {text!r}")
        return move

    def _xy(self, move: Move) -> tuple[int, int]:
        return move.x, self._size - 1 - move.y

    def _text(self, move: Move) -> str:
        return "{},{}".format(*self._xy(move))

    # Thinking

    def _player_now(self) -> Player:
        if self._player is None:
            self._player = self._make_player(self._seed)
            memory = self._number("max_memory")
            if isinstance(self._player, ThreatPlayer) and memory is not None and memory > 0:
                free = max(memory - memory_in_use(), 0)
                self._player = ThreatPlayer(self._seed, memory=free // 2)
        return self._player

    def _number(self, key: str) -> int | None:
        return _integer(self._info.get(key, ""))

    def _seconds(self, began: float) -> float:
        """Time for this move, from now."""
        now = time.monotonic()
        turn = self._number("timeout_turn")
        limits = []
        if turn is not None:
            limits.append(turn / 1000 - min(MARGIN, turn / 2000) - (now - began))
        left = self._number("time_left")
        match = self._number("timeout_match")
        if left is None and match is not None and match > 0:
            left = round(match - 1000 * (now - self._began))
        if left is not None and left < UNLIMITED and match != 0:
            limits.append((left / 1000 - MARGIN) / SHARE)
        return max(min(min(limits, default=5.0), UNLIMITED / 1000), 0.001)

    def _candidates(self) -> list[Move]:
        board = self._board_now()
        moves = [move for move in board.legal_moves if move not in self._blocked]
        if moves:
            return moves
        from qikit import Termination

        outcome = board.outcome()
        lost = outcome is not None and outcome.termination is Termination.FORBIDDEN_MOVE
        # the protocol has no word for a claim, nor for resigning: play on
        return list(board.empty_points()) if lost else list(board.legal_moves)

    def _think(
        self, task: Task, began: float, moves: list[Move] | None = None, *, parts: int = 1
    ) -> Choice:
        board = self._board_now()
        if moves is None:
            moves = self._candidates()
        if not moves:
            outcome = board.outcome()
            why = outcome.termination.zh if outcome is not None else "无子可下"
            raise Refusal(f"对局已经结束：{why} (the game is over)")
        seconds = self._seconds(began) / parts
        depth, nodes = self._number("max_depth"), self._number("max_node")
        budget = Budget(
            seconds,
            nodes if nodes is not None and nodes > 0 else None,
            depth if depth is not None and depth > 0 else None,
        )
        choice = self._player_now().choose(board.copy(), budget, stop=task.stop, moves=moves)
        assert choice is not None
        return choice

    def _answer(self, task: Task, began: float) -> None:
        choice = self._think(task, began)
        if self._info.get("analysis_mode") == "1":
            self._link.send(f"SUGGEST {self._text(choice.move)}")
            return
        self._play(choice)

    def _play(self, choice: Choice) -> None:
        board = self._board_now()
        self._stones.append((choice.move, board.turn))
        board.push_unchecked(choice.move)
        detail = self._number("show_detail")
        if detail:
            self._link.send(f"MESSAGE REALTIME BEST {self._text(choice.move)}")
            self._link.send(f"MESSAGE {self._describe(choice)}")
        self._link.send(self._text(choice.move))

    def _describe(self, choice: Choice) -> str:
        value = f"+M{choice.mate}" if choice.mate else f"{choice.score or 0:.0f}"
        line = " ".join(map(str, choice.line or (choice.move,)))
        return f"{choice.move} eval {value} nodes {choice.nodes} line {line}"

    def _say(self, text: str) -> None:
        self._link.send(f"MESSAGE {' '.join(text.split())}")


def serve(link: LineTransport, *, player: str | None = None, seed: int | None = None) -> None:
    """Run the engine of 五子棋 over ``link`` until the other side ends it."""
    GomocupEngine(link, player=player, seed=seed).run()
