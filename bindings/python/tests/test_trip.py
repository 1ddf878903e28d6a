"""The whole trip, from a frame to a frame of the same kind."""

from __future__ import annotations

import datetime
import pathlib
import pickle
from typing import Any, Callable

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from conftest import SETTINGS, long_frame, wide_frame

import pulsecast
from pulsecast import Forecaster

KINDS: dict[str, Callable[[pd.DataFrame], Any]] = {
    "pandas": lambda frame: frame,
    "polars": pl.from_pandas,
    "pyarrow": lambda frame: pa.Table.from_pandas(frame, preserve_index=False),
    "batch": lambda frame: (
        pa.Table.from_pandas(frame, preserve_index=False).combine_chunks().to_batches()[0]
    ),
    "arrays": lambda frame: {name: frame[name].to_numpy() for name in frame},
    "lists": lambda frame: {
        name: [one.to_pydatetime() for one in frame[name]] if name == "ds" else frame[name].tolist()
        for name in frame
    },
    "records": lambda frame: [
        {**row, "ds": row["ds"].to_pydatetime()} for row in frame.to_dict("records")
    ],
}


def to_pandas(frame: Any) -> pd.DataFrame:
    if isinstance(frame, pd.DataFrame):
        return frame
    return frame.to_pandas() if hasattr(frame, "to_pandas") else pd.DataFrame(frame)


def same(one: pd.DataFrame, other: pd.DataFrame) -> None:
    pd.testing.assert_frame_equal(one, other, check_dtype=False, check_exact=True)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("layout", ["wide", "long"])
def test_every_kind_comes_back_as_it_went_in_with_the_same_bits(kind: str, layout: str) -> None:
    frame = wide_frame() if layout == "wide" else long_frame()
    expected = Forecaster(level=[80], **SETTINGS).fit(frame).predict()
    given = KINDS[kind](frame)
    made = Forecaster(level=[80], **SETTINGS).fit(given).predict()
    assert type(made) is type(given)
    same(to_pandas(made)[list(expected.columns)], expected)


def test_wide_rows_come_back_wide(wide: pd.DataFrame) -> None:
    made = Forecaster(level=[80, 95], **SETTINGS).fit(wide).predict()
    assert list(made.columns) == [
        *["ds", "load", "load_lo_80", "load_hi_80", "load_lo_95", "load_hi_95"],
        *["heat", "heat_lo_80", "heat_hi_80", "heat_lo_95", "heat_hi_95"],
    ]
    assert len(made) == 12
    assert made["ds"].iloc[0] == wide["ds"].iloc[-1] + pd.Timedelta(hours=1)
    assert made["ds"].dtype == wide["ds"].dtype
    assert (made["load_lo_80"] < made["load"]).all() and (made["load"] < made["load_hi_95"]).all()
    truth = 100 + 20 * np.sin(2 * np.pi * np.arange(800, 812) / 24)
    assert np.abs(made["load"] - truth).max() < 4


def test_long_rows_come_back_long_under_their_own_names(long: pd.DataFrame) -> None:
    frame = long.rename(columns={"unique_id": "shop", "ds": "day", "y": "sold"})
    settings = {**SETTINGS, "id_column": "shop", "time_column": "day", "value_column": "sold"}
    made = Forecaster(quantile=[0.1], **settings).fit(frame).predict()
    found = Forecaster(quantile=[0.1], **SETTINGS).fit(frame).predict()
    same(found, made)
    assert list(made.columns)[:3] == ["shop", "day", "yhat"]
    assert "q_0.1" in made and set(made["status"]) == {"ok"}
    assert list(made["shop"].unique()) == ["shop 0", "shop 1", "shop 2"]
    assert len(made) == 36


def test_names_that_are_said_when_forecasting_hold_for_that_call(long: pd.DataFrame) -> None:
    forecaster = Forecaster(**SETTINGS).fit(long)
    renamed = long.rename(columns={"unique_id": "shop", "ds": "day", "y": "sold"})
    names = {"id_column": "shop", "time_column": "day", "value_column": "sold"}
    for _ in range(2):
        assert list(forecaster.predict(renamed, **names).columns)[:2] == ["shop", "day"]
        assert list(forecaster.predict(long).columns)[:2] == ["unique_id", "ds"]


@pytest.mark.parametrize(
    "text", ["2024-01-01 {:02}:00", "2024-01-01T{:02}:00Z", "2024-01-01T{:02}:00+02:00"]
)
def test_stamps_as_text_come_back_as_text(text: str) -> None:
    times = [
        text.format(hour).replace("01-01", f"01-{day:02}") for day in range(1, 21) for hour in range(24)
    ]
    made = Forecaster(3, model="linear", lookback=48).fit(
        {"when": times, "y": [1.0 * (i % 24) for i in range(480)]}
    )
    first = datetime.datetime.fromisoformat(made.predict()["when"][0])
    assert first.replace(tzinfo=None) in (
        datetime.datetime(2024, 1, 21),
        datetime.datetime(2024, 1, 20, 22),
    )
    assert (first.tzinfo is None) == (len(text) == 19)


def test_an_index_of_stamps_comes_back_as_one(wide: pd.DataFrame) -> None:
    made = Forecaster(**SETTINGS).fit(wide.set_index("ds")).predict()
    assert list(made.columns) == ["load", "heat"]
    assert made.index.name == "ds" and isinstance(made.index, pd.DatetimeIndex)
    series = Forecaster(**SETTINGS).fit(wide.set_index("ds")["load"]).predict()
    assert isinstance(series, pd.Series) and series.name == "load"


def test_arrays_and_lists_of_numbers(wide: pd.DataFrame) -> None:
    settings = {**SETTINGS, "start": "2024-01-01", "step": "1h"}
    values = wide[["load", "heat"]].to_numpy()
    made = Forecaster(**settings).fit(values).predict()
    assert made.shape == (12, 2)
    expected = Forecaster(**SETTINGS).fit(wide).predict()
    np.testing.assert_array_equal(made[:, 0], expected["load"])
    alone = Forecaster(**settings).fit(wide["load"].tolist()).predict()
    assert isinstance(alone, list) and len(alone) == 12
    with pytest.raises(pulsecast.PulsecastError) as refused:
        Forecaster(**SETTINGS).fit(values)
    assert "start" in str(refused.value)


def test_the_program_and_python_share_models_bit_for_bit(
    wide: pd.DataFrame, tmp_path: pathlib.Path, program: Callable[..., str]
) -> None:
    rows = tmp_path / "load.csv"
    wide.to_csv(rows, index=False, date_format="%Y-%m-%d %H:%M:%S")
    flags = ["--horizon", "12", "--model", "linear", "--lookback", "48", "--quiet"]
    program("train", rows, *flags, "--out", tmp_path / "theirs.model")
    ours = Forecaster(**SETTINGS).fit(wide)
    ours.save(tmp_path / "ours.model")
    by_program = program("forecast", tmp_path / "ours.model", rows, "--quiet")
    lines = [line.split(",") for line in by_program.splitlines()[1:]]
    made = ours.predict()
    np.testing.assert_array_equal(
        np.float32([line[3] for line in lines if line[0] == "load"]), np.float32(made["load"])
    )
    loaded = Forecaster.load(tmp_path / "theirs.model")
    same(loaded.predict(wide), Forecaster.load(tmp_path / "ours.model").predict(wide))
    assert loaded.predict(rows)["load"] == made["load"].tolist()


def test_known_columns_are_given_for_the_future() -> None:
    frame = wide_frame()[["ds", "load"]]
    frame["promotion"] = (np.arange(800) % 50 < 5).astype(float)
    frame["load"] += 30 * frame["promotion"]
    forecaster = Forecaster(known="promotion", **SETTINGS).fit(frame)
    stamps = pd.date_range(frame["ds"].iloc[-1], periods=13, freq="h")[1:]
    future = pd.DataFrame({"ds": stamps, "promotion": [0.0] * 6 + [1.0] * 6})
    calm = future.assign(promotion=0.0)
    gain = forecaster.predict(future=future)["load"] - forecaster.predict(future=calm)["load"]
    assert np.abs(gain[:6]).max() < 1e-9 and (gain[6:] > 20).all()
    as_polars = Forecaster(known="promotion", **SETTINGS).fit(pl.from_pandas(frame))
    expected = forecaster.predict(future=future)["load"].tolist()
    assert as_polars.predict(future=pl.from_pandas(future))["load"].to_list() == expected
    table = {name: frame[name].tolist() for name in frame}
    ahead = {name: future[name].tolist() for name in future}
    assert Forecaster(known="promotion", **SETTINGS).fit(table).predict(future=ahead)["load"] == expected


@pytest.mark.parametrize("kind", ["pandas", "polars", "lists"])
def test_columns_that_are_ignored_may_hold_anything(kind: str) -> None:
    frame = wide_frame().assign(notes=[object() if row % 2 else "text" for row in range(800)])
    stamps = [one.to_pydatetime() for one in frame["ds"]] if kind == "lists" else frame["ds"].to_list()
    table = {**{name: frame[name].tolist() for name in frame}, "ds": stamps}
    given = {"pandas": frame, "lists": table}.get(kind)
    if given is None:
        given = pl.DataFrame(table, schema_overrides={"notes": pl.Object})
    forecaster = Forecaster(ignore="notes", **SETTINGS).fit(given)
    assert "notes" not in forecaster.predict()
    assert "notes" not in forecaster.predict(given)


def test_what_one_fit_left_out_the_next_one_sees() -> None:
    calm = long_frame(800, 1).assign(promotion=(np.arange(800) < 40) * 1.0)
    forecaster = Forecaster(known="promotion", **SETTINGS).fit(calm)
    forecaster.predict()
    assert [channel["name"] for channel in forecaster.card_["channels"]] == ["shop 0"]
    busy = calm.assign(promotion=(np.arange(800) % 50 < 5) * 1.0)
    busy["y"] += 30 * busy["promotion"]
    again = forecaster.fit(busy).to_bytes()
    assert again == Forecaster(known="promotion", **SETTINGS).fit(busy).to_bytes()


def test_static_columns(long: pd.DataFrame) -> None:
    long["region"] = long["unique_id"].map({"shop 0": "north", "shop 1": "south", "shop 2": "south"})
    made = Forecaster(static="region", **SETTINGS).fit(long).predict()
    assert len(made) == 36


def test_cross_validation_has_what_came(long: pd.DataFrame) -> None:
    forecaster = Forecaster(**SETTINGS)
    past = forecaster.cross_validation(long, n_windows=4, step=24)
    assert list(past.columns) == ["unique_id", "ds", "cutoff", "y", "yhat"]
    assert len(past) == 3 * 4 * 12
    assert past["cutoff"].nunique() == 4
    joined = past.merge(long, on=["unique_id", "ds"])
    np.testing.assert_array_equal(joined["y_x"], joined["y_y"])
    assert (past["y"] - past["yhat"]).abs().mean() < 5
    again = forecaster.cross_validation(long, n_windows=4, step=24, refit=True)
    assert not np.array_equal(again["yhat"], past["yhat"])
    first = past["cutoff"] == past["cutoff"].min()
    np.testing.assert_array_equal(past["yhat"][first], again["yhat"][first])


def test_evaluate_stands_beside_naive_forecasts(wide: pd.DataFrame) -> None:
    forecaster = Forecaster(**SETTINGS).fit(wide[:700])
    scores = forecaster.evaluate(wide, part="all")
    assert list(scores["forecaster"])[:2] == ["model", "naive"]
    assert scores["mse"].iloc[0] < scores["mse"].iloc[1]
    assert forecaster.evaluation_["windows"] > 0


def test_update_moves_the_next_forecast(wide: pd.DataFrame) -> None:
    forecaster = Forecaster(**SETTINGS).fit(wide[:700])
    before = forecaster.predict()
    after = forecaster.update(wide[700:]).predict()
    assert before["ds"].iloc[0] == wide["ds"].iloc[700]
    same(after, forecaster.predict(wide))
    assert after["ds"].iloc[0] == wide["ds"].iloc[-1] + pd.Timedelta(hours=1)


def test_ids_in_the_index_stay_with_their_rows(long: pd.DataFrame) -> None:
    days = np.arange(600) % 7 == 0
    frame = long.assign(offer=np.tile(days * 1.0, 3))
    is_old = frame["ds"] < frame["ds"].iloc[560]
    old, new = frame[is_old], frame[~is_old]
    flat = Forecaster(known="offer", **SETTINGS).fit(old)
    indexed = Forecaster(known="offer", **SETTINGS).fit(old.set_index("unique_id"))
    ahead = new.groupby("unique_id").head(12).drop(columns="y")
    expected = flat.predict(future=ahead)
    same(indexed.predict(future=ahead.set_index("unique_id")), expected)
    same(indexed.predict(future=ahead), expected)
    last = new.assign(offer=0.0)
    same(indexed.update(last.set_index("unique_id"))._frame, flat.update(last)._frame)
    assert set(indexed._frame["unique_id"]) == {"shop 0", "shop 1", "shop 2"}


def test_new_rows_may_have_their_stamps_elsewhere(wide: pd.DataFrame) -> None:
    expected = Forecaster(**SETTINGS).fit(wide[:700]).update(wide[700:]).predict()
    made = Forecaster(**SETTINGS).fit(wide[:700]).update(wide[700:].set_index("ds")).predict()
    same(made, expected)
    made = Forecaster(**SETTINGS).fit(wide[:700].set_index("ds")).update(wide[700:]).predict()
    same(made, expected.set_index("ds"))


@pytest.mark.parametrize("kind", ["pandas", "polars", "pyarrow", "lists"])
def test_series_that_ended_stand_at_their_own_stamps(wide: pd.DataFrame, kind: str) -> None:
    wide.loc[796:, "heat"] = np.nan
    settings = {**SETTINGS, "panel": "series", "fill": "none"}
    made = to_pandas(
        Forecaster(**settings).fit(KINDS[kind](wide)).predict(include_ended=True)
    ).set_index("ds")
    assert list(made.index) == list(pd.date_range(wide["ds"].iloc[796], periods=16, freq="h"))
    assert made["load"].notna().tolist() == [False] * 4 + [True] * 12
    assert made["heat"].notna().tolist() == [True] * 12 + [False] * 4
    short = Forecaster(**settings).fit(wide[:796]).predict().set_index("ds")
    np.testing.assert_allclose(made["heat"][:12], short["heat"], atol=0.5)


def test_components_sum_up(wide: pd.DataFrame) -> None:
    parts = Forecaster(**SETTINGS).fit(wide).components()
    whole = parts["anchor"] + parts["residual"] + parts["effect"].fillna(0)
    np.testing.assert_allclose(whole, parts["yhat"], rtol=1e-5)


def test_ranges_bounds_and_past_origins(wide: pd.DataFrame) -> None:
    forecaster = Forecaster(**SETTINGS).fit(wide)
    assert forecaster.predict(max=90.0)["load"].max() <= 90.0
    for at in (wide["ds"].iloc[699], str(wide["ds"].iloc[699]), datetime.datetime(2024, 1, 30, 3)):
        assert forecaster.predict(at=at)["ds"].iloc[0] == wide["ds"].iloc[700]
    with pytest.raises(pulsecast.UsageError, match="is no stamp"):
        forecaster.predict(at=pd.NaT)
    assert "load_lo_50" in forecaster.predict(level=50)


def test_models_travel(wide: pd.DataFrame, tmp_path: pathlib.Path) -> None:
    forecaster = Forecaster(**SETTINGS).fit(wide)
    expected = forecaster.predict()
    same(pickle.loads(pickle.dumps(forecaster)).predict(), expected)
    forecaster.save(tmp_path / "load.model")
    assert (tmp_path / "load.model").read_bytes() == forecaster.to_bytes()
    loaded = Forecaster.load(tmp_path / "load.model", level=80)
    assert loaded.horizon_ == 12 and loaded.card_["lookback"] == 48
    assert "load_lo_80" in loaded.predict(wide)
    with pytest.raises(pulsecast.UsageError, match="has no rows"):
        loaded.predict()


def test_pictures_and_pages(wide: pd.DataFrame, tmp_path: pathlib.Path) -> None:
    forecaster = Forecaster(level=[80], **SETTINGS).fit(wide)
    picture = forecaster.plot(path=tmp_path / "next.svg")
    assert picture._repr_svg_().startswith("<svg")
    assert (tmp_path / "next.svg").read_text() == picture.svg
    forecaster.report(tmp_path / "load.html", title="Load")
    assert "<title>Load" in (tmp_path / "load.html").read_text()


def test_a_gap_gets_a_status_and_a_warning(wide: pd.DataFrame) -> None:
    forecaster = Forecaster(**SETTINGS).fit(wide)
    wide.loc[790:792, "load"] = np.nan
    with pytest.warns(pulsecast.PulsecastWarning, match="load: seasonal_naive"):
        forecaster.predict(wide)
    forecaster.predict(wide, fill="linear")


def test_a_file_is_a_frame_too(wide: pd.DataFrame, tmp_path: pathlib.Path) -> None:
    wide.to_csv(tmp_path / "load.csv", index=False)
    forecaster = Forecaster(**SETTINGS).fit(tmp_path / "load.csv")
    assert forecaster.predict()["load"] == Forecaster(**SETTINGS).fit(wide).predict()["load"].tolist()


def test_a_warm_start(wide: pd.DataFrame) -> None:
    settings = {**SETTINGS, "model": "mlp", "epochs": 1}
    old = Forecaster(**settings).fit(wide[:600])
    new = Forecaster(**settings).fit(wide, start_from=old)
    assert new.fitted_ is not None and new.predict().shape == (12, 3)


def test_ids_of_every_kind() -> None:
    frame = long_frame()
    frame["unique_id"] = frame["unique_id"].astype("category")
    expected = Forecaster(**SETTINGS).fit(frame).predict()["yhat"]
    for kind in (str, "string", object, pd.ArrowDtype(pa.string()), pd.ArrowDtype(pa.large_string())):
        again = Forecaster(**SETTINGS).fit(frame.astype({"unique_id": kind})).predict()["yhat"]
        np.testing.assert_array_equal(again, expected)


def test_chunks_are_one_table(wide: pd.DataFrame) -> None:
    pieces = [pa.Table.from_pandas(wide[i : i + 100], preserve_index=False) for i in range(0, 800, 100)]
    made = Forecaster(**SETTINGS).fit(pa.concat_tables(pieces)).predict()
    same(made.to_pandas(), Forecaster(**SETTINGS).fit(wide).predict())
