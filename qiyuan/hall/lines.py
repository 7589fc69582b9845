"""TCP connections: how many there may be, and how long one may stay without asking anything."""

from __future__ import annotations

import asyncio

from uvicorn.protocols.http.h11_impl import H11Protocol

from qiyuan.hall.guard import is_this_machine


class Line(H11Protocol):
    """A connection over which HTTP is spoken, until it becomes a WebSocket.

    The server by itself closes only those that have been answered once and are silent since.

    Attributes:
        most: connections at once in all, WebSockets included, and ``each`` of a visitor from the
            room.
        patience: seconds within which the head of a request must have come.
    """

    most = 1200
    each = 64
    patience = 30.0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Take a connection, or break it off where there are too many."""
        super().connection_made(transport)
        if self._is_too_many():
            transport.abort()
        else:
            self.loop.call_later(self.patience, self._look, None)

    def _is_too_many(self) -> bool:
        address = self.client[0] if self.client else "?"
        clients = (getattr(one, "client", None) for one in self.connections)
        own = sum(client is not None and client[0] == address for client in clients)
        return len(self.connections) > self.most or (
            own > self.each and not is_this_machine(address)
        )

    def _look(self, before: object) -> None:
        """Hang up where no request has come since the look before."""
        if self.transport.is_closing() or self.transport.get_protocol() is not self:
            return
        waiting = self.cycle is None or self.cycle.response_complete
        if waiting and self.cycle is before:
            self.transport.close()
        else:
            self.loop.call_later(self.patience, self._look, self.cycle)
