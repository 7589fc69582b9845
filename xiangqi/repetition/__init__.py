"""Repetition (棋例): what a loop is, what each of its moves is, and what a rule book makes of it.

`judge_loop` answers for a loop that would be repeated for ever; `arbiter.judge` counts occurrences
in a game and says when a ruling is due.

The parts: `book` (rule books as data), `trace` (moves with positions), `kernel` and `evidence`
(attacks, roots and the reasons), `loops` (cutting a span into minimal loops, following pieces),
one module a family of rules with `classify` (natures from positions) and `decide` (verdict from
natures), and `ruling` (the result).

>>> judge_loop("4k4/9/9/9/R8/9/5n3/9/9/3K5 w - - 0 1", [], "a5a3 f3g5 a3a5 g5f3").verdict.value
'red_loses'
"""

from xiangqi.repetition.book import Article, RuleBook, Setting, rule_book, rule_books
from xiangqi.repetition.evidence import Attack, Defence, Stone, survey
from xiangqi.repetition.judging import judge_loop, judge_steps
from xiangqi.repetition.ruling import (
    Decision,
    LoopRuling,
    Nature,
    PlyRuling,
    Reading,
    SideFinding,
    Verdict,
)
from xiangqi.repetition.trace import Step, trace

__all__ = [
    "Article",
    "Attack",
    "Decision",
    "Defence",
    "LoopRuling",
    "Nature",
    "PlyRuling",
    "Reading",
    "RuleBook",
    "Setting",
    "SideFinding",
    "Step",
    "Stone",
    "Verdict",
    "judge_loop",
    "judge_steps",
    "rule_book",
    "rule_books",
    "survey",
    "trace",
]
