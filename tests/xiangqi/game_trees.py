"""Game trees for the tests of record files: random ones, and what of a tree a file must keep."""

from __future__ import annotations

import random
from collections.abc import Sequence

from hypothesis import strategies as st

from tests.xiangqi.positions import reference_fens
from xiangqi import Board, Game, Node

WORDS = "车马炮进退平这里可以先手黑方好棋评注第一局甲乙丙，。！？ abcXYZ019+-=*()[]{}<>&\"'\\/\n"
RESULTS = ("1-0", "0-1", "1/2-1/2", "*")


def texts(size: int, letters: str = WORDS) -> st.SearchStrategy[str]:
    """Texts as a record may hold them: nothing blank at their ends."""
    return st.text(letters, max_size=size).map(str.strip)


def names(size: int) -> st.SearchStrategy[str]:
    """Texts of one line that are not empty."""
    return st.text(WORDS.replace("\n", ""), min_size=1, max_size=size).map(str.strip).filter(bool)


def grow(game: Game, choices: Sequence[tuple[int, int, str]]) -> Game:
    """Add a node for each choice (of its parent, of a legal move, its remark)."""
    places: list[tuple[Node, Board]] = [(game.root, game.board())]
    for parent, number, comment in choices:
        node, board = places[-1 - parent % len(places)]
        moves = list(board.legal_moves)
        if not moves:
            continue
        move = moves[number % len(moves)]
        if node.child(move) is None:
            after = board.copy(stack=False)
            after.push_unchecked(move)
            places.append((node.add_unchecked(move, comment), after))
    return game


@st.composite
def games(draw: st.DrawFn, tags: Sequence[str] = (), room: int = 15) -> Game:
    """Trees of up to 40 moves with remarks; about half of the moves go on from the one before.

    ``tags`` may get values of up to ``room`` GBK bytes.
    """
    number = draw(st.integers(0, 3 * len(reference_fens())))
    fens = reference_fens()
    start = Board(fens[number]) if number < len(fens) else Board()
    game = Game(
        Board.from_pieces(start.piece_map(), start.turn), result=draw(st.sampled_from(RESULTS))
    )
    parents = st.one_of(st.just(0), st.integers(0, 40))
    comments = st.one_of(st.just(""), st.just(""), texts(30))
    choices = st.tuples(parents, st.integers(0, 120), comments)
    grow(game, draw(st.lists(choices, max_size=40)))
    game.root.comment = draw(comments)
    for tag in draw(st.lists(st.sampled_from(tags), unique=True)) if tags else ():
        game.headers[tag] = draw(names(room // 2))
    return game


def seeded(seed: int, size: int = 30, start: Board | None = None) -> Game:
    """A tree of about ``size`` moves, the same for the same seed."""
    rng = random.Random(seed)
    game = Game(start, headers={"Title": f"第{seed}局", "Red": "甲", "Black": "乙"})
    game.result = rng.choice(RESULTS)
    choices = [
        (
            0 if rng.random() < 0.8 else rng.randrange(40),
            rng.randrange(200),
            rng.choice(["", "", "", "好棋。", "第一行\n第二行"]),
        )
        for _ in range(size)
    ]
    game.root.comment = rng.choice(["", "开局之前"])
    return grow(game, choices)


def shape(game: Game) -> list[tuple[str, str, int]]:
    """Moves, remarks and branching in the order of the tree."""
    return [(str(node.move or ""), node.comment, len(node.variations)) for node in game.root.walk()]


def bracketed(game: Game) -> str:
    """The tree in the words of expected.jsonl: every further move in brackets with its line."""
    words: list[str] = []
    waiting: list[Node | str] = [*reversed(game.root.variations[:1])]
    while waiting:
        item = waiting.pop()
        if isinstance(item, str):
            words.append(item)
            continue
        words.append(str(item.move))
        waiting += reversed(item.variations[:1])
        siblings = item.parent.variations if item.parent else []
        if siblings and siblings[0] is item:
            for sibling in reversed(siblings[1:]):
                waiting += [")", sibling, "("]
    return " ".join(words).replace("( ", "(").replace(" )", ")")
