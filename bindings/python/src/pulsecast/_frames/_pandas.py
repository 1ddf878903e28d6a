"""Frames and series of pandas."""

from __future__ import annotations

import functools
import sys
from collections.abc import Sequence
from typing import Any

from .._arrow import ArrowArrayStream, Column, ForeignColumn, stream_of
from .._errors import DataError
from . import _buffers
from ._door import Door, Rows


def is_mine(frame: object) -> bool:
    pandas = sys.modules.get("pandas")
    return pandas is not None and isinstance(frame, (pandas.DataFrame, pandas.Series))


class PandasDoor(Door):
    def __init__(self, frame: Any) -> None:
        import pandas

        self.is_series = isinstance(frame, pandas.Series)
        self.frame = (
            frame.to_frame("y" if frame.name is None else frame.name) if self.is_series else frame
        )
        index = self.frame.index
        self.has_stamped_index = isinstance(index, (pandas.DatetimeIndex, pandas.PeriodIndex))
        self.index_name = "ds" if index.name is None else str(index.name)
        self.labels: dict[str, Any] = {}  # columns by the names that the engine knows
        for label in self.frame.columns:
            self.labels[str(label)] = label
        # Nixtla's older frames have ids as the index.
        if not self.has_stamped_index and index.name is not None and str(index.name) not in self.labels:
            self.frame = self.frame.reset_index()
            self.labels = {str(label): label for label in self.frame.columns}

    def names(self) -> list[str]:
        stamped = [self.index_name] if self.has_stamped_index else []
        return stamped + [str(label) for label in self.frame.columns]

    def stamped(self) -> list[str]:
        import pandas

        if self.has_stamped_index:
            return [self.index_name]
        kinds = zip(self.frame.columns, self.frame.dtypes)
        return [
            str(label)
            for label, dtype in kinds
            if pandas.api.types.is_datetime64_any_dtype(dtype) or isinstance(dtype, pandas.PeriodDtype)
        ]

    def rows(self, unread: Sequence[str]) -> Rows:
        columns: list[Column | ForeignColumn] = []
        if self.has_stamped_index:
            columns.append(_column(self.index_name, self.frame.index.to_series()))
        for i, label in enumerate(self.frame.columns):
            name = str(label)
            is_read = name not in unread
            columns.append(
                _column(name, self.frame.iloc[:, i])
                if is_read
                else _buffers.nothing(name, len(self.frame))
            )
        stream: ArrowArrayStream = stream_of(columns)
        return Rows(stream, None)

    def _stamps(self, name: str) -> Any:
        if self.has_stamped_index and name == self.index_name:
            return self.frame.index
        return self.frame[self.labels[name]] if name in self.labels else None

    def is_naive(self, time_column: str) -> bool:
        import pandas

        stamps = self._stamps(time_column)
        if stamps is None:
            return True
        first = next((one for one in stamps if not pandas.isna(one)), None)
        return getattr(first, "tzinfo", None) is None and not _buffers.names_zone(first)

    def build(self, columns: Sequence[Column], time_column: str) -> Any:
        import pandas

        data: dict[Any, Any] = {}
        for column in columns:
            data[self.labels.get(column.name, column.name)] = self._values(column)
        frame = pandas.DataFrame(data, copy=False)
        time_label = self.labels.get(time_column, time_column)
        if time_label in frame and frame[time_label].dtype.kind == "M":
            frame[time_label] = self._as_theirs(frame[time_label], time_column)
        if self.has_stamped_index and time_label in frame:
            frame = frame.set_index(time_label)
            frame.index.name = self.frame.index.name
        if self.is_series and len(frame.columns) == 1:
            return frame.iloc[:, 0]
        return frame

    @staticmethod
    def _values(column: Column) -> Any:
        import pandas

        if column.dictionary is not None:
            words = pandas.array(_buffers.to_list(column.dictionary), dtype=_text_type())
            return words.take(_buffers.codes(column))
        values = _buffers.to_numpy(column)
        if column.is_stamp() and column.format[4:]:
            return pandas.Series(values).dt.tz_localize("UTC").dt.tz_convert(column.format[4:])
        if column.is_text():
            return pandas.Series(values, dtype=_text_type())
        return values

    def _as_theirs(self, stamps: Any, time_column: str) -> Any:
        """In the unit and the zone of the frame's own stamps, so that both can be joined."""
        theirs = self._stamps(time_column)
        if theirs is None or theirs.dtype.kind != "M":
            return stamps
        zone = getattr(theirs.dtype, "tz", None)
        if zone is not None and getattr(stamps.dtype, "tz", None) is not None:
            stamps = stamps.dt.tz_convert(zone)
        try:
            return stamps.astype(theirs.dtype)
        except (TypeError, ValueError, OverflowError):
            return stamps

    def joined(self, other: Any) -> Any:
        import pandas

        if not isinstance(other, (pandas.DataFrame, pandas.Series)):
            raise DataError("rows of pandas cannot be joined with others", advice="give a pandas frame")
        if isinstance(other, pandas.Series):
            values = (label for label in self.frame.columns if str(label) != self.index_name)
            other = other.to_frame(next(values))
        return pandas.concat(
            [self.frame, self._in_layout(PandasDoor(other))], ignore_index=not self.has_stamped_index
        )

    def _in_layout(self, other: PandasDoor) -> Any:
        """The rows of another, with stamps where this frame has them: in the index or in a column."""
        if other.has_stamped_index and not self.has_stamped_index:
            return other.frame.rename_axis(other.index_name).reset_index()
        if self.has_stamped_index and not other.has_stamped_index and self.index_name in other.labels:
            return other.frame.set_index(other.labels[self.index_name])
        return other.frame


@functools.cache
def _text_type() -> Any:
    """The type that this pandas gives to texts."""
    import pandas

    return pandas.Series(["a"]).dtype


def _column(name: str, values: Any) -> Column | ForeignColumn:
    import numpy
    import pandas

    dtype = values.dtype
    if isinstance(dtype, numpy.dtype):
        if dtype.kind in "fiub":
            return _buffers.numbers(name, values.to_numpy())
        if dtype.kind == "M":
            return _buffers.stamps(name, values.to_numpy())
        if dtype.kind == "O":
            return _objects(name, values)
        raise _buffers.refuse(name, f"values of type {dtype}", "give numbers, texts or stamps")
    if isinstance(dtype, pandas.DatetimeTZDtype):
        instants = values.array.view("i8").view(f"M8[{dtype.unit}]")
        return _buffers.stamps(name, instants, _buffers.name_of_zone(dtype.tz))
    if isinstance(dtype, pandas.CategoricalDtype):
        words = dtype.categories
        if not all(isinstance(word, str) for word in words):
            return _column(name, values.astype(words.dtype))
        return _buffers.categories(name, values.array.codes, list(words))
    if isinstance(dtype, pandas.PeriodDtype):
        return _buffers.stamps(name, values.dt.to_timestamp().to_numpy())
    if isinstance(dtype, pandas.StringDtype) and dtype.storage == "python":
        return _texts(name, values)
    if isinstance(dtype, (pandas.StringDtype, getattr(pandas, "ArrowDtype", pandas.StringDtype))):
        # Kept in Arrow already.
        chunks = values.array.__arrow_array__()
        if hasattr(chunks, "num_chunks"):
            chunks = chunks.chunk(0) if chunks.num_chunks == 1 else chunks.combine_chunks()
        return ForeignColumn(name, chunks.__arrow_c_array__())
    if pandas.api.types.is_numeric_dtype(dtype) or pandas.api.types.is_bool_dtype(dtype):
        return _buffers.numbers(name, values.to_numpy(dtype="f8", na_value=numpy.nan))
    raise _buffers.refuse(name, f"values of type {dtype}", "give numbers, texts or stamps")


def _texts(name: str, values: Any) -> Column:
    import pandas

    codes, words = pandas.factorize(values)
    return _buffers.categories(name, codes.astype("i4"), [str(word) for word in words])


def _objects(name: str, values: Any) -> Column:
    """Of a column of Python objects: what they all are."""
    import pandas

    kind = pandas.api.types.infer_dtype(values, skipna=True)
    if kind == "string":
        return _texts(name, values)
    if kind in ("datetime", "datetime64", "date"):
        return _buffers.plain(name, [None if pandas.isna(one) else one for one in values])
    if kind in ("floating", "integer", "mixed-integer-float", "decimal", "boolean", "empty"):
        return _buffers.plain(name, [None if pandas.isna(one) else one for one in values])
    raise _buffers.refuse(
        name, f"objects of several kinds ({kind})", "give one kind: numbers, texts or stamps"
    )
