"""Fleets on clusters of each engine on this machine: the same bits as in one process."""

from __future__ import annotations

import os
import pathlib
from collections.abc import Iterator
from typing import Any

import pandas as pd
import pytest
from clusters import SETTINGS, Dask, Ray, Spark, dying_once, same, shop_rows
from pages import run_blocks

import pulsecast
from pulsecast import Forecaster, distributed

for module in ("dask", "ray", "pyspark"):
    pytest.importorskip(module)

SERIES = 10_000
KEYS = ["unique_id", "ds"]


@pytest.fixture(scope="module", params=[Dask, Ray, Spark], ids=["dask", "ray", "spark"])
def cluster(request: pytest.FixtureRequest) -> Iterator[Any]:
    made = request.param()
    yield made
    made.end()


@pytest.fixture(scope="module")
def rows() -> pd.DataFrame:
    return shop_rows(SERIES)


@pytest.fixture(scope="module")
def few() -> pd.DataFrame:
    return shop_rows(60)


@pytest.fixture(scope="module")
def forecaster(rows: pd.DataFrame) -> Forecaster:
    """Trained on most of the shops, so that the others are new to it."""
    return Forecaster(level=[80], **SETTINGS).fit(rows[rows["unique_id"] < "shop 9"])


def test_ten_thousand_series_are_forecast_as_in_one_process(
    cluster: Any, rows: pd.DataFrame, forecaster: Forecaster
) -> None:
    expected = forecaster.predict(rows)
    assert expected["unique_id"].nunique() == SERIES - SERIES // 50
    assert {"ok", "new_series"} <= set(expected["status"])
    made = distributed.predict(forecaster, cluster.spread(rows))
    assert type(made).__module__.split(".")[0] in ("dask", "ray", "pyspark")
    same(cluster.frame(made), expected, KEYS)


def test_series_that_lie_in_several_pieces(
    cluster: Any, few: pd.DataFrame, forecaster: Forecaster
) -> None:
    """Rows of each series are spread over all pieces, in no order."""
    mixed = few.sample(frac=1.0, random_state=1).reset_index(drop=True)
    made = distributed.predict(forecaster, cluster.spread(mixed, 9), level=[80, 95], min=0.0)
    same(cluster.frame(made), forecaster.predict(few, level=[80, 95], min=0.0), KEYS)


def test_pieces_that_hold_whole_series(cluster: Any, few: pd.DataFrame, forecaster: Forecaster) -> None:
    made = distributed.predict(forecaster, cluster.in_pieces(few, "unique_id"), whole=True)
    same(cluster.frame(made), forecaster.predict(few), KEYS)
    with pytest.raises(pulsecast.DataError, match="lie in more than one piece of the frame"):
        distributed.predict(forecaster, cluster.spread(few), whole=True)


def test_ended_series_when_asked_for(cluster: Any, few: pd.DataFrame, forecaster: Forecaster) -> None:
    made = distributed.predict(forecaster, cluster.spread(few), include_ended=True, tasks=3)
    same(cluster.frame(made), forecaster.predict(few, include_ended=True), KEYS)


def test_a_backtest_is_what_the_model_said(
    cluster: Any, few: pd.DataFrame, forecaster: Forecaster
) -> None:
    cutoffs = ["2024-01-10", "2024-03-01", "2024-04-10"]
    made = cluster.frame(distributed.backtest(forecaster, cluster.spread(few), cutoffs))
    parts = []
    for cutoff in cutoffs:
        newest = few[few["ds"] <= cutoff].groupby("unique_id")["ds"].max().rename("cutoff")
        parts.append(forecaster.predict(few, at=cutoff).join(newest, on="unique_id"))
    expected = pd.concat(parts, ignore_index=True).merge(few, on=KEYS, how="left")
    assert expected["y"].notna().any() and expected["cutoff"].nunique() > 3
    same(made, expected, ["unique_id", "cutoff", "ds"])


def test_groups_have_models_of_their_own(
    cluster: Any, few: pd.DataFrame, tmp_path: pathlib.Path
) -> None:
    region = "region " + (few["unique_id"].str[5:].astype(int) % 4).astype(str)
    frame = few.assign(region=region).sort_values(KEYS, ignore_index=True)
    groups = distributed.fit_groups(Forecaster(**SETTINGS), cluster.spread(frame), by="region")
    assert sorted(groups) == [f"region {i}" for i in range(4)] and not groups.failed
    groups.save(tmp_path / "models.arrow")
    groups = distributed.Groups.load(tmp_path / "models.arrow")
    parts = []
    for name, part in frame.groupby("region"):
        alone = Forecaster(threads=1, **SETTINGS).fit(part.drop(columns="region"))
        assert alone.to_bytes() == groups[str(name)].to_bytes()
        parts.append(alone.predict().assign(region=name))
    made = distributed.predict(groups, cluster.spread(frame))
    same(cluster.frame(made), pd.concat(parts, ignore_index=True), KEYS)


def test_a_group_that_cannot_be_trained_stops_no_other(cluster: Any, few: pd.DataFrame) -> None:
    frame = few[few["unique_id"].isin(["shop 1", "shop 2", "shop 3"])]
    frame = frame[(frame["unique_id"] != "shop 2") | (frame["ds"] > "2024-04-26")]
    with pytest.warns(pulsecast.PulsecastWarning, match="1 of 3 groups could not be trained"):
        groups = distributed.fit_groups(Forecaster(**SETTINGS), cluster.spread(frame, 2))
    assert sorted(groups) == ["shop 1", "shop 3"] and "shop 2" in groups.failed
    made = cluster.frame(distributed.predict(groups, cluster.spread(frame, 2)))
    assert set(made["unique_id"]) == {"shop 1", "shop 3"}


def test_groups_are_cross_validated(cluster: Any, few: pd.DataFrame) -> None:
    some = few[few["unique_id"].isin(["shop 1", "shop 12", "shop 3"])].sort_values(KEYS)
    parts = [
        Forecaster(threads=1, **SETTINGS).cross_validation(part, n_windows=3, step=7, refit=True)
        for _, part in some.groupby("unique_id")
    ]
    made = distributed.cross_validation(
        Forecaster(**SETTINGS), cluster.spread(some), n_windows=3, step=7, refit=True
    )
    same(cluster.frame(made), pd.concat(parts, ignore_index=True), [*KEYS, "cutoff"])


def test_a_worker_that_dies_changes_nothing(
    cluster: Any, few: pd.DataFrame, forecaster: Forecaster, tmp_path: pathlib.Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    marker = str(tmp_path / "killed")
    real = distributed.Forecasts
    monkeypatch.setattr(distributed, "Forecasts", lambda *told: dying_once(real(*told), marker))
    made = cluster.frame(distributed.predict(forecaster, cluster.spread(few)))
    assert os.path.exists(marker)
    same(made, forecaster.predict(few), KEYS)


def test_each_process_reads_the_model_once(
    cluster: Any, few: pd.DataFrame, forecaster: Forecaster, tmp_path: pathlib.Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    """Of many tasks in few processes; what was read before this test, by the same digest, stays."""
    folder = str(tmp_path)
    real = distributed.Forecasts

    def telling(*told: Any) -> Any:
        task = real(*told)

        def run(rows: Any, content: bytes) -> Any:
            from pulsecast.distributed import _models

            before = _models.counts["read"]
            made = task(rows, content)
            with open(f"{folder}/{os.getpid()}", "a") as file:
                file.write(f"{_models.counts['read'] - before}\n")
            return made

        return run

    monkeypatch.setattr(distributed, "Forecasts", telling)
    other = Forecaster(**SETTINGS).fit(few)
    cluster.frame(distributed.predict(other, cluster.spread(few), tasks=12))
    reads = [[int(line) for line in path.read_text().split()] for path in tmp_path.iterdir()]
    assert sum(map(len, reads)) >= 12
    assert [sum(one) for one in reads] == [1] * len(reads)


def test_rows_of_this_process_are_spread(
    cluster: Any, few: pd.DataFrame, forecaster: Forecaster
) -> None:
    import pyarrow as pa

    for frame in (few, pa.Table.from_pandas(few), few.to_dict("list")):
        made = distributed.predict(forecaster, frame, engine=cluster.name)
        same(cluster.frame(made), forecaster.predict(few), KEYS)


def test_columns_of_other_names_and_known_ones(cluster: Any) -> None:
    frame = shop_rows(40)
    frame["price"] = 2.0 + (frame["ds"].dt.day < 5)
    frame["y"] -= 3 * frame["price"]
    frame = frame[~frame["unique_id"].isin(["shop 7"])]
    frame = frame.rename(columns={"unique_id": "shop", "ds": "day", "y": "sold"})
    names = {"id_column": "shop", "time_column": "day", "value_column": "sold", "known": "price"}
    model = Forecaster(**SETTINGS, **names).fit(frame)
    to_come = frame[frame["day"] > "2024-04-22"].assign(sold=float("nan"))
    to_come["day"] += pd.Timedelta(days=7)
    whole = pd.concat([frame, to_come[to_come["day"] > "2024-04-29"]], ignore_index=True)
    made = distributed.predict(model, cluster.spread(whole))
    expected = model.predict(whole)
    assert set(expected["status"]) == {"ok"}
    same(cluster.frame(made), expected, ["shop", "day"])


def test_what_the_page_says(
    few: pd.DataFrame, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With Dask's own threads, where there is no cluster."""
    run_blocks("fleets", tmp_path, monkeypatch, shops=few[few["unique_id"] < "shop 4"])


# What is refused


def test_a_missing_column_is_named(cluster: Any, few: pd.DataFrame, forecaster: Forecaster) -> None:
    frame = cluster.spread(few.rename(columns={"unique_id": "shop"}))
    with pytest.raises(pulsecast.DataError, match="no column 'unique_id'; it has 'shop', 'ds', 'y'"):
        distributed.predict(forecaster, frame)
    with pytest.raises(pulsecast.DataError, match="no column 'area'"):
        distributed.fit_groups(Forecaster(**SETTINGS), cluster.spread(few), by="area")


def test_another_engine_than_the_frame_s(
    cluster: Any, few: pd.DataFrame, forecaster: Forecaster
) -> None:
    other = "ray" if cluster.name != "ray" else "dask"
    with pytest.raises(pulsecast.UsageError, match=f"the frame is one of {cluster.name}"):
        distributed.predict(forecaster, cluster.spread(few), engine=other)


def test_an_error_of_a_task_arrives(cluster: Any, few: pd.DataFrame, forecaster: Forecaster) -> None:
    twice = pd.concat([few, few[few["unique_id"] == "shop 3"]], ignore_index=True)
    with pytest.raises(Exception, match="series 'shop 3': .* was in line 1 already"):
        cluster.frame(distributed.predict(forecaster, cluster.spread(twice)))
