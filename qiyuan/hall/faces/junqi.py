"""军棋 in the hall: several people before one screen, and nobody sees another's ranks.

Everybody is told what :meth:`Junqi.view` says, made from the view of a spectator. What a player may
see is given to whoever asks for it (:meth:`Junqi.answer`), and is made from ``board.view(seat)``
and from nothing else: a rank that is not in that view cannot come into the answer.
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Mapping
from random import SystemRandom
from typing import Any

from junqi import records
from junqi.armies import breaches, random_army
from junqi.events import Act, Cause, Event, Fight
from junqi.geometry import BOARD_NAMES, BoardMap, board_map, point_name, type_of
from junqi.layout import CAMP, HQ
from junqi.move import Move
from junqi.pieces import LETTERS, NAMES_ZH
from junqi.rules import MODES, Rules
from junqi.setups import read_army
from junqi.svg import PITCH, picture_size, point_place
from junqi.view import View
from qikit.errors import GameError, InvalidMove, InvalidPosition, InvalidRecord
from qiyuan.hall.campaign import READY, Campaign
from qiyuan.hall.faces.face import UNKNOWN, Face, Occasion, Option, Result
from qiyuan.hall.hearing import bounded

COLOURS = "红青蓝黄"
"""What the colours of zones S, E, N, W are called."""
FIGHTS = {
    Fight.MOVE: ("", ""),
    Fight.CAPTURE: (" 吃子", "，吃掉对方的棋子"),
    Fight.REPELLED: (" 被吃", "，被对方吃掉"),
    Fight.BOTH: (" 同归于尽", "，双方同归于尽"),
}
"""How a fight ended, for the list of moves and for the announcement."""
CAUSES = {
    Cause.FLAG: "军旗被扛",
    Cause.NO_MOVE: "无子可动",
    Cause.TIMEOUT: "超时",
    Cause.RESIGNATION: "认输",
}


def point_zh(point: int) -> str:
    """How people read a point: zone, row from the front, place from its owner's left.

    >>> point_zh(0), point_zh(119), point_zh(124)
    ('南11', '西65', '中22')
    """
    name = point_name(point)
    return "南东北西中"["SENWC".index(name[0])] + name[1:]


class Junqi(Face):
    """See :class:`~qiyuan.hall.faces.face.Face`."""

    game, zh, together = "junqi", "军棋", "同屏对下"
    options = (
        Option(
            "rules",
            "棋盘与规则",
            {
                "luzhan": "陆战棋",
                "standard": "四国军棋",
                "event_s3b": "四国军棋，比赛规则",
                "ccgc": "陆战棋，31 手",
            },
            {
                "luzhan": "两人，六十个点。",
                "standard": "四人，南北一家，东西一家。",
                "event_s3b": "四人；司令阵亡也不亮军旗（S3B-JQ-12）。",
                "ccgc": "两人；连续 31 手没有吃子作和。",
            },
        ),
        Option(
            "mode",
            "明暗",
            dict(MODES),
            {
                "dark": "只看得见自己的子。",
                "allies": "四人时也看得见盟友的子。",
                "open": "都看得见，可以悔棋。",
            },
        ),
    )
    forms = {"junqi-record": "jsonl"}
    needs = {"junqi.kernel": "军棋规则"}
    lines = {"resign": "resign", "draw": "draw"}

    # ------------------------------------------------------------ a game

    def start(self, text: str, options: Mapping[str, str]) -> Campaign:
        rules = Rules.preset(options["rules"], mode=options["mode"])
        game = Campaign(rules, text)
        if game.rules.board != rules.board:
            raise InvalidPosition(
                f"这个局面不是{board_map(rules.board).name_zh}的 (position of another board)",
                text=text[:80],
            )
        return game

    def seats(self, board: Campaign) -> tuple[str, ...]:
        where = board.map
        return tuple(
            f"{where.seat_name(seat)}方（{COLOURS[where.zones[seat]]}）"
            for seat in range(where.seats)
        )

    def can(self, board: Campaign) -> frozenset[str]:
        if board.board is None:
            return frozenset()
        # a move taken back would have shown how a fight ends
        return frozenset({"resign", "draw"} | ({"back"} if board.rules.mode == "open" else set()))

    def play(self, board: Campaign, text: str) -> tuple[str, dict[str, Any]]:
        line = board.push(text)
        return line, self._told(board, line)

    def refusal(self, board: Campaign, text: str) -> tuple[str, tuple[int, ...]] | None:
        if board.board is None:
            return None
        try:
            move = Move.parse(text)
        except GameError:
            return None
        found = board.board.view(board.turn).why_illegal(move)
        return None if found is None else (f"{_readable(found.zh)}（{found.rule}）。", found.points)

    def result(self, board: Campaign) -> Result | None:
        outcome = board.outcome()
        if outcome is None:
            return None
        if outcome.winner is None and outcome.rule != "agreement":
            quiet = f"连续 {board.rules.quiet_limit} 手没有吃子（{outcome.rule}）"
            return self.ended(board, None, quiet)
        why = outcome.termination.zh
        return self.ended(
            board, outcome.winner, why + f"（{outcome.rule}）" * ("-" in outcome.rule)
        )

    def ended(self, board: Campaign, winner: int | None, why: str) -> Result:
        if winner is None:
            return {"winner": None, "text": f"和棋：{why}。"}
        where = board.map  # the winner is a team: the seats of one parity
        team = "、".join(where.seat_name(s) for s in range(where.seats) if s % 2 == winner)
        return {"winner": winner, "text": f"{team}方胜：{why}。"}

    # ------------------------------------------------------------ what everybody is told

    def view(self, board: Campaign) -> dict[str, Any]:
        if board.board is None:
            homes = [
                [point, seat, -1]
                for seat in range(len(board.armies))
                for point in board.map.home(seat)
            ]
            drawing = {"phase": "army", "todo": "布阵"}
            return {**_table(board), **drawing, "pieces": sorted(homes), "legal": {}}
        seat = board.turn if board.rules.mode == "open" else None
        return {**_table(board), **_position(board.board.view(seat))}

    def _told(self, board: Campaign, line: str) -> dict[str, Any]:
        """What everybody is told of the last line, which has been pushed already."""
        if line.startswith("army"):
            seat = len(board.armies) - 1
            return {"zh": "布阵", "say": f"{self.seats(board)[seat]}布阵完毕。"}
        event = board.events[-1]
        told: dict[str, Any] = {"say": announcement(board.map, event)}
        if event.move is None or event.fight is None:
            return told | {"zh": {Act.RESIGN: "认输", Act.AGREE: "议和"}.get(event.act, "超时")}
        way = "→".join(map(point_zh, event.move))
        return told | {
            "zh": way + FIGHTS[event.fight][0],
            "from": event.move.from_point,
            "to": event.move.to_point,
        }

    # ------------------------------------------------------------ what one asks for

    def answer(self, board: Campaign, question: Mapping[str, Any]) -> dict[str, Any]:
        """Questions: ``{"of": "seat"}`` all that the seat to move may know, and after the end every
        piece that there was before the last line; ``armies`` set-ups to choose from; ``army`` with
        the letters ``army``: how a set-up breaks the rules; ``file`` with base64 ``data``: a file's
        set-up.

        Raises:
            InvalidMove: no such question.
            GameError: a file that holds no set-up.
        """
        match question.get("of"):
            case "seat":
                return {"position": self._seen(board)}
            case "armies":
                ready = [{"name": name, "army": army} for name, army in READY.items()]
                return {"armies": [*ready, {"name": "随机", "army": random_army(SystemRandom())}]}
            case "army":
                found = breaches(str(question.get("army", ""))[:60])
                return {"breaches": [f"{one.zh}（{one.rule}）" for one in found]}
            case "file":
                return {"army": read_army(_decoded(str(question.get("data", ""))))}
            case other:
                raise InvalidMove(
                    f"不认识的请求 (unknown question): {str(other)[:40]!r}", text=str(other)[:40]
                )

    def _seen(self, board: Campaign) -> dict[str, Any]:
        game = board.board
        if game is None:  # nobody knows anything but the own draft
            return {**self.view(board), "looking": board.turn}
        if game.outcome() is None:
            return {**_table(board), **_position(game.view(board.turn))}
        before = game.copy()  # whoever lost has lost the pieces with it
        if before.events:
            before.take_back()
        pieces = [
            [point, int(name[0]), LETTERS.index(name[1])]
            for point, name in before.piece_map().items()
        ]
        return {**self.view(board), "pieces": sorted(pieces)}

    def board(self, name: str) -> dict[str, Any]:
        if name not in BOARD_NAMES:
            return super().board(name)
        return _map(board_map(name))

    # ------------------------------------------------------------ files

    def file(
        self,
        board: Campaign,
        form: str,
        result: Result | None,
        notation: str,
        occasion: Occasion = UNKNOWN,
    ) -> bytes:
        """The referee's record once the game is over, the public one before."""
        record = records.Record.of(board.playing())
        return records.dumps(record, sealed=board.outcome() is not None).encode()

    def read(self, data: bytes) -> list[dict[str, Any]]:
        record = records.read(bounded(data))
        started, dark = record.start(), record.rules.having(mode="dark")
        names = [name for name in self.options[0].choices if Rules.preset(name) == dark]
        if not names:
            raise InvalidRecord(
                f"大厅里没有这套规则 (rules that the hall does not offer): {dark.changes()}",
                text=str(dark),
            )
        board, game = record.replay(), Campaign(started.rules, started.fen())
        defects = [f"第 {one.line} 行：{one.reason}" for one in record.defects]
        moves: list[str] = []
        for event in board.events:
            line = {Act.MOVE: str(event.move), Act.RESIGN: "resign", Act.AGREE: "draw"}.get(
                event.act
            )
            if line is None or (event.act is Act.RESIGN and event.seat != game.turn):
                who = board.map.seat_name(event.seat)
                defects.append(
                    f"第 {len(moves) + 1} 手：{who}方超时，或没轮到就认输，从这里起没有读 "
                    "(a timeout, or resigned out of turn)"
                )
                break
            moves.append(game.push(line))
        return [
            {
                "title": board.map.name_zh,
                "plies": len(moves),
                "start": started.fen(),
                "moves": moves,
                "options": {"rules": names[0], "mode": record.rules.mode},
                "defects": defects,
            }
        ]


def announcement(board: BoardMap, event: Event) -> str:
    """What the referee says of an event, to everybody.

    >>> from junqi import Fight, Move
    >>> event = Event(Act.MOVE, 0, Move.parse("S11-N15"), Fight.BOTH, ((1, 86),))
    >>> announcement(board_map("luzhan60"), event)
    '南方从南11走到北15，双方同归于尽。北方司令阵亡，亮出军旗：北62。'
    """
    who = f"{board.seat_name(event.seat)}方"
    if event.move is not None and event.fight is not None:
        a, b = map(point_zh, event.move)
        said = f"{who}从{a}走到{b}{FIGHTS[event.fight][1]}。"
    elif event.act is Act.AGREE:
        said = "各方同意和棋。"
    elif event.act is Act.TIMEOUT:
        said = f"{who}超时，这一手作废。"
    else:
        said = ""  # who is out by it is said below
    for seat, point in event.shown:
        flag = f"亮出军旗：{point_zh(point)}" if point >= 0 else "没有军旗可亮"
        said += f"{board.seat_name(seat)}方司令阵亡，{flag}。"
    for seat, cause in event.out:
        said += f"{board.seat_name(seat)}方{CAUSES[cause]}，出局。"
    return said


def _readable(sentence: str) -> str:
    """Names of points as people read them."""
    for letter, zone in zip("SENWC", "南东北西中", strict=True):
        for row in "123456":
            sentence = sentence.replace(letter + row, zone + row)
    return sentence


def _decoded(text: str) -> bytes:
    try:
        return base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        raise InvalidMove("布阵文件没有传好 (not base64)", text=text[:40]) from None


def _table(game: Campaign) -> dict[str, Any]:
    rules = game.rules
    return {
        "phase": "play",
        "board": rules.board,
        "mode": rules.mode,
        "zones": list(game.map.zones),
        "looking": None,
        "quiet_limit": rules.quiet_limit,
    }


def _position(view: View) -> dict[str, Any]:
    """A view as the page draws it; points in order, so that the order tells nothing either."""
    legal: dict[int, list[int]] = {}
    for move in view.legal_moves:
        legal.setdefault(move.from_point, []).append(move.to_point)
    return {
        "looking": view.seat,
        "pieces": [[point, *piece] for point, piece in sorted(view.seen.items())],
        "legal": legal,
        "alive": list(view.alive),
        "quiet": view.quiet,
    }


def _map(board: BoardMap) -> dict[str, Any]:
    width, height = picture_size(board)
    kinds = {CAMP: "camp", HQ: "hq"}
    return {
        "board": board.name,
        "width": width / PITCH,
        "height": height / PITCH,
        "points": [
            {
                "point": point,
                "name": point_name(point),
                "zh": point_zh(point),
                "kind": kinds.get(type_of(point), "station"),
                "at": [value / PITCH for value in point_place(board, point)],
            }
            for point in board.points
        ],
        "roads": sorted(board.roads),
        "rails": sorted(board.rails),
        "homes": [list(board.home(seat)) for seat in range(board.seats)],
        "kinds": list(NAMES_ZH),
    }


FACE = Junqi()
