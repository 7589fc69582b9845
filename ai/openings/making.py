"""Making openings: moves that a player with shaky judgement likes, kept where they are equal."""

from __future__ import annotations

from random import Random

from tqdm import tqdm

from ai.player import Budget
from ai.search.xiangqi import Brain
from ai.search.xiangqi.network import shipped


def make(
    count: int, *, plies: int = 8, nodes: int = 200_000, margin: int = 35, seed: int = 1
) -> list[str]:
    """Different openings of 象棋 of ``plies`` moves whose search value is within ``margin``.

    Each move is drawn among the best ones by a quick search with noise; mirror images count as
    the same opening. A line of coordinate moves each.
    """
    from xiangqi import Board, Move

    random, brain = Random(seed), Brain(hash_size=16, network=shipped())
    found: dict[int, str] = {}
    with tqdm(total=count, desc="openings", disable=None) as bar:
        while len(found) < count:
            board = Board()
            while len(board.move_stack) < plies and len(board.legal_moves):
                thoughts = brain.think(
                    board, Budget(depth=4), lines=6, noise=25, seed=random.getrandbits(32)
                )
                top = thoughts[0].score
                close = [t for t in thoughts if top - t.score < 45]
                move = random.choice(close).move
                board.push(Move(move & 127, move >> 7))
            if board.is_check() or {board.key, board.mirror().key} & found.keys():
                continue
            brain.forget()
            if abs(brain.think(board, Budget(nodes=nodes))[0].score) <= margin:
                found[board.key] = " ".join(str(move) for move in board.move_stack)
                bar.update()
    return sorted(found.values())
