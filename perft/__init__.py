"""Counting move paths: against references, and beside other programs.

>>> import perft
>>> report = perft.run("xiangqi", max_nodes=1000)
>>> report.mismatch is None, report.cases
(True, 56)
"""

from perft.counting import Count, count
from perft.suite import Case, Mismatch, Report, check, load, read, run

__all__ = ["Case", "Count", "Mismatch", "Report", "check", "count", "load", "read", "run"]
