"""What each kind of frame can do: rows for the engine, and a frame of the same kind back."""

from __future__ import annotations

import abc
from collections.abc import Sequence
from typing import Any

from .._arrow import ArrowArrayStream, Column


class Rows:
    """Rows on their way to the engine, and what their memory belongs to."""

    def __init__(self, stream: ArrowArrayStream, owner: object) -> None:
        self.stream = stream
        self.owner = owner


class Door(abc.ABC):
    """A frame as its user gave it."""

    @abc.abstractmethod
    def names(self) -> list[str]:
        """Of the columns, as the engine knows them."""

    @abc.abstractmethod
    def stamped(self) -> list[str]:
        """Of the columns whose type is that of stamps."""

    @abc.abstractmethod
    def rows(self, unread: Sequence[str]) -> Rows:
        """All columns, without a copy where their layout allows; of those in `unread` the names."""

    @abc.abstractmethod
    def is_naive(self, time_column: str) -> bool:
        """Whether its stamps name no zone."""

    @abc.abstractmethod
    def build(self, columns: Sequence[Column], time_column: str) -> Any:
        """A frame of this kind; `time_column` has the type of the frame's own."""

    @abc.abstractmethod
    def joined(self, other: Any) -> Any:
        """The rows of this frame and those of another of its kind."""
