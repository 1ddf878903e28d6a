"""Fleets on Spark: frames are `pyspark.sql.DataFrame`s of a session that runs on a cluster."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pyarrow
from pyspark.sql import DataFrame, SparkSession, types

from .._errors import UsageError
from ._engines import Engine, Task


def opened(frame: Any, table: Any) -> Engine:
    if frame is None:
        session = SparkSession.getActiveSession()
        if session is None:
            raise UsageError(
                "no session of Spark is active", advice="make one first: SparkSession.builder"
            )
        frame = session.createDataFrame(table)
    if not isinstance(frame, DataFrame) or not hasattr(frame.sparkSession, "sparkContext"):
        raise UsageError(
            f"a {type(frame).__name__} of this kind of session cannot be spread",
            advice="use a frame of a classic SparkSession, not of Spark Connect",
        )
    return SparkEngine(frame)


class SparkEngine(Engine):
    def __init__(self, frame: Any) -> None:
        self.frame = frame
        self._context = frame.sparkSession.sparkContext

    def schema(self) -> Any:
        zone = self.frame.sparkSession.conf.get("spark.sql.session.timeZone")
        kinds = {
            types.TimestampType: pyarrow.timestamp("us", tz=zone),
            types.TimestampNTZType: pyarrow.timestamp("us"),
            types.DateType: pyarrow.date32(),
        }
        # Of other columns the names alone are of use.
        fields = [
            (one.name, kinds.get(type(one.dataType), pyarrow.string())) for one in self.frame.schema
        ]
        return pyarrow.schema(fields)

    def slots(self) -> int:
        return int(self._context.defaultParallelism)

    def parts(self) -> int:
        return int(self.frame.rdd.getNumPartitions())

    def each(self, task: Task, columns: list[str], schema: Any) -> Any:
        some = self.frame.select(*columns)
        return self.collected(some.mapInArrow(_by_piece(task, None), _spark(schema))).cast(schema)

    def grouped(self, key: str, task: Task, content: bytes, schema: Any, parts: int | None) -> Any:
        shared = self._context.broadcast(content)
        rows = self.frame.repartition(parts, key) if parts else self.frame
        return rows.mapInArrow(_by_piece(task, shared), _spark(schema))

    def collected(self, frame: Any) -> Any:
        return frame.toArrow()


def _by_piece(task: Task, shared: Any) -> Any:
    """A task of all rows of a piece, which come in batches."""

    def run(batches: Iterator[Any]) -> Iterator[Any]:
        rows = list(batches)
        if rows:
            content = b"" if shared is None else shared.value
            yield from task(pyarrow.Table.from_batches(rows), content).to_batches()

    return run


def _spark(schema: Any) -> Any:
    """The schema of a result in Spark's types."""
    return types.StructType([types.StructField(field.name, _type(field.type)) for field in schema])


def _type(kind: Any) -> Any:
    if pyarrow.types.is_timestamp(kind):
        return types.TimestampNTZType() if kind.tz is None else types.TimestampType()
    if pyarrow.types.is_date(kind):
        return types.DateType()
    if pyarrow.types.is_integer(kind):
        return types.LongType()
    if pyarrow.types.is_floating(kind):
        return types.DoubleType()
    return types.BinaryType() if pyarrow.types.is_large_binary(kind) else types.StringType()
