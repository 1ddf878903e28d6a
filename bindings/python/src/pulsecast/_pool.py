"""Threads of the library: started at the first call that wants them, never by an import.

A fork copies no threads, so a child starts its own.
"""

from __future__ import annotations

import os

from . import _engine


class Pool:
    """So many threads for one forecaster; 0 is one per CPU that the process may use."""

    def __init__(self, count: int) -> None:
        self._count = count
        self._threads: _engine.Handle | None = None
        self._process = 0

    def handle(self) -> _engine.Handle:
        if self._threads is None or self._process != os.getpid():
            self._threads = _engine.made("threads", "threads_new", self._count)
            self._process = os.getpid()
        return self._threads
