"""Fleets on Ray: frames are `ray.data.Dataset`s."""

from __future__ import annotations

import zlib
from typing import Any

import pyarrow
import ray
import ray.data
from pyarrow import compute

from ._engines import Engine, Task

_PART = "__pulsecast_part"


def opened(frame: Any, table: Any) -> Engine:
    if not ray.is_initialized():
        ray.init(log_to_driver=False)
    return RayEngine(ray.data.from_arrow(table) if frame is None else frame)


class RayEngine(Engine):
    def __init__(self, frame: Any) -> None:
        self.frame = frame

    def schema(self) -> Any:
        found = self.frame.schema()
        return pyarrow.schema(list(zip(found.names, found.types)))

    def slots(self) -> int:
        return int(ray.cluster_resources().get("CPU", 1))

    def parts(self) -> int:
        return int(self._held().num_blocks())

    def _held(self) -> Any:
        """The frame in the cluster's memory: it is looked at twice, and its pieces stay the same."""
        if not isinstance(self.frame, ray.data.dataset.MaterializedDataset):
            self.frame = self.frame.materialize()
        return self.frame

    def each(self, task: Task, columns: list[str], schema: Any) -> Any:
        found = self._held().map_batches(
            _run, fn_args=(task, None, columns), batch_format="pyarrow", batch_size=None
        )
        return self.collected(found).cast(schema)

    def grouped(self, key: str, task: Task, content: bytes, schema: Any, parts: int | None) -> Any:
        shared = ray.put(content) if content else None
        if parts is None:
            return self._held().map_batches(
                _run, fn_args=(task, shared), batch_format="pyarrow", batch_size=None
            )
        # Groups of Ray are pieces with many series in them: a call a series would cost more.
        pieces = self._held().map_batches(
            _numbered, fn_args=(key, parts), batch_format="pyarrow", batch_size=None
        )
        return pieces.groupby(_PART, num_partitions=parts).map_groups(
            _run, fn_args=(task, shared), batch_format="pyarrow"
        )

    def collected(self, frame: Any) -> Any:
        return pyarrow.concat_tables(ray.get(frame.to_arrow_refs()))


def _numbered(rows: Any, key: str, parts: int) -> Any:
    """With the number of the piece that each row belongs to, by a checksum of its key."""
    words = rows.column(key).cast(pyarrow.string()).combine_chunks().dictionary_encode()
    numbers = [zlib.crc32(word.encode()) % parts for word in words.dictionary.to_pylist()]
    codes = compute.fill_null(words.indices, 0)
    found = pyarrow.array(numbers or [0], pyarrow.int32()).take(codes)
    return rows.append_column(_PART, found)


def _run(rows: Any, task: Task, shared: Any, columns: list[str] | None = None) -> Any:
    if columns is not None:
        rows = rows.select(columns)
    if _PART in rows.column_names:
        rows = rows.drop_columns([_PART])
    return task(rows, b"" if shared is None else ray.get(shared))
