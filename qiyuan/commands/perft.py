"""``qiyuan perft``: count move paths, check known counts, measure speed."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import click

import qikit
from qikit import Capability, GameInfo
from qikit.protocol import MOST_PLIES
from qiyuan.exit_codes import ExitCode


class Games(click.Group):
    """The sub-commands ``bench`` and ``suite``, and one for each registered game."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [*sorted(self.commands), *(n for n in qikit.names() if n not in self.commands)]

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name in self.commands:
            return self.commands[name]
        return _game_command(name) if name in qikit.names() else None

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            own = [(name, self.commands[name].short_help or "") for name in sorted(self.commands)]
            games = [(name, "数该棋种的着法。Count moves of this game.") for name in qikit.names()]
            formatter.write_dl(own + games)


@click.group(cls=Games)
def command() -> None:
    """数着法、与标准数对照、测速。Count move paths, check known counts, measure speed.

    \b
    qiyuan perft xiangqi --depth 5
    qiyuan perft xiangqi "3k5/9/9/9/9/9/9/9/4A4/4K4 w" --depth 4 --divide
    qiyuan perft xiangqi --check FILE
    qiyuan perft suite
    qiyuan perft bench

    退出码 exit codes: 1 数目不符 a count differs, 3 局面或文件有误 bad position or file,
    4 缺少外部程序 a program is missing, 130 Ctrl-C.
    """


def _end(code: ExitCode) -> None:
    click.get_current_context().exit(code)


def _counting(name: str) -> GameInfo:
    info = qikit.game(name)
    if Capability.PERFT not in info.capabilities:
        raise click.UsageError(f"{info.name_zh}没有着法数 (no perft for {name})")
    return info


def _echo_json(data: Any) -> None:
    click.echo(json.dumps(data, ensure_ascii=False))


def _bar(total: int, unit: str) -> Any:
    from tqdm import tqdm

    # shows on a terminal only, and only when the work is long
    return tqdm(total=total, unit=unit, unit_scale=True, disable=None, delay=1.0, leave=False)


def _game_command(name: str) -> click.Command:
    @click.command(name, help=_GAME_HELP)
    @click.argument("position", metavar="[FEN]", nargs=-1)
    @click.option("--depth", type=click.IntRange(0, MOST_PLIES), help="深度（层）plies.")
    @click.option("--divide", is_flag=True, help="按第一着分列 split by first move.")
    @click.option(
        "--check",
        type=click.Path(exists=True, dir_okay=False, path_type=Path),
        help="与文件中的数对照 compare with the counts of a .perft or .jsonl file.",
    )
    @click.option("--max-nodes", type=click.IntRange(min=0), help="超过的不数 skip larger counts.")
    @click.option("--threads", type=click.IntRange(min=1), default=1, show_default=True)
    @click.option("--json", "as_json", is_flag=True, help="输出 JSON.")
    def play(
        position: tuple[str, ...],
        depth: int | None,
        divide: bool,
        check: Path | None,
        max_nodes: int | None,
        threads: int,
        as_json: bool,
    ) -> None:
        if check is not None:
            if position or depth is not None or divide:
                raise click.UsageError(
                    "--check 自带局面与深度 (takes positions and depths from FILE)"
                )
            _check(name, check, max_nodes, threads, as_json)
        elif depth is None:
            raise click.UsageError("请给 --depth N 或 --check FILE (one of them is needed)")
        elif max_nodes is not None:
            raise click.UsageError("--max-nodes 只用于 --check (goes with --check)")
        else:
            _count(name, " ".join(position), depth, divide, threads, as_json)

    return play


_GAME_HELP = """数合法着法序列的个数。Count the legal move sequences of a position.

FEN 省略则为开局。Without FEN: the start position. A FEN with blanks may stand without quotes.
"""


def _count(name: str, position: str, depth: int, divide: bool, threads: int, as_json: bool) -> None:
    from perft.counting import count

    info = _counting(name)
    if not position and Capability.START not in info.capabilities:
        raise click.UsageError(f"{info.name_zh}没有固定开局，请给局面 (a position is needed)")
    board = info.board(position) if position else info.board()
    if divide and depth == 0:
        raise click.UsageError("--divide 的深度至少为 1 (needs a depth of at least 1)")
    len(board.legal_moves)  # kernels load before the clock runs
    with _bar(0, " branch") as bar:

        def progress(done: int, total: int) -> None:
            bar.total = total
            bar.update(done - bar.n)

        result = count(board, depth, threads=threads, progress=progress)
    split = {str(move): nodes for move, nodes in result.split.items()}
    if as_json:
        data: dict[str, Any] = {"game": name, "position": position or None, "depth": depth}
        data |= {"nodes": result.nodes, "threads": threads}
        data |= {"cpu_seconds": result.cpu, "wall_seconds": result.wall}
        _echo_json(data | ({"split": split} if divide else {}))
        return
    if divide:
        for move in sorted(split):
            click.echo(f"{move}: {split[move]}")
        click.echo()
    click.echo(f"深度 depth {depth}: {result.nodes}")
    speed = f", {result.nodes / result.cpu / 1e6:.1f} M/s" if result.cpu > 0.001 else ""
    click.echo(
        f"处理器 CPU {result.cpu:.2f} s, 历时 wall {result.wall:.2f} s, "
        f"线程 threads {threads}{speed}",
        err=True,
    )


def _check(
    name: str, file: Path | None, max_nodes: int | None, threads: int, as_json: bool
) -> None:
    from perft import suite

    _counting(name)
    cases = suite.load(name) if file is None else suite.load_file(file)
    with _bar(suite.planned_nodes(cases, max_nodes), "n") as bar:
        report = suite.run(name, max_nodes, cases=cases, threads=threads, progress=bar.update)
    mismatch = report.mismatch
    if as_json:
        data = {key: getattr(report, key) for key in ("game", "cases", "counts", "skipped")}
        data |= {"nodes": report.nodes, "cpu_seconds": report.cpu, "mismatch": None}
        if mismatch is not None:
            data["mismatch"] = {
                "id": mismatch.case.id,
                "position": mismatch.case.position,
                "depth": mismatch.depth,
                "expected": mismatch.expected,
                "counted": mismatch.counted,
                "split": mismatch.split,
            }
        _echo_json(data)
    elif mismatch is not None:
        click.echo(mismatch.text())
    else:
        click.echo(
            f"{name}: {report.cases} 个局面 positions, {report.counts} 个数全部相符 counts agree, "
            f"{report.skipped} 个超过上限未数 above the cap; "
            f"{report.nodes} 节点 nodes, CPU {report.cpu:.2f} s"
        )
    if mismatch is not None:
        _end(ExitCode.MISMATCH)


@command.command("suite", short_help="对照随包的标准数。Check the suites that come with qiyuan.")
@click.argument("games", nargs=-1)
@click.option("--max-nodes", type=click.IntRange(min=0), help="超过的不数 skip larger counts.")
@click.option("--threads", type=click.IntRange(min=1), default=1, show_default=True)
@click.option("--json", "as_json", is_flag=True, help="每个棋种一行 JSON, one line a game.")
def suite_command(
    games: tuple[str, ...], max_nodes: int | None, threads: int, as_json: bool
) -> None:
    """对照随包的标准数。Check the suites that come with the package, of GAMES or of all."""
    from perft import suite

    for name in games or qikit.names():
        if name not in qikit.names():
            raise click.UsageError(f"没有棋种 no such game {name!r}: {', '.join(qikit.names())}")
        try:
            suite.load(name)
        except FileNotFoundError:
            if games:
                click.echo(f"{name}: 没有随包的标准数 (no suite in the package)", err=True)
                _end(ExitCode.MISSING)
            continue
        _check(name, None, max_nodes, threads, as_json)


@command.command("bench", short_help="与其他程序比速度。Compare speed with other programs.")
@click.argument("game", default="xiangqi")
@click.argument("position", metavar="[FEN]", nargs=-1)
@click.option("--depth", type=click.IntRange(1, MOST_PLIES), default=5, show_default=True)
@click.option("--rounds", type=click.IntRange(min=1), default=3, show_default=True)
@click.option(
    "--engine",
    "engines",
    metavar="PATH",
    multiple=True,
    help="另一个应答 go perft 的 UCI 引擎 another UCI engine that answers go perft.",
)
@click.option("--threads", type=click.IntRange(min=1), default=2, show_default=True)
@click.option("--threads-depth", type=click.IntRange(1, MOST_PLIES), help="默认比 --depth 深一层.")
@click.option("--json", "as_json", is_flag=True, help="输出 JSON.")
def bench_command(
    game: str,
    position: tuple[str, ...],
    depth: int,
    rounds: int,
    engines: tuple[str, ...],
    threads: int,
    threads_depth: int | None,
    as_json: bool,
) -> None:
    """与其他程序比速度，并核对节点数。Speed beside other programs; the counts are asserted.

    Debian's fairy-stockfish is used when installed. All times are processor time, the least of
    several interleaved rounds; the ratio says how many times as many nodes a second we count.
    """
    from perft import suite
    from perft.bench import bench
    from perft.peer import Peer, PeerError, find

    if game not in qikit.names():
        raise click.UsageError(f"没有棋种 no such game {game!r}: {', '.join(qikit.names())}")
    info = _counting(game)
    if not position and Capability.START not in info.capabilities:
        raise click.UsageError(f"{info.name_zh}没有固定开局，请给局面 (a position is needed)")
    text = " ".join(position) or info.board().fen()
    peers = [Peer(path, variant=game) for path in engines]
    if game == "xiangqi":
        fairy = find("fairy-stockfish")
        if fairy is None:
            click.echo("未装 fairy-stockfish，只测自己 (not installed: own speed only)", err=True)
        else:
            peers.insert(0, Peer(fairy))
    known = {c.position: c.counts for c in suite.load(game)} if _has_suite(game) else {}

    def progress(what: str) -> None:
        if sys.stderr.isatty():
            click.echo(f"\r{what:<40}", err=True, nl=False)

    try:
        result = bench(
            game,
            text,
            depth,
            peers=peers,
            rounds=rounds,
            threads=threads,
            threads_depth=threads_depth or depth + 1,
            expected=known.get(text),
            progress=progress,
        )
    except PeerError as error:
        click.echo(f"错误：{error}", err=True)
        _end(ExitCode.MISSING)
        return
    progress("")
    if as_json:
        _echo_json(result.to_dict())
    else:
        _print_bench(result)
    if result.wrong:
        click.echo(f"节点数不符 wrong counts: {', '.join(result.wrong)}", err=True)
        _end(ExitCode.MISMATCH)


def _has_suite(game: str) -> bool:
    from perft import suite

    try:
        return bool(suite.load(game))
    except FileNotFoundError:
        return False


def _print_bench(result: Any) -> None:
    expected = "未知 unknown" if result.expected is None else result.expected
    click.echo(f"{result.game} {result.position}")
    click.echo(f"深度 depth {result.depth}, 应有节点 expected nodes {expected}")
    for row in result.peers:
        click.echo(_bench_line(row.name, row) + f"  {row.en}")
    for row in result.own:
        ratios = ", ".join(f"{ratio:.1f} × {name}" for name, ratio in row.ratios.items())
        click.echo(_bench_line(f"qiyuan {row.name}", row) + f"  {row.zh} {row.en}")
        if ratios:
            click.echo(f"    = {ratios}")
    if result.threads is not None:
        two = result.threads
        click.echo(
            f"线程 {two.threads} threads, depth {two.depth}, {two.nodes} nodes: "
            f"CPU {two.cpu_many:.2f} s = {two.cpu_ratio:.2f} × one ({two.cpu_one:.2f} s), "
            f"wall {two.wall_many:.2f} s ({two.wall_one:.2f} s)"
        )
    click.echo(
        f"Python: {result.python_moves:,.0f} 着/秒 moves a second "
        f"(push + len(list(legal_moves)) + pop), {result.python_listed:,.0f} listed"
    )


def _bench_line(name: str, row: Any) -> str:
    speed = f"{row.speed / 1e6:8.1f} M/s"
    return f"{name:<36} {row.nodes:>14} nodes {row.cpu:9.3f} s {speed}"
