"""Fleets on Dask: frames are `dask.dataframe`'s, tasks run where `compute()` runs them."""

from __future__ import annotations

import warnings
from typing import Any

import dask
import dask.dataframe
import pyarrow

from ._engines import Engine, Task


def opened(frame: Any, table: Any) -> Engine:
    if frame is None:
        frame = dask.dataframe.from_pandas(table.to_pandas(), npartitions=_slots())
    return DaskEngine(frame)


def _slots() -> int:
    """CPUs of the cluster that this process is a client of, or its own."""
    from dask.base import get_scheduler
    from dask.system import CPU_COUNT

    client: Any = getattr(get_scheduler(), "__self__", None)
    threads = client.nthreads() if hasattr(client, "nthreads") else {}
    return sum(threads.values()) or int(CPU_COUNT)


class DaskEngine(Engine):
    def __init__(self, frame: Any) -> None:
        self.frame = frame

    def schema(self) -> Any:
        return pyarrow.Schema.from_pandas(self.frame._meta, preserve_index=False)

    def slots(self) -> int:
        return _slots()

    def parts(self) -> int:
        return int(self.frame.npartitions)

    def each(self, task: Task, columns: list[str], schema: Any) -> Any:
        found = self.frame[columns].map_partitions(_run, task, b"", meta=_empty(schema))
        return self.collected(found).cast(schema)

    def grouped(self, key: str, task: Task, content: bytes, schema: Any, parts: int | None) -> Any:
        # A piece of the graph of its own, which workers hand on to each other and the scheduler can
        # send again; scattered bytes would be gone with the workers that hold them.
        shared = dask.delayed(content, pure=True, traverse=False) if content else content
        rows = self.frame.shuffle(on=key, npartitions=parts) if parts else self.frame
        return rows.map_partitions(_run, task, shared, meta=_empty(schema))

    def collected(self, frame: Any) -> Any:
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", "Sending large graph")  # a model is meant to be in it
            return pyarrow.Table.from_pandas(frame.compute(), preserve_index=False)


def _run(rows: Any, task: Task, content: bytes) -> Any:
    return task(pyarrow.Table.from_pandas(rows, preserve_index=False), content).to_pandas()


def _empty(schema: Any) -> Any:
    return schema.empty_table().to_pandas()
