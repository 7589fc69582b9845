"""Wins that can be forced: searches by fours and threats, their proofs, and a verifier."""

from gomoku.threats.proof import Proof, Step
from gomoku.threats.solver import Answer, Solver, solve_vcf, solve_vct

__all__ = ["Answer", "Proof", "Solver", "Step", "solve_vcf", "solve_vct"]
