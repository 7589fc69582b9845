"""The procedure on repetition: counting, announcing, one more loop, loss; and the natural limit.

The states of a game: free; announced (a side has to change); over. Counts are not reset by
leaving a loop and coming back; a capture resets them, since no earlier position can recur.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from copy import copy
from dataclasses import dataclass, replace

from arbiter import overriding, pursuit, same_move
from arbiter.correction import Correction
from arbiter.overriding import Override
from arbiter.pursuit import Pursuit
from arbiter.ruling import Event, Ruling, Verdict
from qikit.errors import GameError
from qikit.outcome import Termination
from xiangqi.board import Board
from xiangqi.fen import Setup, write_fen
from xiangqi.game import Game
from xiangqi.geometry import COLOR_NAMES_ZH, RED
from xiangqi.move import Move
from xiangqi.repetition import (
    Article,
    LoopRuling,
    Nature,
    RuleBook,
    Step,
    judge_steps,
    rule_book,
    trace,
)
from xiangqi.repetition import Verdict as LoopVerdict
from xiangqi.repetition.judging import decide

Edge = tuple[Hashable, Move]
"""A position with the move made in it: what a loop consists of."""


def judge(
    board_or_game: Board | Game,
    rules: str | RuleBook = "club2008",
    *,
    overrides: Iterable[Override] = (),
    corrections: Iterable[Correction] = (),
    to_the_end: bool = False,
) -> Ruling:
    """The ruling on a game, from its first move to its last.

    Args:
        board_or_game: a board with its moves, or a game, of which the main line is judged.
        rules: id of a rule book (``"club2008"``, ``"axf"``, ...), or a book.
        overrides: natures of moves as the arbiter found them; the ruling records them.
        corrections: what was corrected in the record before, for the ruling to record.
        to_the_end: look for further rulings in moves that were played after the game was over by
            a repetition or a limit. The verdict stays that of the first.

    Raises:
        ValueError: no such rule book.
        GameError: an override that cannot be (see :class:`~arbiter.overriding.Override`).

    >>> board = Board("3k5/9/9/9/9/3R5/9/9/9/5K3 b - - 0 1")
    >>> for move in "d9e9 d4e4 e9d9 e4d4".split() * 4:
    ...     _ = board.push(move)
    >>> ruling = judge(board)
    >>> ruling.verdict.value, ruling.ply, ruling.rule_ids
    ('red_loses', 16, ('S0-XQ-37',))
    >>> judge(board, "axf").ply
    8
    """
    start, moves = line(board_or_game)
    proceedings = Proceedings(start, rule_book(rules))
    proceedings.overrule(tuple(overrides), moves)
    return proceedings.play(moves, tuple(corrections), to_the_end=to_the_end)


def line(board_or_game: Board | Game) -> tuple[Board, list[Move]]:
    """Start position (a board of its own) and moves of a board or of a game's main line."""
    if isinstance(board_or_game, Game):
        return board_or_game.board(), board_or_game.moves()
    return board_or_game.root(), board_or_game.move_stack


class _Path:
    """The way to the present position without its loops: where a position returns, the loop that
    ends there is cut out and counted, so that detours between two rounds do not matter."""

    def __init__(self, position: Hashable) -> None:
        self._steps: list[Step] = []
        self._depth = {position: 0}
        self.rounds: Counter[frozenset[Edge]] = Counter()
        """How often each loop has been completed."""

    def go(self, step: Step, position: Hashable) -> list[Step]:
        """Take a step to a position; the loop that it completes, or nothing."""
        self._steps.append(step)
        depth = self._depth.setdefault(position, len(self._steps))
        loop = self._steps[depth:]
        if loop:
            del self._steps[depth:]
            for inner in loop[1:]:
                del self._depth[inner.position]
            self.rounds[_edges(loop)] += 1
        return loop

    def copy(self) -> _Path:
        """The same way, to go on from by itself."""
        twin = copy(self)
        twin._steps, twin._depth = self._steps.copy(), self._depth.copy()
        twin.rounds = self.rounds.copy()
        return twin


@dataclass
class _Warning:
    """A side was told to leave some loops."""

    side: int
    ruling: Event
    edges: frozenset[Edge]
    again: int = 0
    """Loops of these that were completed since."""


class Proceedings:
    """A game under way, ply by ply, with what the arbiter has noted down so far."""

    def __init__(self, board: Board, book: RuleBook) -> None:
        self.board = board
        self.book = book
        self.steps: list[Step] = []
        self.events: list[Event] = []
        self.occurred: dict[Hashable, list[int]] = {position_of(board): [0]}
        """Plies after which a position stood, since the last capture."""
        self.path = _Path(position_of(board))
        self.pursuit = Pursuit(book)
        self.counted_from = 0
        """Ply from which occurrences count towards the next ruling."""
        self.standing: Event | None = None
        """A ruling that leaves the game going on, as long as the players keep to its loops."""
        self.loops: frozenset[Edge] = frozenset()
        """Those loops."""
        self.warnings: list[_Warning] = []
        self.limit: Event | None = None
        """The natural limit, once it is reached, until a capture."""
        self.overrides: tuple[Override, ...] = ()
        self.overruled: dict[Edge, Override] = {}
        """What the arbiter found a move in a position to be."""
        self.found: dict[int, Nature] = {}
        """What the program had found the overridden plies to be."""
        self.texts: dict[int, str] = {}
        """Overridden plies in Chinese notation."""

    def overrule(self, overrides: tuple[Override, ...], moves: Sequence[Move]) -> None:
        """Have findings of the arbiter apply to the moves that are going to be played.

        Raises:
            GameError: a ply that there is not, or two findings on one move in one position.
        """
        wanted = overriding.by_ply(overrides, len(moves))
        self.overrides = overrides
        board = self.board.copy(stack=False)
        for ply, move in enumerate(moves[: max(wanted, default=0)], 1):
            if override := wanted.get(ply):
                self.texts[ply] = board.chinese(move)
                other = self.overruled.setdefault((position_of(board), move), override)
                if other is not override:
                    raise GameError(
                        f"第 {other.ply} 着与第 {ply} 着是同一局面的同一着，只能认定一次"
                        " (the same move in the same position)"
                    )
            board.push_unchecked(move)

    def play(
        self,
        moves: Sequence[Move],
        corrections: tuple[Correction, ...] = (),
        *,
        to_the_end: bool = False,
    ) -> Ruling:
        """Go through the moves as far as the game lasts."""
        final = self.run(moves)
        event = final or self._stands()
        occurrences = len(self.occurred[position_of(self.board)])
        quiet = self.board.halfmove_clock
        if final and to_the_end and not _is_dead(final):
            self.run(moves[final.ply :], beyond=True)
        return Ruling(
            event.verdict if event else Verdict.ONGOING,
            event,
            tuple(self.events),
            len(moves),
            self.book,
            occurrences,
            quiet,
            overriding.records(self.overrides, self.texts, self.found),
            corrections,
        )

    def run(self, moves: Sequence[Move], *, beyond: bool = False) -> Event | None:
        """Go through more moves until one ends the game; the event that does.

        Args:
            beyond: go on after such an event too, as if nobody had noticed.
        """
        final = None if self.steps else self._end_of_game(0) or self._natural_limit(0)
        played = trace(self.board, moves, len(self.steps) + 1)
        while final is None and (step := next(played, None)) is not None:
            self.steps.append(step)
            final = self.proceed(step)
            if final and beyond and not _is_dead(final):
                final = None
        return final

    def fork(self) -> Proceedings:
        """The same game to go on with by itself."""
        twin = copy(self)
        twin.board = self.board.copy()
        twin.steps, twin.events = self.steps.copy(), self.events.copy()
        twin.occurred = {position: plies.copy() for position, plies in self.occurred.items()}
        twin.path = self.path.copy()
        twin.pursuit = self.pursuit.copy()
        twin.warnings = [replace(warning) for warning in self.warnings]
        twin.found = self.found.copy()
        return twin

    def _stands(self) -> Event | None:
        """What the players would be told now: an announcement before a claim before a doubt."""
        if self.standing is not None and self.standing.verdict is not Verdict.UNDECIDED:
            return self.standing
        return self.limit or self.standing

    def proceed(self, step: Step) -> Event | None:
        """Take note of a move; the event that ends the game, if it does."""
        position = position_of(self.board)
        if step.before[step.move.to_square]:
            self.occurred.clear()
            self.path = _Path(position)
            self.counted_from = step.ply
            self.warnings.clear()
            self.limit = self.standing = None
            loop = []
        else:
            loop = self.path.go(step, position)
        self.occurred.setdefault(position, []).append(step.ply)
        return (
            self._end_of_game(step.ply)
            or self._forfeit(loop)
            or self._repetition(step, loop)
            or self._same_move(step)
            or self._pursuit(step)
            or self._natural_limit(step.ply)
        )

    def _note(self, event: Event) -> Event | None:
        """Write an event down; it is given back if it ends the game."""
        self.events.append(event)
        return event if event.is_final else None

    def warned(self, side: int, move: Move) -> Event | None:
        """The announcement that a side would disregard with a move: it stands, and the move stays
        in its loops."""
        edge = position_of(self.board), move
        return next(
            (
                warning.ruling
                for warning in self.warnings
                if warning.side == side and warning.ruling is self.standing and edge in self.loops
            ),
            None,
        )

    # ------------------------------------------------------------ ends without repetition

    def _end_of_game(self, ply: int) -> Event | None:
        """Mate, stalemate and positions that nobody can win."""
        board, book = self.board, self.book
        if not board.legal_moves:
            mate = board.is_check()
            termination = Termination.CHECKMATE if mate else Termination.STALEMATE
            article = book.article("checkmate" if mate else "stalemate")
            return self._note(Event(ply, Verdict.loss(board.turn), termination, (article,)))
        if book.value("draw_without_crossing_material") and board.is_insufficient_material():
            article = book.article("insufficient_material")
            drawn = Event(ply, Verdict.DRAW, Termination.INSUFFICIENT_MATERIAL, (article,))
            return self._note(drawn)
        return None

    def _natural_limit(self, ply: int) -> Event | None:
        limit, quiet = self.book.natural_limit_plies, self.board.halfmove_clock
        if limit is None or quiet < limit or self.limit is not None:
            return None
        self.limit = Event(
            ply,
            Verdict.DRAW,
            Termination.NATURAL_LIMIT,
            (self.book.article("natural_limit"),),
            quiet_plies=quiet,
            on_claim=self.book.natural_limit_on_claim,
        )
        return self._note(self.limit)

    # ------------------------------------------------------------ repetition

    def _forfeit(self, loop: list[Step]) -> Event | None:
        """Loss of a side that was told to leave a loop and completes it again."""
        for warning in self.warnings:
            warning.again += bool(loop) and _edges(loop) <= warning.edges
            if warning.again >= self.book.grace_loops:
                self.warnings.remove(warning)
                articles = self.book.article("forfeit"), *warning.ruling.articles
                return self._judged(
                    Verdict.loss(warning.side),
                    Termination.FORBIDDEN_REPETITION,
                    articles,
                    warning.ruling.loop,
                    warning.edges,
                )
        return None

    def _repetition(self, step: Step, loop: list[Step]) -> Event | None:
        """The ruling on the loops that end here, if enough of them are complete.

        The whole span from the first counted occurrence is ruled on. Where different loops make
        it up that would be ruled differently, and the book wants the *same* loop repeated, the
        span is not ripe before every move of it was made often enough; until then the later part
        of it, in which one loop was repeated, is looked at by itself. At last the loop that ends
        here counts by itself, whatever was played between its rounds.
        """
        if self.standing is not None:
            if _edge(step) in self.loops:
                return None
            self.standing = None
        book = self.book
        wanted = min(book.ruling_after_loops, book.perpetual_check_after_loops)
        stood = [p for p in self.occurred[position_of(self.board)] if p >= self.counted_from]
        for rounds in range(len(stood) - 1, wanted - 1, -1):
            span = self.steps[stood[-1 - rounds] :]
            ruling = self._loop(span)
            if ruling.agreed or book.mixed_loops_count or _repeated(span, book.ruling_after_loops):
                return self._rule(span, ruling, rounds)
        rounds = self.path.rounds[_edges(loop)] if loop else 0
        if rounds < wanted:
            return None
        ruling = self._loop(loop)
        return None if ruling.verdict is LoopVerdict.DRAW else self._rule(loop, ruling, rounds)

    def _same_move(self, step: Step) -> Event | None:
        """The third identical move running, where the book forbids it and there was another."""
        how = same_move.reading(self.book)
        if how == same_move.OFF or step.before[step.move.to_square]:
            return None
        own = [earlier.move for earlier in self.steps[-3::-2]]
        quiet = (min(self.board.halfmove_clock, len(self.steps)) - 1) // 2
        occurrences = len(self.occurred[position_of(self.board)])
        why = same_move.offence(how, own, step.move, quiet, occurrences - 1)
        if not why or len(Board.from_setup(Setup(step.before, step.side)).legal_moves) == 1:
            return None
        self.standing = Event(
            step.ply,
            Verdict.must_change(step.side),
            Termination.FORBIDDEN_REPETITION,
            (self.book.article(same_move.SETTING),),
            occurrences,
            self.board.halfmove_clock,
            cause=f"{COLOR_NAMES_ZH[step.side]}方{why}",
        )
        self.loops = frozenset()
        return self._note(self.standing)

    def _pursuit(self, step: Step) -> Event | None:
        """Forbidden moves for so many rounds running, without a loop, where the book says so."""
        side = self.pursuit.offender(step)
        if side is None or self.standing is not None:
            return None
        self.standing = Event(
            step.ply,
            Verdict.must_change(side),
            Termination.FORBIDDEN_REPETITION,
            (self.book.article(pursuit.SETTING), self.book.article("forbidden")),
            len(self.occurred[position_of(self.board)]),
            self.board.halfmove_clock,
            cause=f"{COLOR_NAMES_ZH[side]}方连续 {self.pursuit.rounds} 回合着着都是禁止着法，"
            f"走到 {pursuit.POINTS} 个以上的点",
        )
        self.loops = frozenset()
        return self._note(self.standing)

    def _loop(self, steps: list[Step]) -> LoopRuling:
        """The ruling on a loop, with the arbiter's findings where there are any."""
        fen = write_fen(Setup(steps[0].before, steps[0].side), counters=False)
        ruling = judge_steps(steps, self.book, fen)
        if not self.overruled:
            return ruling
        plies = list(ruling.plies)
        for index, step in enumerate(steps):
            override = self.overruled.get(_edge(step))
            if override is not None:
                self.found[override.ply] = plies[index].nature
                plies[index] = overriding.applied(plies[index], step, override, self.book)
        return decide(steps, tuple(plies), self.book, fen)

    def _rule(self, span: list[Step], ruling: LoopRuling, rounds: int) -> Event | None:
        """Act on the ruling on a span or a loop that was completed so many times."""
        book, loser = self.book, ruling.verdict.loser
        checks = loser is not None and ruling.findings[loser].kind == "perpetual_check"
        unwarned = checks and not book.perpetual_check_warned
        if rounds < (book.perpetual_check_after_loops if unwarned else book.ruling_after_loops):
            return None
        if loser is None and self._is_early(span, ruling):
            # an event may leave it to Red, who moved first, to avoid a drawn opening
            articles = (book.article("early_rounds"), *ruling.articles)
            verdict = Verdict.must_change(RED) if book.grace_loops else Verdict.loss(RED)
            offence = Termination.FORBIDDEN_REPETITION
            final = self._judged(verdict, offence, articles, ruling, _edges(span))
            if final is None:
                self.warnings.append(_Warning(RED, self.events[-1], self.loops))
            return final
        if loser is None:
            draw = ruling.verdict is LoopVerdict.DRAW
            verdict = Verdict.DRAW if draw else Verdict.UNDECIDED
            termination = Termination.REPETITION
        else:
            announced = book.grace_loops > 0 and not unwarned
            verdict = Verdict.must_change(loser) if announced else Verdict.loss(loser)
            kind = ruling.findings[loser].kind
            termination = _OFFENCES.get(kind, Termination.FORBIDDEN_REPETITION)
        final = self._judged(verdict, termination, ruling.articles, ruling, _edges(span))
        if final is None and loser is not None:
            self.warnings.append(_Warning(loser, self.events[-1], self.loops))
        return final

    def _is_early(self, span: list[Step], ruling: LoopRuling) -> bool:
        """Whether a drawn loop began so early that Red has to change."""
        rounds = int(self.book.value("early_rounds"))
        return ruling.verdict is LoopVerdict.DRAW and span[0].ply <= 2 * rounds

    def _judged(
        self,
        verdict: Verdict,
        termination: Termination,
        articles: tuple[Article, ...],
        loop: LoopRuling | None,
        edges: frozenset[Edge],
    ) -> Event | None:
        """Write down a ruling on repetition in the present position; it stands in these loops."""
        occurrences = len(self.occurred[position_of(self.board)])
        quiet = self.board.halfmove_clock
        ply = self.steps[-1].ply
        self.standing = Event(ply, verdict, termination, articles, occurrences, quiet, loop=loop)
        self.loops = edges
        self.counted_from = ply
        return self._note(self.standing)


_OFFENCES = {
    "perpetual_check": Termination.PERPETUAL_CHECK,
    "perpetual_chase": Termination.PERPETUAL_CHASE,
    "pinned_chariot": Termination.PERPETUAL_CHASE,
}


def _is_dead(event: Event) -> bool:
    """Whether an event ended the game for good: nothing that comes later could need a ruling."""
    return event.loop is None and event.termination is not Termination.NATURAL_LIMIT


def position_of(board: Board) -> Hashable:
    """Side to move and placement, as :attr:`Step.position` has them."""
    return board.turn, board.codes.tobytes()


def _edge(step: Step) -> Edge:
    return step.position, step.move


def _edges(steps: list[Step]) -> frozenset[Edge]:
    return frozenset(map(_edge, steps))


def _repeated(span: list[Step], times: int) -> bool:
    """Whether every move of a span was made so many times in its position."""
    return min(Counter(map(_edge, span)).values()) >= times
