"""Tables of polars and pyarrow, and of whatever else has `__arrow_c_stream__`."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

from .._arrow import Batch, Column, stream_behind
from .._errors import DataError
from ._buffers import refuse
from ._door import Door, Rows


def is_mine(frame: object) -> bool:
    if hasattr(frame, "__arrow_c_stream__"):
        return True
    polars = sys.modules.get("polars")
    return polars is not None and isinstance(frame, polars.LazyFrame)


def door(frame: Any) -> Door:
    module = type(frame).__module__.split(".")[0]
    if module == "polars":
        return PolarsDoor(frame.collect() if hasattr(frame, "collect") else frame)
    return ArrowDoor(frame)


class PolarsDoor(Door):
    def __init__(self, frame: Any) -> None:
        import polars

        self.frame = frame.to_frame("y") if isinstance(frame, polars.Series) else frame

    def names(self) -> list[str]:
        return list(self.frame.columns)

    def stamped(self) -> list[str]:
        return [name for name, kind in self.frame.schema.items() if kind.is_temporal()]

    def rows(self, unread: Sequence[str]) -> Rows:
        import polars

        kept = self.frame
        for name, kind in self.frame.schema.items():
            if name in unread or kind == polars.Null:  # whose export has a buffer too many
                kept = kept.with_columns(polars.lit(None, dtype=polars.Float64).alias(name))
            elif kind == polars.Object:
                # Older versions of polars abort the process where such a column is exported.
                raise refuse(name, "Python objects", "give numbers, texts or stamps")
        return Rows(*stream_behind(kept))

    def _time_type(self, name: str) -> Any:
        return self.frame.schema.get(name)

    def is_naive(self, time_column: str) -> bool:
        return getattr(self._time_type(time_column), "time_zone", None) is None

    def build(self, columns: Sequence[Column], time_column: str) -> Any:
        import polars

        frame = polars.DataFrame(Batch(columns))
        texts = [name for name, kind in frame.schema.items() if kind == polars.Categorical]
        if texts:
            frame = frame.with_columns(polars.col(texts).cast(polars.String))
        theirs = self._time_type(time_column)
        if theirs is None or not theirs.is_temporal() or time_column not in frame.columns:
            return frame
        stamps = polars.col(time_column)
        if getattr(theirs, "time_zone", None) is not None:
            stamps = stamps.dt.convert_time_zone(theirs.time_zone)
        return frame.with_columns(stamps.cast(theirs))

    def joined(self, other: Any) -> Any:
        import polars

        if not isinstance(other, polars.DataFrame):
            raise DataError("rows of polars cannot be joined with others", advice="give a polars frame")
        return polars.concat([self.frame, other], how="diagonal_relaxed")


class ArrowDoor(Door):
    """Of pyarrow, which also makes the results for other libraries that speak Arrow."""

    def __init__(self, frame: Any) -> None:
        import pyarrow

        self.is_batch = isinstance(frame, pyarrow.RecordBatch)
        self.frame = frame if isinstance(frame, pyarrow.Table) else pyarrow.table(frame)

    def names(self) -> list[str]:
        return list(self.frame.column_names)

    def stamped(self) -> list[str]:
        import pyarrow

        return [field.name for field in self.frame.schema if pyarrow.types.is_temporal(field.type)]

    def rows(self, unread: Sequence[str]) -> Rows:
        return Rows(*stream_behind(self.frame))

    def _time_type(self, name: str) -> Any:
        index = self.frame.schema.get_field_index(name)
        return None if index < 0 else self.frame.schema.field(index).type

    def is_naive(self, time_column: str) -> bool:
        return getattr(self._time_type(time_column), "tz", None) is None

    def build(self, columns: Sequence[Column], time_column: str) -> Any:
        import pyarrow

        table = pyarrow.table(Batch(columns))
        for i, field in enumerate(table.schema):
            if pyarrow.types.is_dictionary(field.type):
                table = table.set_column(i, field.name, table.column(i).cast(field.type.value_type))
        theirs = self._time_type(time_column)
        index = table.schema.get_field_index(time_column)
        if theirs is not None and pyarrow.types.is_temporal(theirs) and index >= 0:
            table = table.set_column(index, time_column, table.column(index).cast(theirs))
        return table.combine_chunks().to_batches()[0] if self.is_batch else table

    def joined(self, other: Any) -> Any:
        import pyarrow

        theirs = other if isinstance(other, pyarrow.Table) else pyarrow.table(other)
        return pyarrow.concat_tables([self.frame, theirs], promote_options="permissive")
