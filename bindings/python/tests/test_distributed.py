"""The part of fleets that no engine is needed for: tasks, on pieces of a table."""

from __future__ import annotations

import datetime
import pathlib
import pickle
from typing import Any

import numpy as np
import pandas as pd
import pytest

pa = pytest.importorskip("pyarrow")

from conftest import long_frame  # noqa: E402

import pulsecast  # noqa: E402
from pulsecast import Forecaster, distributed  # noqa: E402
from pulsecast.distributed import _engines  # noqa: E402

SETTINGS: dict[str, Any] = {
    "horizon": 12, "model": "linear", "lookback": 48, "panel": "series", "threads": 1,
}  # fmt: skip


class Pieces(_engines.Engine):
    """An engine that runs a task after the other, twice each, as pickles."""

    def __init__(self, table: Any) -> None:
        self.table = table

    def schema(self) -> Any:
        return self.table.schema

    def slots(self) -> int:
        return 2

    def parts(self) -> int:
        return 3

    def each(self, task: _engines.Task, columns: list[str], schema: Any) -> Any:
        some = self.table.select(columns)
        cuts = range(0, len(some), 1 + len(some) // self.parts())
        return pa.concat_tables([task(some.slice(cut, cuts.step), b"") for cut in cuts])

    def grouped(
        self, key: str, task: _engines.Task, content: bytes, schema: Any, parts: int | None
    ) -> Any:
        parts = parts or 1
        names = self.table.column(key).to_pylist()
        numbers = {name: i % parts for i, name in enumerate(dict.fromkeys(names))}
        made = []
        for part in range(parts):
            rows = self.table.filter(pa.array([numbers[name] == part for name in names]))
            mixed = rows.take(np.random.default_rng(part).permutation(len(rows)))
            first, again = (pickle.loads(pickle.dumps(task))(one, content) for one in (rows, mixed))
            by = [(name, "ascending") for name in schema.names if name not in ("model", "failed")]
            assert first.schema == schema and first.sort_by(by).equals(again.sort_by(by))
            made.append(first)
        return pa.concat_tables(made)

    def collected(self, frame: Any) -> Any:
        return frame


@pytest.fixture(autouse=True)
def pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    opened = lambda frame, engine: Pieces(pa.Table.from_pandas(frame, preserve_index=False))  # noqa: E731
    monkeypatch.setattr(distributed, "open_engine", opened)


@pytest.fixture
def ragged(long: pd.DataFrame) -> pd.DataFrame:
    """shop 0 ended long ago, shop 1 a little before the others."""
    ended = (long["unique_id"] == "shop 0") & (long["ds"] >= "2024-01-20")
    older = (long["unique_id"] == "shop 1") & (long["ds"] >= "2024-01-25 20:00")
    return long[~ended & ~older].reset_index(drop=True)


def frames(made: Any, expected: pd.DataFrame) -> None:
    by = ["unique_id", "cutoff", "ds"] if "cutoff" in expected else ["unique_id", "ds"]
    made = made.to_pandas().sort_values(by, ignore_index=True)
    expected = expected.sort_values(by, ignore_index=True)
    pd.testing.assert_frame_equal(
        made[list(expected.columns)], expected, check_exact=True, check_dtype=False
    )


@pytest.mark.parametrize("told", [{}, {"include_ended": True}, {"level": 80, "quantile": 0.1}])
def test_pieces_say_what_the_whole_says(ragged: pd.DataFrame, told: dict[str, Any]) -> None:
    forecaster = Forecaster(calibration=0.5, **SETTINGS).fit(long_frame(600, 40))
    expected = forecaster.predict(ragged, **told)
    assert expected["unique_id"].nunique() == (3 if told.get("include_ended") else 2)
    frames(distributed.predict(forecaster, ragged, **told), expected)


def test_past_stamps(ragged: pd.DataFrame) -> None:
    forecaster = Forecaster(**SETTINGS).fit(ragged)
    cutoffs = ["2024-01-10 05:00", datetime.datetime(2024, 1, 25, 22)]
    parts = []
    for cutoff in cutoffs:
        newest = ragged[ragged["ds"] <= cutoff].groupby("unique_id")["ds"].max().rename("cutoff")
        parts.append(forecaster.predict(ragged, at=cutoff).join(newest, on="unique_id"))
    expected = pd.concat(parts).merge(ragged, on=["unique_id", "ds"], how="left")
    frames(distributed.backtest(forecaster, ragged, cutoffs), expected)


@pytest.mark.parametrize("zone", ["UTC", "Europe/Berlin"])
def test_stamps_with_a_zone(ragged: pd.DataFrame, zone: str) -> None:
    rows = ragged.assign(ds=ragged["ds"].dt.tz_localize(zone))
    forecaster = Forecaster(**SETTINGS).fit(rows)
    frames(distributed.predict(forecaster, rows), forecaster.predict(rows))
    made = distributed.backtest(forecaster, rows, "2024-01-15 12:00").to_pandas()
    expected = forecaster.predict(rows, at="2024-01-15 12:00")
    assert list(made["ds"]) == list(expected["ds"]) and list(made["yhat"]) == list(expected["yhat"])


def test_columns_that_are_named_when_forecasting(ragged: pd.DataFrame) -> None:
    forecaster = Forecaster(**SETTINGS).fit(ragged)
    other = ragged.rename(columns={"unique_id": "shop", "ds": "hour", "y": "sold"})
    names = {"id_column": "shop", "time_column": "hour", "value_column": "sold"}
    made = distributed.predict(forecaster, other, **names).rename_columns(
        ["unique_id", "ds", "yhat", "status"]
    )
    frames(made, forecaster.predict(ragged))


def test_pieces_that_hold_whole_series(long: pd.DataFrame, monkeypatch: pytest.MonkeyPatch) -> None:
    forecaster = Forecaster(**SETTINGS).fit(long)
    with pytest.raises(pulsecast.DataError, match="rows of 'shop 0' lie in more than one piece of"):
        distributed.predict(forecaster, long[long["unique_id"] == "shop 0"], whole=True)
    monkeypatch.setattr(Pieces, "parts", lambda _: 1)
    frames(distributed.predict(forecaster, long, whole=True), forecaster.predict(long))


def test_series_without_a_value(ragged: pd.DataFrame) -> None:
    ragged.loc[ragged["unique_id"] == "shop 2", "y"] = np.nan
    forecaster = Forecaster(**SETTINGS).fit(ragged[ragged["unique_id"] != "shop 2"])
    frames(distributed.predict(forecaster, ragged), forecaster.predict(ragged))


def test_groups(long: pd.DataFrame, tmp_path: pathlib.Path) -> None:
    long["area"] = np.where(long["unique_id"] == "shop 1", "south", "north")
    groups = distributed.fit_groups(Forecaster(**SETTINGS), long, by="area")
    groups.save(tmp_path / "groups.arrow")
    groups = distributed.Groups.load(tmp_path / "groups.arrow")
    assert list(groups) == ["north", "south"] and "2 groups by 'area'" in repr(groups)
    south = long[long["unique_id"] == "shop 1"].drop(columns="area")
    expected = Forecaster(**SETTINGS).fit(south).predict().assign(area="south")
    made = distributed.predict(groups, long)
    frames(made.filter(pa.array([area == "south" for area in made["area"].to_pylist()])), expected)
    with pytest.raises(pulsecast.InputOutputError, match="cannot be read"):
        distributed.Groups.load(tmp_path / "none")
    (tmp_path / "groups.arrow").write_bytes(b"ARROW1 and no more")
    with pytest.raises(pulsecast.ModelFileError, match="no models of groups"):
        distributed.Groups.load(tmp_path / "groups.arrow")


def test_groups_by_categories_and_numbers(long: pd.DataFrame) -> None:
    prototype = Forecaster(**SETTINGS)
    expected = distributed.fit_groups(prototype, long)
    as_categories = long.assign(unique_id=long["unique_id"].astype("category"))
    made = distributed.fit_groups(prototype, as_categories)
    assert {name: made[name].to_bytes() for name in made} == {
        name: expected[name].to_bytes() for name in expected
    }
    frames(distributed.predict(made, as_categories), distributed.predict(expected, long).to_pandas())
    numbers = distributed.fit_groups(
        prototype, long.assign(area=long["unique_id"].str[5:].astype(int)), "area"
    )
    assert list(numbers) == ["0", "1", "2"]


def test_groups_that_fail(long: pd.DataFrame) -> None:
    short = long[(long["unique_id"] != "shop 1") | (long["ds"] < "2024-01-01 05:00")]
    with pytest.warns(
        pulsecast.PulsecastWarning, match="1 of 3 groups could not be trained, as 'shop 1'"
    ):
        groups = distributed.fit_groups(Forecaster(**SETTINGS), short)
    assert set(distributed.predict(groups, short)["unique_id"].to_pylist()) == {"shop 0", "shop 2"}
    prototype = Forecaster(**SETTINGS)
    with pytest.raises(pulsecast.PulsecastError):
        distributed.cross_validation(prototype, short)
    made = distributed.cross_validation(prototype, short, n_windows=2, skip_failed=True)
    one = prototype.cross_validation(long[long["unique_id"] == "shop 2"], n_windows=2)
    frames(made.filter(pa.array([name == "shop 2" for name in made["unique_id"].to_pylist()])), one)


def test_what_is_refused(
    long: pd.DataFrame, wide: pd.DataFrame, monkeypatch: pytest.MonkeyPatch
) -> None:
    forecaster = Forecaster(**SETTINGS).fit(long)
    together = Forecaster(12, model="linear", lookback=48).fit(wide)
    refusals: list[tuple[str, Any]] = [
        ("forecasts its channels together", lambda: distributed.predict(together, long)),
        ("learnt nothing yet", lambda: distributed.predict(Forecaster(12), long)),
        ("cannot forecast", lambda: distributed.predict("model", long)),  # type: ignore[arg-type]
        ("no column 'unique_id'", lambda: distributed.predict(forecaster, wide)),
        ("tasks=0", lambda: distributed.predict(forecaster, long, tasks=0)),
        ("fil", lambda: distributed.predict(forecaster, long, fil="linear")),
        ("is no stamp", lambda: distributed.backtest(forecaster, long, ["then"])),
        ("no cutoff", lambda: distributed.backtest(forecaster, long, [])),
        ("no series has a value", lambda: distributed.backtest(forecaster, long, ["1990-01-01"])),
        ("holds", lambda: distributed.predict(forecaster, long.assign(ds=long["ds"].astype(str)))),
    ]
    for words, call in refusals:
        with pytest.raises(pulsecast.PulsecastError, match=words):
            call()
    monkeypatch.undo()
    with pytest.raises(pulsecast.UsageError, match="no engine 'hadoop'"):
        distributed.predict(forecaster, long, engine="hadoop")
    with pytest.raises(pulsecast.UsageError, match="a DataFrame is no frame of Dask, Ray or Spark"):
        distributed.predict(forecaster, long)


@pytest.mark.parametrize("engine", ["dask", "ray", "spark"])
def test_an_engine_that_is_not_installed(
    engine: str, long: pd.DataFrame, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.undo()
    for name in ("dask", "ray", "pyspark"):
        monkeypatch.setitem(__import__("sys").modules, name, None)
    with pytest.raises(pulsecast.UsageError, match=rf"pip install 'pulsecast\[{engine}\]'"):
        distributed.predict(Forecaster(**SETTINGS).fit(long), long, engine=engine)
