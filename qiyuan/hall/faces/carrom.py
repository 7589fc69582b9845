"""康乐棋 in the hall: strokes as lines of text, the shot computed here, a film of it for the page.

A stroke is all that is kept: playing the lines again gives the same bits, so the hall stores no
places. The page draws what :meth:`Carrom.view` says and asks for films (:meth:`Carrom.answer`).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from carrom import records
from carrom.animation import frames
from carrom.board import Table
from carrom.cue import Stroke, miscue_offset
from carrom.equipment import PRESETS as EQUIPMENT
from carrom.geometry import FORTRESSES, SEAT_NAMES_ZH, circle_centre, hole_centres, owner
from carrom.referee import Reason, Ruling
from carrom.rules import PRESETS as RULES
from qikit.errors import GameError, InvalidMove, InvalidPosition, InvalidRecord
from qiyuan.hall.faces.face import UNKNOWN, Face, Occasion, Option, Result
from qiyuan.hall.hearing import bounded

FPS = 30.0
"""Pictures a second of a film."""
COLOURS = "红蓝"
_BRACKETS = re.compile(r"\s*\([^()]*\)\s*")
SETS = {
    "club": "康乐棋",
    "novuss": "拉脱维亚 novuss",
    "korona": "爱沙尼亚 korona",
    "carrom": "印度 carrom",
}


class Carrom(Face):
    """See :class:`~qiyuan.hall.faces.face.Face`."""

    game, zh = "carrom", "康乐棋"
    options = (
        Option(
            "rules",
            "规则",
            {name: rules.zh for name, rules in RULES.items()},
            {
                "club": "先打碉堡，再打第一边的子，最后打对面的子。",
                "open": "没有碉堡，也不分先后，先打完自己的子就赢。",
            },
        ),
        Option("first", "先打", {"0": "下方（红）先打", "1": "上方（蓝）先打"}),
        Option("equipment", "棋具", {name: SETS.get(name, name) for name in EQUIPMENT}),
    )
    forms = {"qiyuan-carrom": "jsonl"}
    needs = {"carrom.kernel": "康乐棋"}

    def start(self, text: str, options: Mapping[str, str]) -> Table:
        if text:
            raise InvalidPosition(
                "康乐棋只能从开局打起 (a game starts at the start)", text=text[:80]
            )
        return Table(options["rules"], options["equipment"], first=int(options["first"]))

    def seats(self, board: Table) -> tuple[str, ...]:
        return tuple(
            f"{name}（{colour}）" for name, colour in zip(SEAT_NAMES_ZH, COLOURS, strict=True)
        )

    def play(self, board: Table, text: str) -> tuple[str, dict[str, Any]]:
        ruling = board.strike(text)
        return str(ruling.stroke), {
            "zh": _short(ruling),
            "say": _said(ruling),
            "steps": [[sentence(reason), reason.rule] for reason in ruling.reasons],
        }

    def refusal(self, board: Table, text: str) -> tuple[str, tuple[int, ...]] | None:
        try:
            found = board.why_illegal(text)
        except GameError:
            return None
        if found is None:
            return None
        rule, why = found
        plain = _BRACKETS.sub("", why)  # neither coordinates nor English for people at the board
        return f"{plain}（{rule}）。", ()  # no numbered points to mark

    def view(self, board: Table) -> dict[str, Any]:
        """Places in metres, 0, 0 is the centre of the board, y up."""
        e, p = board.equipment, board.position
        return {
            "todo": "击打",
            "side": e.params.L,
            "hole": e.params.rp if e.params.pockets else 0,
            "holes": [list(hole) for hole in hole_centres(e)],
            "mother": e.mother_radius,
            "radius": e.piece_radius,
            "circles": [list(circle_centre(seat, e)) for seat in (0, 1)],
            "circle": e.circle_radius,
            "inset": e.circle_inset,
            "base": e.base_line,
            "fastest": e.cue_speed,
            "offset": miscue_offset(e),
            "pieces": [
                {
                    "id": name,
                    "zh": name_zh(name),
                    "seat": owner(name),
                    "fort": name in FORTRESSES,
                    "at": [place.x, place.y],
                    "on": place.on,
                }
                for name, place in p.pieces.items()
            ],
            "targets": list(board.targets()),
            "phase": board.phase.zh,
            "strikes_left": p.strikes_left,
            "strikes": p.strikes,
            "left": [board.left(0), board.left(1)],
            "pocketed": [len(names) for names in p.pocketed],
            "debts": list(p.debts),
            "skips": list(p.skips),
        }

    def board(self, name: str) -> dict[str, Any]:
        """The start with a set of equipment."""
        if name not in EQUIPMENT:
            return super().board(name)
        return self.view(Table(equipment=name))

    def result(self, board: Table) -> Result | None:
        outcome = board.outcome()
        if outcome is None:
            return None
        return self.ended(board, outcome.winner, f"{outcome.termination.zh}（{outcome.rule}）")

    def answer(self, board: Table, question: Mapping[str, Any]) -> dict[str, Any]:
        """Questions: ``{"of": "film", "stroke": N}``: the N-th stroke, from 1, as pictures;
        ``{"of": "aim", "stroke": TEXT}``: why a stroke would not be allowed.

        Raises:
            InvalidMove: no such question or stroke.
        """
        stroke = question.get("stroke")
        match question.get("of"):
            case "film":
                if not isinstance(stroke, int) or not 1 <= stroke <= len(board.rulings):
                    raise InvalidMove(f"没有第 {str(stroke)[:20]} 击 (no such strike)", text="film")
                return film(board.rulings[stroke - 1])
            case "aim":
                found = self.refusal(board, str(Stroke.parse(str(stroke)[:200])))
                return {"why": found and found[0]}
            case other:
                raise InvalidMove(
                    f"不认识的请求 (unknown question): {str(other)[:40]!r}", text=str(other)[:40]
                )

    def file(
        self,
        board: Table,
        form: str,
        result: Result | None,
        notation: str,
        occasion: Occasion = UNKNOWN,
    ) -> bytes:
        return records.dumps(board).encode()

    def read(self, data: bytes) -> list[dict[str, Any]]:
        record = records.loads(bounded(data).decode("utf-8-sig", "replace"))
        table = record.table
        if RULES.get(table.rules.name) != table.rules or (
            EQUIPMENT.get(table.equipment.name) != table.equipment
        ):
            raise InvalidRecord("大厅里没有这套规则或棋具 (not offered by the hall)")
        strokes = [str(ruling.stroke) for ruling in table.rulings]
        defects = [f"第 {one.line} 行：{one.reason}" for one in record.defects]
        seen = [k for k, ruling in enumerate(table.rulings) if ruling.faults]
        if seen:  # what a referee's eye saw is no part of a stroke
            del strokes[seen[0] :]
            defects.append(
                f"第 {seen[0] + 1} 击有裁判看到的犯规，从这一击起没有读 (a fault was seen)"
            )
        first = table.rulings[0].seat if table.rulings else table.turn
        return [
            {
                "title": "康乐棋",
                "plies": len(strokes),
                "start": "",
                "moves": strokes,
                "options": {
                    "rules": table.rules.name,
                    "equipment": table.equipment.name,
                    "first": str(first),
                },
                "defects": defects,
            }
        ]


def name_zh(piece: str) -> str:
    """What people call a disc.

    >>> name_zh("A3"), name_zh("F1"), name_zh("M")
    ('红3号', '蓝方碉堡', '母子')
    """
    seat = owner(piece)
    if seat is None:
        return "母子"
    return COLOURS[seat] + ("方碉堡" if piece in FORTRESSES else f"{piece[1:]}号")


def sentence(reason: Reason) -> str:
    """A step of a ruling with the names that people give to the discs.

    >>> sentence(Reason("S0-KL-3", "own", {"pieces": ("A1", "A4"), "n": 2}))
    '打进己方棋子 红1号、红4号，得 2 次续击。'
    """
    named = dict(reason.values)
    for key in ("piece", "upper"):
        if key in named:
            named[key] = name_zh(named[key])
    if "pieces" in named:
        named["pieces"] = tuple(map(name_zh, named["pieces"]))
    return Reason(reason.rule, reason.code, named).zh


def _said(ruling: Ruling) -> str:
    """The ruling with its rules; who struck at what was to be seen before."""
    reasons = [reason for reason in ruling.reasons if reason.code != "stroke"]
    steps = "".join(f"{sentence(r)[:-1]}（{r.rule}）。" for r in reasons)
    nothing = "" if len(reasons) > 1 or ruling.outcome else "没有打进棋子。"
    return f"第 {ruling.number} 击：{nothing}{steps}"


def _short(ruling: Ruling) -> str:
    """A stroke in a few words, for the list."""
    words = []
    if ruling.own:
        words.append(f"进 {len(ruling.own)} 枚")
    if ruling.opponent:
        words.append(f"误进 {len(ruling.opponent)} 枚")
    if ruling.mother != "board":
        words.append("母子入洞" if ruling.mother == "hole" else "母子出盘")
    if ruling.paid:
        words.append(f"退 {len(ruling.paid)} 枚")
    return "，".join(words) or "未进"


def film(ruling: Ruling) -> dict[str, Any]:
    """A shot as pictures: for each disc [x, y, angle] a frame (None = gone), or one for all.

    ``gone`` tells when which disc fell or flew off, in order.
    """
    movie = frames(ruling.shot, FPS)
    tracks = {}
    for k, disc in enumerate(movie["discs"]):
        track = [row[k] for row in movie["frames"]]
        tracks[disc["id"]] = track[:1] if all(one == track[0] for one in track) else track
    return {
        "number": ruling.number,
        "seat": ruling.seat,
        "fps": FPS,
        "frames": len(movie["frames"]),
        "tracks": tracks,
        "gone": [
            {"zh": name_zh(event.a), "t": event.t, "off": event.type == "fly-off"}
            for event in ruling.shot.events
            if event.type in ("pocket", "fly-off")
        ],
        "say": _said(ruling),
    }


FACE = Carrom()
