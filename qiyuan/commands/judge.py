"""``qiyuan judge``: rule on a game or on whole archives, with the evidence."""

from __future__ import annotations

import json
import os
import sys
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import click

from qikit.errors import GameError
from qiyuan.exit_codes import ExitCode
from qiyuan.recordfile import games_of, read_games, write_file

if TYPE_CHECKING:
    from arbiter import ClaimRuling, Correction, Forbidden, Ruling
    from arbiter.archive import Rules, Summary
    from xiangqi.game import Game
    from xiangqi.repetition import RuleBook

BUNDLED = "disputed.pgn"
PATTERNS_SHOWN = 30


@click.command()
@click.argument("records", metavar="[GAME | ARCHIVE...]", nargs=-1)
@click.option("--rules", default="club2008", show_default=True, help="棋例 the rule book.")
@click.option(
    "--set",
    "settings",
    multiple=True,
    metavar="NAME=VALUE",
    help="改动棋例的一个参数 change one setting, e.g. natural_limit_rounds=40.",
)
@click.option("--fen", help="不用棋谱，从这个局面开始 start from a position instead of a record.")
@click.option("--moves", help="着法，任何记谱法，空格分开 moves in any notation.")
@click.option("--encoding", help="棋谱的文字编码，默认自动识别 encoding of the record.")
@click.option("--game", type=click.IntRange(1), help="只看棋谱的第几局 one game of a collection.")
@click.option("--json", "as_json", is_flag=True, help="每局一行 JSON one JSON line a game.")
@click.option(
    "--correct",
    "corrections",
    multiple=True,
    metavar="PLY=MOVE",
    help="更正记错的一着，其余照走 put a mistyped move right, e.g. 12=车二平四.",
)
@click.option(
    "--override",
    "overrides",
    multiple=True,
    metavar="PLY=NATURE:REASON",
    help="裁判认定一着的性质 find a move to be 杀, 捉, 联合捉 or 闲; a chase may name its victims: "
    "12=捉@e5:断根.",
)
@click.option(
    "--claim",
    "claims",
    multiple=True,
    metavar="SIDE[@PLY]=WHAT",
    help="答复一方的提出 answer a claim: repetition, natural_limit, must_change or an article, "
    "e.g. 红@120=natural_limit.",
)
@click.option("--forbidden", is_flag=True, help="现在不许走的着法 moves that are forbidden now.")
@click.option(
    "--report",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="写成可打印的裁定书 a page to print and sign: .html or .pdf.",
)
@click.option("--force", is_flag=True, help="覆盖已有的裁定书 replace a report that exists.")
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="裁定整个文件夹或合集，每局一行 judge archives: .jsonl or .parquet; a rerun goes on.",
)
@click.option("--jobs", type=click.IntRange(1, 1024), help="用几个进程 processes for --out.")
@click.option("--scheduler", metavar="ADDRESS", help="用 Dask 集群 a Dask scheduler, tcp://...")
def command(
    records: tuple[str, ...],
    rules: str,
    settings: tuple[str, ...],
    fen: str | None,
    moves: str | None,
    encoding: str | None,
    game: int | None,
    as_json: bool,
    corrections: tuple[str, ...],
    overrides: tuple[str, ...],
    claims: tuple[str, ...],
    forbidden: bool,
    report: Path | None,
    force: bool,
    out: Path | None,
    jobs: int | None,
    scheduler: str | None,
) -> None:
    """裁定一局棋的重复局面，并逐着说明理由。Rule on a game and show why.

    GAME 是棋谱文件（PGN、XQF、CBR、CBL、CBF、DhtmlXQ 或着法文本），“-” 为标准输入；
    不给则裁定程序自带的一局争议棋。
    GAME is a record, "-" is standard input; without it, the bundled disputed game is ruled on.

    ARCHIVE 是文件夹或多局的文件，与 --out 合用，找出每一局中应作裁定之处。
    An ARCHIVE is a folder or a collection: with --out every place where a ruling was due is found.

    棋谱中有不合法着法时，裁定其合法部分，并以退出码 3 结束。
    A record with illegal moves is ruled on as far as it is legal; the exit code is then 3.
    """
    chosen = _rules(rules, settings)
    single = any((fen, moves, game, as_json, corrections, overrides, claims, forbidden, report))
    if out is not None:
        if single or not records:
            raise click.UsageError(
                "--out 用于整个档案：要给文件或文件夹，不与单局的选项合用 "
                "(--out takes archives and no option of a single game)"
            )
        _archive(records, chosen, encoding, out, jobs, scheduler)
        return
    if jobs or scheduler or len(records) > 1 or any(map(os.path.isdir, records)):
        raise click.UsageError(
            "裁定文件夹或多个文件要用 --out 指定结果文件 (archives need --out FILE)"
        )
    if fen is not None or moves is not None:
        if records:
            raise click.UsageError("GAME 与 --fen、--moves 只能用一种 (a record or --fen/--moves)")
        games = [_typed(fen, moves)]
    else:
        games = read_games(records[0], encoding) if records else _bundled()
    if game is not None:
        if game > len(games):
            raise click.UsageError(f"棋谱只有 {len(games)} 局 (no game {game} in the record)")
        games = [games[game - 1]]
    if len(games) > 1 and any((corrections, overrides, claims, forbidden, report)):
        raise click.UsageError(
            f"棋谱有 {len(games)} 局，请用 --game 指定一局 (choose one of the games by --game)"
        )
    hearings = [
        _Hearing(one, chosen.book(), corrections, overrides, claims, forbidden) for one in games
    ]
    if report is not None:
        hearings[0].write(report, force)
    for number, hearing in enumerate(hearings, 1):
        if as_json:
            hearing.print_json(game or number)
            continue
        if len(games) > 1:
            click.echo(f"{'' if number == 1 else chr(10)}═══ 第 {number} 局，共 {len(games)} 局")
        hearing.print_text()
    if any(hearing.game.defects for hearing in hearings):
        sys.exit(ExitCode.BAD_INPUT)


class _Hearing:
    """One game with what the arbiter changed and was asked, and the answers."""

    def __init__(
        self,
        game: Game,
        book: RuleBook,
        corrections: tuple[str, ...],
        overrides: tuple[str, ...],
        claims: tuple[str, ...],
        forbidden: bool,
    ) -> None:
        from arbiter import Claim, Override, corrected, decide_claim, forbidden_moves, judge
        from arbiter.correction import parse

        self.game = game
        changes: tuple[Correction, ...] = ()
        if corrections:
            wanted = dict(map(parse, corrections))
            if len(wanted) < len(corrections):
                raise click.UsageError("同一着更正了两次 (a ply is corrected twice)")
            self.game, changes = corrected(game, wanted)
        found = [Override.parse(text) for text in overrides]
        asked = [Claim.parse(text, book) for text in claims]
        self.ruling: Ruling = judge(self.game, book, overrides=found, corrections=changes)
        self.claims: list[ClaimRuling] = [
            decide_claim(self.game, claim, book, overrides=found) for claim in asked
        ]
        self.forbidden: tuple[Forbidden, ...] | None = (
            forbidden_moves(self.game, book) if forbidden else None
        )

    def print_text(self) -> None:
        """The ruling for a terminal; what is wrong with the record goes to stderr."""
        from arbiter.report import report

        click.echo(report(self.ruling, self.game.headers))
        for claim in self.claims:
            click.echo(f"\n提出：{claim.text()}")
        if self.forbidden is not None:
            moves = " ".join(str(ban.move) for ban in self.forbidden)
            click.echo(f"\n不许走的着法 forbidden now: {moves or '没有 (none)'}")
            for ban in self.forbidden:
                click.echo(f"  {ban.text} ({ban.move})：{ban.reason}")
        _warn(self.game)

    def print_json(self, number: int) -> None:
        """The ruling as one line of JSON."""
        defects = [{"ply": d.ply, "text": d.text, "reason": d.reason} for d in self.game.defects]
        found = {"game": number, "headers": self.game.headers, **self.ruling.to_dict()}
        found |= {"defects": defects, "claims": [claim.to_dict() for claim in self.claims]}
        if self.forbidden is not None:
            found["forbidden"] = [ban.to_dict() for ban in self.forbidden]
        click.echo(json.dumps(found, ensure_ascii=False))

    def write(self, path: Path, force: bool) -> None:
        """The ruling as a page to print and sign."""
        from arbiter.page import ReportMissing, html, pdf

        if path.suffix not in (".html", ".pdf"):
            raise click.UsageError(
                f"裁定书的文件名要以 .html 或 .pdf 结尾 (name it .html or .pdf): {path}"
            )
        try:
            page = html(
                self.ruling,
                self.game.headers,
                claims=[claim.text() for claim in self.claims],
                defects=self.game.defects,
            )
            data = pdf(page) if path.suffix == ".pdf" else page.encode()
        except ReportMissing as error:
            _missing(error)
        write_file(path, data, force=force)


def _missing(error: Exception) -> NoReturn:
    click.echo(f"错误：{error}", err=True)
    sys.exit(ExitCode.MISSING)


def _archive(
    paths: tuple[str, ...],
    rules: Rules,
    encoding: str | None,
    out: Path,
    jobs: int | None,
    scheduler: str | None,
) -> None:
    """Judge every game of an archive; the exit code tells of files that could not be read."""
    from tqdm import tqdm

    from arbiter.archive import stamp, summary, warm
    from qiyuan import archive, workers

    try:
        files = archive.files_in(paths, (out, archive.journal_of(out)))
        if not files:
            raise click.UsageError("没有文件 (no files there)")
        with archive.Results(out) as results, workers.place(jobs, scheduler) as pool:
            results.load(stamp(rules.book()))
            warm()
            size = sum(path.stat().st_size for path in files.values() if path.is_file())
            with tqdm(total=size, unit="B", unit_scale=True, desc="裁定", disable=None) as bar:
                work = archive.missing(files, encoding, rules, results, bar)
                for portion, rows in archive.judged(work, pool):
                    results.add(rows)
                    bar.update(portion.size)
            rows = results.finish()
    except workers.ToolMissing as error:
        _missing(error)
    except KeyboardInterrupt:
        click.echo("已中断；再运行同一命令即从这里继续 (run it again to go on)", err=True)
        raise
    found = summary(rows)
    _print_summary(found, out)
    if found.unreadable:
        sys.exit(ExitCode.BAD_INPUT)


def _print_summary(found: Summary, out: Path) -> None:
    """Games by verdict, rulings by pattern, and what could not be read."""
    from arbiter import Verdict

    click.echo(
        f"{found.files} 个文件，{found.games} 局；{found.due} 局有应作的裁定，"
        f"{found.defective} 局有不能照走的着法 ({found.games} games, {found.due} with rulings due)"
    )
    click.echo("\n各局的结论 games by verdict")
    for verdict, count in found.verdicts.most_common():
        click.echo(f"{count:8}  {Verdict(verdict).zh} ({verdict})")
    if found.patterns:
        click.echo("\n应作裁定之处 rulings due, by pattern")
    for (pattern, verdict), count in found.patterns.most_common(PATTERNS_SHOWN):
        click.echo(f"{count:8}  {pattern}：{Verdict(verdict).zh}")
    if len(found.patterns) > PATTERNS_SHOWN:
        click.echo(f"{'':8}  另有 {len(found.patterns) - PATTERNS_SHOWN} 种，见结果文件 (and more)")
    click.echo(f"\n结果 results: {out}")
    if found.unreadable:
        click.echo(f"\n注意：{len(found.unreadable)} 处没有读成 (not read):", err=True)
        for file, reason in found.unreadable[:PATTERNS_SHOWN]:
            click.echo(f"  {file}：{reason}", err=True)


def _warn(game: Game) -> None:
    """Say loudly what of a record could not be ruled on."""
    if not game.defects:
        return
    click.echo("", err=True)
    click.echo(
        f"注意：棋谱有 {len(game.defects)} 处不能照走，以上裁定只依据合法的 "
        f"{len(game.moves())} 着 (the ruling covers the legal part only):",
        err=True,
    )
    for defect in game.defects:
        click.echo(f"  {defect}", err=True)


def _rules(rules: str, settings: tuple[str, ...]) -> Rules:
    """The rule book with the changes of the command line."""
    from arbiter.archive import Rules

    values = []
    for setting in settings:
        name, equals, text = setting.partition("=")
        if not equals:
            raise click.UsageError(f"要写成 NAME=VALUE (write NAME=VALUE): {setting!r}")
        values.append((name, _value(text)))
    chosen = Rules(rules, tuple(values))
    try:
        chosen.book()
    except ValueError as error:
        raise click.UsageError(str(error)) from None
    return chosen


def _value(text: str) -> int | bool | str:
    if text in ("true", "false"):
        return text == "true"
    return int(text) if text.isascii() and text.isdigit() and len(text) <= 6 else text


def _bundled() -> list[Game]:
    return games_of((files("qiyuan.data") / BUNDLED).read_bytes(), BUNDLED)


def _typed(fen: str | None, moves: str | None) -> Game:
    """The game of --fen and --moves: legal as far as it goes."""
    from xiangqi.board import Board
    from xiangqi.game import Game, Skipped

    game = Game(Board() if fen is None else Board(fen))
    board, node = game.board(), game.root
    texts = (moves or "").split()
    for ply, text in enumerate(texts, 1):
        try:
            node = node.add_unchecked(board.push(text))
        except GameError as error:
            game.defects.append(Skipped(ply, text, str(error), tuple(texts[ply:])))
            break
    return game
