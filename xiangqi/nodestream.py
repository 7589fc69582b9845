"""Trees of moves as streams of nodes, as XQF and CBR store them.

A node is four bytes, which each format reads in its own way, and perhaps a remark: its length as an
int32 and its bytes. A node is followed by all that goes on from it, then by the next move at the
same place. The first node is the root.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator
from typing import NamedTuple

from xiangqi.game import Game, Node, Skipped
from xiangqi.rawtree import RawNode

MOST_NODES = 1_000_000
"""Moves read of one game: no published tree comes near, and memory stays bounded."""
_SIZE = struct.Struct("<i")
_PATIENCE = 100_000
"""Nodes tried at most to find the place behind a damaged length where the tree goes on."""


class Head(NamedTuple):
    """What the four bytes of a node say.

    Attributes:
        start, goal: points 0..89, or another number where the node names no point.
        goes_on: a move follows this one.
        has_sibling: after all that follows comes another move at the same place.
        has_remark: a length and a remark stand behind the four bytes.
    """

    start: int
    goal: int
    goes_on: bool
    has_sibling: bool
    has_remark: bool

    def is_on_board(self) -> bool:
        """Whether the points are points of the board."""
        return 0 <= self.start < 90 and 0 <= self.goal < 90


ReadHead = Callable[[bytes], Head]


class Reader:
    """Reads a stream into a raw tree, as far as it can.

    Args:
        body: the stream.
        head: reads the four bytes of a node.
        size_key: subtracted from every length of a remark.

    Attributes:
        root: the tree.
        remarks: nodes with the bytes of their remarks.
        defects: what was wrong with the stream.
    """

    def __init__(self, body: bytes, head: ReadHead, size_key: int = 0) -> None:
        self.body = body
        self.head = head
        self.size_key = size_key
        self.root = RawNode()
        self.remarks: list[tuple[RawNode, bytes]] = []
        self.defects: list[Skipped] = []
        self._read()

    def _read(self) -> None:
        parent, ply = self.root, 0
        forks: list[tuple[RawNode, int]] = []
        at = count = 0
        while True:
            if at + 4 > len(self.body):
                self._defect(ply, "文件在此中断，以后的着法没有了 (the file ends here)")
                return
            head = self.head(self.body[at : at + 4])
            at += 4
            node = self.root
            if count:
                node = RawNode(head.start, head.goal)
                parent.children.append(node)
                if head.has_sibling:
                    forks.append((parent, ply))
            if head.has_remark:
                at = self._remark(node, at, ply, len(forks) + head.goes_on)
            if head.goes_on:
                parent, ply = node, ply + 1
            elif forks:
                parent, ply = forks.pop()
            else:
                return
            count += 1
            if count > MOST_NODES:
                self._defect(ply, f"超过 {MOST_NODES} 着，其余没有读 (too many moves)")
                return

    def _defect(self, ply: int, reason: str, text: str = "") -> None:
        self.defects.append(Skipped(ply, text, reason))

    def _size(self, at: int) -> int:
        return int(_SIZE.unpack_from(self.body, at)[0]) - self.size_key

    def _remark(self, node: RawNode, at: int, ply: int, announced: int) -> int:
        """Read the remark at ``at``; returns where it ends."""
        body = self.body
        if at + 4 > len(body):
            self._defect(ply, "文件在评注处中断 (the file ends at a remark)")
            return len(body)
        size = self._size(at)
        at += 4
        end = at + size
        if not at <= end <= len(body):
            end = self._resume(at, announced)
            self._defect(ply, "评注长度不对 (impossible length of a remark)", str(size))
        if end > at:
            self.remarks.append((node, body[at:end]))
        return end

    def _resume(self, at: int, announced: int) -> int:
        """Where the tree goes on behind a damaged length: from there on it ends with the stream.

        Args:
            announced: moves that the nodes so far have announced.
        """
        end = len(self.body.rstrip(b"\0"))
        if not announced:
            return len(self.body)
        patience = _PATIENCE
        for start in range(at, len(self.body) - 3):
            place, open_lines = start, announced
            while patience and open_lines and place + 4 <= len(self.body):
                patience -= 1
                head = self.head(self.body[place : place + 4])
                place += 4
                if not head.is_on_board():
                    break
                open_lines += head.goes_on + head.has_sibling - 1
                if head.has_remark:
                    if place + 4 > len(self.body) or self._size(place) < 0:
                        break
                    place += 4 + self._size(place)
            else:
                if not open_lines and end <= place <= len(self.body):
                    return start
            if not patience:
                break
        return len(self.body)


def stream(game: Game) -> Iterator[tuple[Node, bool, bool]]:
    """The nodes of a game in the order of a stream: node, goes on, has a further sibling."""
    for node in game.root.walk():
        further = node.parent is not None and node.parent.variations[-1] is not node
        yield node, bool(node.variations), further
