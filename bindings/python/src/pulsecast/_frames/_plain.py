"""NumPy arrays, dictionaries of columns, lists of rows and lists of numbers."""

from __future__ import annotations

import datetime
import sys
from collections.abc import Sequence
from typing import Any

from .._arrow import Column, stream_of
from .._errors import DataError
from . import _buffers
from ._door import Door, Rows


def is_mine(frame: object) -> bool:
    return isinstance(frame, (dict, list, tuple)) or _is_array(frame)


def _is_array(values: object) -> bool:
    numpy = sys.modules.get("numpy")
    return numpy is not None and isinstance(values, numpy.ndarray)


def door(frame: Any) -> Door:
    if _is_array(frame):
        return ArrayDoor(frame)
    if isinstance(frame, dict):
        return ColumnsDoor(frame)
    if frame and all(isinstance(row, dict) for row in frame):
        return RecordsDoor(frame)
    return NumbersDoor(frame)


class ColumnsDoor(Door):
    """{"ds": [...], "y": [...]}: lists, or arrays."""

    def __init__(self, frame: dict[Any, Any]) -> None:
        self.frame = {str(name): values for name, values in frame.items()}
        lengths = set()
        for name, values in self.frame.items():
            if not hasattr(values, "__len__") or isinstance(values, (str, bytes)):
                raise _buffers.refuse(name, f"a {type(values).__name__}", "give a list or an array")
            lengths.add(len(values))
        if len(lengths) > 1:
            raise DataError(
                f"columns have different lengths: {sorted(lengths)}", advice="give one value a row"
            )

    def names(self) -> list[str]:
        return list(self.frame)

    def stamped(self) -> list[str]:
        return [name for name, values in self.frame.items() if _are_stamps(values)]

    def rows(self, unread: Sequence[str]) -> Rows:
        columns = [
            _buffers.nothing(name, len(values)) if name in unread else _column(name, values)
            for name, values in self.frame.items()
        ]
        return Rows(stream_of(columns), None)

    def is_naive(self, time_column: str) -> bool:
        stamps = self.frame.get(time_column)
        if stamps is None or _is_array(stamps):
            return True
        first = _first(stamps)
        return getattr(first, "tzinfo", None) is None and not _buffers.names_zone(first)

    def build(self, columns: Sequence[Column], time_column: str) -> Any:
        if any(_is_array(values) for values in self.frame.values()):
            return {column.name: _buffers.to_numpy(column) for column in columns}
        return {column.name: self._list(column, time_column) for column in columns}

    def _list(self, column: Column, time_column: str) -> list[Any]:
        values = _buffers.to_list(column)
        if column.name != time_column:
            return values
        theirs = _first(self.frame.get(time_column, ()))
        zone = getattr(theirs, "tzinfo", None)
        if zone is not None:
            return [value.astimezone(zone) for value in values]
        if isinstance(theirs, str):
            if len(theirs) == len("2024-01-31") and all(value.hour == 0 for value in values):
                return [value.date().isoformat() for value in values]
            return [value.isoformat(sep="T" if "T" in theirs else " ") for value in values]
        if isinstance(theirs, datetime.date) and not isinstance(theirs, datetime.datetime):
            return [value.date() for value in values]
        return values

    def joined(self, other: Any) -> Any:
        if not isinstance(other, dict):
            raise DataError("columns cannot be joined with other rows", advice="give a dictionary")
        count, more = _length(self.frame), _length(other)
        return {
            name: [*self.frame.get(name, [None] * count), *other.get(name, [None] * more)]
            for name in [*self.frame, *(name for name in other if name not in self.frame)]
        }


def _first(values: Any) -> Any:
    return next((one for one in values if one is not None), None)


def _are_stamps(values: Any) -> bool:
    if _is_array(values):
        return bool(values.dtype.kind == "M")
    return isinstance(_first(values), datetime.date)


def _length(columns: dict[Any, Any]) -> int:
    return len(next(iter(columns.values()), ()))


def _column(name: str, values: Any) -> Column:
    if not _is_array(values):
        return _buffers.plain(name, list(values))
    if values.ndim != 1:
        raise _buffers.refuse(name, f"an array of {values.ndim} dimensions", "give one value a row")
    if values.dtype.kind == "M":
        return _buffers.stamps(name, values)
    if values.dtype.kind in "fiub":
        return _buffers.numbers(name, values)
    return _buffers.plain(name, values.tolist())


class RecordsDoor(ColumnsDoor):
    """[{"ds": ..., "y": ...}, ...]"""

    def __init__(self, frame: Sequence[dict[Any, Any]]) -> None:
        names = list(dict.fromkeys(name for row in frame for name in row))
        super().__init__({name: [row.get(name) for row in frame] for name in names})

    def build(self, columns: Sequence[Column], time_column: str) -> Any:
        made = super().build(columns, time_column)
        return [dict(zip(made, row)) for row in zip(*made.values())]

    def joined(self, other: Any) -> Any:
        others = RecordsDoor(other).frame
        whole = super().joined(others)
        return [dict(zip(whole, row)) for row in zip(*whole.values())]


class ArrayDoor(Door):
    """(rows) or (rows, channels) of numbers; there are no stamps, so `start` and `step` are needed."""

    def __init__(self, frame: Any) -> None:
        if frame.ndim not in (1, 2):
            raise DataError(
                f"an array of {frame.ndim} dimensions is neither (rows) nor (rows, channels)",
                advice="give one of those",
            )
        if frame.dtype.kind not in "fiub":
            raise DataError(f"an array of {frame.dtype} holds no numbers", advice="give numbers")
        self.frame = frame

    def names(self) -> list[str]:
        return ["y"] if self.frame.ndim == 1 else [f"y{i}" for i in range(self.frame.shape[1])]

    def stamped(self) -> list[str]:
        return []

    def rows(self, unread: Sequence[str]) -> Rows:
        by_column = (self.frame[:, None] if self.frame.ndim == 1 else self.frame).T
        columns = [_buffers.numbers(name, values) for name, values in zip(self.names(), by_column)]
        return Rows(stream_of(columns), None)

    def is_naive(self, time_column: str) -> bool:
        return True

    def build(self, columns: Sequence[Column], time_column: str) -> Any:
        """Values alone, where the columns are those of the array; else a dictionary of columns."""
        import numpy

        values = [column for column in columns if column.name != time_column]
        if [column.name for column in values] != self.names():
            return {column.name: _buffers.to_numpy(column) for column in columns}
        made = [_buffers.to_numpy(column) for column in values]
        return made[0] if self.frame.ndim == 1 else numpy.column_stack(made)

    def joined(self, other: Any) -> Any:
        import numpy

        return numpy.concatenate([self.frame, other])


class NumbersDoor(ColumnsDoor):
    """[1.0, 2.0, ...]; there are no stamps, so `start` and `step` are needed."""

    def __init__(self, frame: Sequence[Any]) -> None:
        super().__init__({"y": list(frame)})

    def build(self, columns: Sequence[Column], time_column: str) -> Any:
        values = [column for column in columns if column.name != time_column]
        if [column.name for column in values] != ["y"]:
            return super().build(columns, time_column)
        return _buffers.to_list(values[0])

    def joined(self, other: Any) -> Any:
        return [*self.frame["y"], *other]
