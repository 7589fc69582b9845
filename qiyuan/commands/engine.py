"""``qiyuan engine``: be an engine for a graphical program, on stdin and stdout."""

from __future__ import annotations

from importlib import import_module

import click

PROTOCOLS = {
    "checkers": "ai.protocols.checkers",
    "gomoku": "ai.protocols.gomocup",
    "junqi": "ai.protocols.junqi",
    "xiangqi": "ai.protocols.xiangqi",
}
"""Game -> module with ``serve(link, *, player, seed)`` and the table ``SIMPLE_PLAYERS``."""


@click.command()
@click.argument("game", type=click.Choice(sorted(PROTOCOLS)), default="xiangqi")
@click.option(
    "--player",
    metavar="NAME",
    help="棋手 who plays; xiangqi: search, greedy, random; gomoku: threats, random; "
    "checkers: racer, greedy, random; junqi: random.",
)
@click.option("--seed", type=click.IntRange(0, 2**31 - 1), help="固定随机种子 fixed random seed.")
def command(game: str, player: str | None, seed: int | None) -> None:
    """在标准输入输出上作引擎，供棋类界面调用。Be an engine on stdin and stdout.

    \b
    象棋 xiangqi: uci, ucci and ucicyclone; the program's first word chooses.
    五子棋 gomoku: Gomocup (Piskvork) with the extensions of Yixin and Rapfi.
    跳棋 checkers: the words of UCI, with solo and race.
    军棋 junqi: CCGC for two players, or a protocol in the words of UCI for one of the seats.
    """
    from ai.transport import LineTransport

    protocol = import_module(PROTOCOLS[game])
    if player is not None and player not in protocol.SIMPLE_PLAYERS:
        known = ", ".join(protocol.SIMPLE_PLAYERS)
        raise click.BadParameter(f"没有棋手 no such player {player!r}: {known}")
    protocol.serve(LineTransport.over_stdio(), player=player, seed=seed)
