"""Rows in the library, and the frame that they came from."""

from __future__ import annotations

import array
import ctypes
import datetime
import os
from collections.abc import Sequence
from typing import Any

from . import _engine
from ._arrow import Column
from ._errors import DataError, UsageError
from ._files import table_in
from ._frames import open_frame
from ._frames._buffers import plain, raw_values, to_list
from ._library import NAIVE_STAMPS
from ._pool import Pool
from ._stamps import UTC
from ._watch import Progress, Watched

Frame = Any  # of pandas, polars, pyarrow or NumPy; a dictionary, a list, or the path of a file


def names_in(told: Any) -> list[str]:
    """Names of columns as a keyword has them: one, or several."""
    if told is None:
        return []
    return [told] if isinstance(told, str) else [str(one) for one in told]


class RowSource:
    """A frame or a file that rows can be read from."""

    def __init__(self, frame: Frame, unread: Sequence[str] = ()) -> None:
        if isinstance(frame, (str, os.PathLike)):
            table = table_in(frame)
            if table is None:
                self.door = open_frame({})
                self.handle = _engine.made("source", "source_file", _engine.path_bytes(frame))
                return
            frame = table
        self.door = open_frame(frame)
        names = self.door.names()
        twice = sorted({name for name in names if names.count(name) > 1})
        if twice:
            raise DataError(
                f"two columns are named {twice[0]!r}", advice="give each column a name of its own"
            )
        rows = self.door.rows(unread)
        self.handle = _engine.source_of(rows.stream, "frame")


def joined(frame: Frame, other: Frame) -> Frame:
    """A frame of the rows of both."""
    if isinstance(frame, (str, os.PathLike)):
        raise UsageError("rows of a file cannot be joined with others", advice="give a frame")
    return open_frame(frame).joined(other)


class ReadRows:
    """Series on one grid, read from a frame: to learn from, or as a model wants them."""

    def __init__(
        self,
        source: RowSource,
        settings: _engine.Handle | None,
        model: _engine.Handle | None,
        told: dict[str, Any],
        pool: Pool,
        progress: Progress = None,
    ) -> None:
        """told: the settings as the library has them as a document."""
        self.door = source.door
        with Watched(progress) as watched:
            self.handle = _engine.made(
                "rows", "rows_new", source.handle, settings,
                model, pool.handle(), ctypes.byref(watched.watch),
            )  # fmt: skip
        document = _engine.document("rows_json", self.handle)
        self.repairs = [str(repair) for repair in document["repairs"]]
        self.is_long = bool(document["long"])
        self._zone = str(document["zone"])
        self.channels = [str(channel["name"]) for channel in document["channels"]]
        self.id_column = str(told.get("data.id-column") or "unique_id")
        self.time_column = self._time_column(told)
        self.flags = NAIVE_STAMPS if self.door.is_naive(self.time_column) else 0

    def _time_column(self, told: dict[str, Any]) -> str:
        """What the engine took for stamps: it finds them by content, and does not say where."""
        if told.get("data.time-column"):
            return str(told["data.time-column"])
        others = {self.id_column, told.get("data.value-column"), *self.channels}
        for role in ("known", "static", "past", "ignore", "drop"):
            others.update(told.get(f"data.{role}") or ())
        names = [name for name in self.door.names() if name not in others]
        if len(names) > 1:
            names = [name for name in self.door.stamped() if name in names] or names
        return names[0] if names else "ds"

    def long(self, columns: Sequence[Column]) -> Any:
        """A row a series and step, under the user's names and in the user's kind of frame."""
        names = {"ds": self.time_column, "unique_id": self.id_column}
        renamed = [column.renamed(names.get(column.name, column.name)) for column in columns]
        return self.door.build(renamed, self.time_column)

    def wide(self, forecast: _engine.Handle, columns: Sequence[Column], steps: int) -> Any:
        """A row a step and a column a series, its ranges beside it.

        Series of a panel may end at rows of their own: then there is a row for each stamp of any, and
        NaN where a series has no forecast.
        """
        by_name = {column.name: column for column in columns}
        ids, shown = by_name.pop("unique_id"), by_name.pop("ds")
        by_name.pop("status")
        firsts = range(0, ids.length, steps)
        stamps = list(raw_values(shown))
        union = None
        if any(stamps[first : first + steps] != stamps[:steps] for first in firsts):
            union = _Union(shown, _instants(forecast), steps)
        grid = shown.part(0, min(steps, shown.length)) if union is None else union.stamps
        made = [grid.renamed(self.time_column)]
        for first in firsts:
            series = to_list(ids.part(first, 1))[0]
            for name, column in by_name.items():
                ending = name[len("yhat") :] if name.startswith("yhat") else "_" + name
                part = column.part(first, steps) if union is None else union.placed(column, first)
                made.append(part.renamed(series + ending))
        return self.door.build(made, self.time_column)

    def zone(self) -> datetime.tzinfo:
        """Whose clock stamps show that name no zone."""
        if self._zone == "UTC":
            return UTC
        import zoneinfo  # reads files

        try:
            return zoneinfo.ZoneInfo(self._zone)
        except zoneinfo.ZoneInfoNotFoundError:
            raise UsageError(
                f"Python knows no zone {self._zone}", advice="give stamps with a zone of their own"
            ) from None

    def values(self, channel: int) -> tuple[Any, int]:
        """The numbers of a channel in the library's memory, and the row of the first."""
        values, count, first = ctypes.c_void_p(), ctypes.c_size_t(), ctypes.c_size_t()
        _engine.call(
            "rows_values", self.handle, channel, ctypes.byref(values), ctypes.byref(count),
            ctypes.byref(first),
        )  # fmt: skip
        if not values:
            return (), first.value
        return (ctypes.c_double * count.value).from_address(values.value or 0), first.value

    def stamps(self) -> Any:
        """Milliseconds of each row, in the library's memory."""
        values, count = ctypes.c_void_p(), ctypes.c_size_t()
        _engine.call("rows_stamps", self.handle, ctypes.byref(values), ctypes.byref(count))
        return (ctypes.c_int64 * count.value).from_address(values.value or 0)


class _Union:
    """The stamps of series that end at rows of their own, once each and in their order.

    Stamps are told apart by their instants: a naive clock shows an hour twice where it is set back.
    """

    def __init__(self, shown: Column, instants: list[int], steps: int) -> None:
        shown_at = dict(zip(instants, raw_values(shown)))
        self._instants, self._steps = instants, steps
        self._row = {instant: row for row, instant in enumerate(sorted(shown_at))}
        held = array.array("q", [shown_at[instant] for instant in self._row])
        self.stamps = Column(shown.name, shown.format, len(held), (None, held.buffer_info()[0]), held)

    def placed(self, column: Column, first: int) -> Column:
        """The steps of the series that begin at row `first`, at their stamps."""
        values: list[Any] = [None] * len(self._row)
        stamps = self._instants[first : first + self._steps]
        for instant, value in zip(stamps, to_list(column.part(first, self._steps))):
            values[self._row[instant]] = value
        return plain(column.name, values)


def _instants(forecast: _engine.Handle) -> list[int]:
    """Milliseconds of UTC of each row of a forecast."""
    columns = _engine.columns_of_forecast(forecast, 0)
    return list(raw_values(next(column for column in columns if column.name == "ds")))
