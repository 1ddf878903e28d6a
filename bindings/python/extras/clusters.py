"""Clusters on this machine, one of each engine, and the rows that all of them are tried with."""

from __future__ import annotations

import os
import signal
import sys
from typing import Any, Callable

import numpy as np
import pandas as pd
import pyarrow as pa

SETTINGS: dict[str, Any] = {
    "horizon": 7, "model": "linear", "lookback": 28, "panel": "series", "step": "1d", "progress": False,
}  # fmt: skip


def shop_rows(shops: int, days: int = 120, seed: int = 0) -> pd.DataFrame:
    """Daily rows of shops that began on days of their own; one in fifty closed long ago."""
    draw = np.random.default_rng(seed)
    parts = []
    calendar = pd.date_range("2024-01-01", periods=days, freq="D").to_numpy()
    for shop in range(shops):
        first = int(draw.integers(0, days // 4))
        last = days - 20 if shop % 50 == 7 else days
        day = np.arange(first, last)
        sold = (10 + shop % 13) * (1 + 0.3 * (day % 7 == 6)) + draw.normal(0, 1, len(day))
        parts.append((np.full(len(day), f"shop {shop}", dtype=object), calendar[day], sold))
    return pd.DataFrame(
        {name: np.concatenate(values) for name, values in zip(("unique_id", "ds", "y"), zip(*parts))}
    )


def cuts_between(names: pd.Series, parts: int) -> list[int]:
    """Where rows in order of their series are cut, so that none is in two pieces."""
    first = np.flatnonzero(np.r_[True, names.to_numpy()[1:] != names.to_numpy()[:-1]])
    return [*first[np.linspace(0, len(first), parts, endpoint=False).astype(int)], len(names)]


class Dask:
    name = "dask"

    def __init__(self) -> None:
        import dask.distributed

        self.cluster = dask.distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, dashboard_address=None
        )
        self.client = self.cluster.get_client()

    def spread(self, rows: pd.DataFrame, parts: int = 5) -> Any:
        import dask.dataframe

        return dask.dataframe.from_pandas(rows, npartitions=parts, sort=False)

    def in_pieces(self, rows: pd.DataFrame, key: str, parts: int = 4) -> Any:
        """Spread by whole series."""
        import dask.dataframe

        cuts = cuts_between(rows[key], parts)
        return dask.dataframe.concat(
            [dask.dataframe.from_pandas(rows.iloc[a:b], npartitions=1) for a, b in zip(cuts, cuts[1:])]
        )

    def held(self, frame: Any) -> Any:
        """In the cluster's memory."""
        import dask.distributed

        held = frame.persist()
        dask.distributed.wait(held)
        return held

    def frame(self, made: Any) -> pd.DataFrame:
        return made.compute()

    def end(self) -> None:
        self.client.close()
        self.cluster.close()


class Ray:
    name = "ray"

    def __init__(self) -> None:
        import ray

        ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False, object_store_memory=10**9)
        ray.data.DataContext.get_current().enable_progress_bars = False

    def spread(self, rows: pd.DataFrame, parts: int = 5) -> Any:
        return self._cut(rows, np.linspace(0, len(rows), parts + 1).astype(int))

    def in_pieces(self, rows: pd.DataFrame, key: str, parts: int = 4) -> Any:
        return self._cut(rows, cuts_between(rows[key], parts))

    @staticmethod
    def _cut(rows: pd.DataFrame, cuts: Any) -> Any:
        import ray

        return ray.data.from_arrow(
            [pa.Table.from_pandas(rows.iloc[a:b], preserve_index=False) for a, b in zip(cuts, cuts[1:])]
        )

    def held(self, frame: Any) -> Any:
        return frame.materialize()

    def frame(self, made: Any) -> pd.DataFrame:
        import ray

        return pa.concat_tables(ray.get(made.to_arrow_refs())).to_pandas()

    def end(self) -> None:
        import ray

        ray.shutdown()


class Spark:
    name = "spark"

    def __init__(self) -> None:
        from pyspark.sql import SparkSession

        os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")
        os.environ["PYSPARK_PYTHON"] = sys.executable  # else the python3 of the path
        self.session = (
            SparkSession.builder.master("local[2,4]")  # four attempts at a task
            .config("spark.sql.session.timeZone", "UTC")
            .config("spark.sql.timestampType", "TIMESTAMP_NTZ")
            .config("spark.ui.enabled", "false")
            .config("spark.driver.bindAddress", "127.0.0.1")
            .config("spark.driver.memory", "4g")
            .getOrCreate()
        )
        self.session.sparkContext.setLogLevel("OFF")

    def spread(self, rows: pd.DataFrame, parts: int = 5) -> Any:
        return self.session.createDataFrame(
            pa.Table.from_pandas(rows, preserve_index=False)
        ).repartition(parts)

    def in_pieces(self, rows: pd.DataFrame, key: str, parts: int = 4) -> Any:
        return self.spread(rows).repartition(parts, key)

    def held(self, frame: Any) -> Any:
        held = frame.cache()
        held.count()
        return held

    def frame(self, made: Any) -> pd.DataFrame:
        return made.toArrow().to_pandas()

    def end(self) -> None:
        self.session.stop()


def dying_once(task: Callable[..., Any], marker: str) -> Callable[..., Any]:
    """A task whose first run kills the process that it runs in."""

    def run(rows: Any, content: bytes) -> Any:
        try:
            os.close(os.open(marker, os.O_CREAT | os.O_EXCL))
        except FileExistsError:
            return task(rows, content)
        os.kill(os.getpid(), signal.SIGKILL)
        return None

    return run


def same(made: pd.DataFrame, expected: pd.DataFrame, by: list[str]) -> None:
    """The same rows in any order, numbers to the last bit."""
    assert sorted(made.columns) == sorted(expected.columns)
    made, expected = (
        frame.sort_values(by, ignore_index=True)[list(expected.columns)] for frame in (made, expected)
    )
    assert len(made) == len(expected)
    for name in expected.columns:
        if expected[name].dtype.kind == "f":
            bits = [frame[name].to_numpy(float).view("i8") for frame in (made, expected)]
            np.testing.assert_array_equal(*bits, err_msg=name)
        else:
            ours, theirs = (frame[name].astype(str).to_numpy() for frame in (made, expected))
            assert (ours == theirs).all(), name
