"""What ONNX Runtime makes of an exported file is what the engine forecasts."""

from __future__ import annotations

import json
import pathlib
import sys
from collections.abc import Iterable
from typing import Any

import numpy as np
import pandas as pd
import pytest
from conftest import load_values, long_frame, wide_frame

from pulsecast import Forecaster, InputOutputError, ModelFileError, UsageError, onnx

pytest.importorskip("onnx")
runtime = pytest.importorskip("onnxruntime")

GOLDEN = pathlib.Path(__file__).parents[3] / "tests" / "golden"
TOLERANCE = 2e-5  # of a channel's deviation; 1e-4 is what is promised
QUICK: dict[str, Any] = {
    "epochs": 1, "hidden": 16, "router_width": 4, "time_width_min": 4, "threads": 1,
}  # fmt: skip


class Exported:
    """A file that was exported, and the windows that it is asked about."""

    def __init__(self, forecaster: Forecaster, folder: pathlib.Path) -> None:
        path = folder / "model.onnx"
        forecaster.export_onnx(path)
        self.about = onnx.describe(path)
        self.session = runtime.InferenceSession(str(path), providers=["CPUExecutionProvider"])
        self.inputs = [one.name for one in self.session.get_inputs()]

    def run(self, frame: pd.DataFrame, ends: Iterable[int], **others: Any) -> np.ndarray:
        """Of windows whose histories end before each of `ends`; `others` are inputs that are told."""
        T, H = self.about["lookback"], self.about["horizon"]
        starts = [pd.Timestamp(frame["ds"].iloc[end]) for end in ends]
        channels = self.about.get("channels", ["y"])
        made: dict[str, Any] = {
            "values": [frame[channels].iloc[end - T : end] for end in ends],
            "start": [int(one.timestamp() * 1000) for one in starts],  # naive ones are of UTC
        }
        if "wall" in self.inputs:
            made["wall"] = [onnx.wall_clock(self.about, one.to_pydatetime()) for one in starts]
        if "known" in self.inputs:
            made["known"] = [frame[self.about["known"]].iloc[end - T : end + H] for end in ends]
        made.update(others)
        types = {"start": np.int64, "wall": np.int64, "row": np.int64, "holidays": np.float32}
        feed = {name: np.array(made[name], types.get(name, np.float64)) for name in self.inputs}
        return np.asarray(self.session.run(None, feed)[0])


def compare(
    forecaster: Forecaster, frame: pd.DataFrame, ends: list[int], folder: pathlib.Path, **others: Any
) -> Exported:
    """Both forecast from several origins of a wide frame."""
    exported = Exported(forecaster, folder)
    theirs = exported.run(frame, ends, **others)
    channels = exported.about["channels"]
    scale = frame[channels].std().to_numpy()
    assert theirs.shape == (len(ends), exported.about["horizon"], len(channels))
    for end, said in zip(ends, theirs):
        at = frame["ds"].iloc[end - 1].to_pydatetime()
        ours = forecaster.predict(frame, at=at)[channels].to_numpy()
        assert (np.abs(said - ours) / scale).max() <= TOLERANCE, end
    return exported


def stamped(rows: int, step: str, **others: Any) -> pd.DataFrame:
    """Two channels at steps of any kind."""
    return pd.DataFrame(
        {
            "ds": pd.date_range("2019-12-26", periods=rows, freq=step, **others),
            "load": load_values(rows),
            "heat": load_values(rows, 1, 50.0) + np.cos(np.arange(rows)),
        }
    )


GOLDEN_MODELS = sorted(
    str(path.relative_to(GOLDEN).with_suffix(""))
    for path in [*GOLDEN.glob("v?.model"), *GOLDEN.glob("v3/*.model")]
    if path.stem != "v5"  # reads a column of the past, which is refused
)


@pytest.mark.parametrize("name", GOLDEN_MODELS)
def test_models_of_every_version_and_kind(name: str, tmp_path: pathlib.Path) -> None:
    rows = GOLDEN / f"{name.split('/')[0]}.csv"
    frame = pd.read_csv(rows, parse_dates=["date"]).rename(columns={"date": "ds"})
    forecaster = Forecaster.load(GOLDEN / f"{name}.model", threads=1)
    exported = Exported(forecaster, tmp_path)
    last = int(frame["c1"].notna().sum())
    ends = [24, 31, 150, 377, last]
    theirs = exported.run(frame, ends)
    scale = frame[["c1", "c2"]].std().to_numpy()
    for end, said in zip(ends, theirs):
        made = forecaster.predict(rows, at=str(frame["ds"].iloc[end - 1]))
        ours = np.array([made["c1"], made["c2"]]).T
        assert (np.abs(said - ours) / scale).max() <= TOLERANCE, end
    kept = pd.read_csv(GOLDEN / f"{name}.forecast.csv").pivot(index="ds", columns="unique_id")["yhat"]
    assert (np.abs(theirs[-1] - kept[["c1", "c2"]].to_numpy()) / scale).max() <= TOLERANCE


@pytest.mark.parametrize(
    "told",
    [
        {"model": "linear", "lookback": 48},
        {"model": "channel_linear", "lookback": 48},
        {"lookback": 50, "patch": 24, "horizon": 13},
        {"lookback": 48, "anchor": False},
        {"lookback": 48, "router": False},
        {"lookback": 48, "codebook_order": "reference", "phase": "row", "codebook_rows": 7},
        {"lookback": 48, "companion": "none", "backbone": "channel_linear"},
        {"lookback": 50, "backbone": "sparsetsf", "backbone_cycle": 4},
    ],
    ids=lambda told: " ".join(map(str, told.values())),
)
def test_kinds_of_models(told: dict[str, Any], tmp_path: pathlib.Path) -> None:
    frame = wide_frame()
    settings = {"horizon": 12, **({} if told.get("model") else QUICK), **told}
    compare(Forecaster(**settings).fit(frame), frame, [90, 333, 334, 700, 787], tmp_path)


def test_a_search(tmp_path: pathlib.Path) -> None:
    frame = wide_frame(1500)
    frame["load"] += 8 * np.sin(np.arange(1500) / 25)
    forecaster = Forecaster(horizon=24, budget="60steps", hidden=16, threads=1).fit(frame)
    exported = compare(forecaster, frame, [800, 1111, 1400], tmp_path)
    assert "other" in exported.about["title"]


EVERY_FEATURE = [
    "minute_of_hour", "hour_of_day", "day_of_week", "day_of_month", "day_of_year", "month_of_year",
    "season_of_year",
]  # fmt: skip


@pytest.mark.parametrize(
    ("step", "zone", "told"),
    [
        ("15min", None, {"time_features": EVERY_FEATURE, "period": 96}),
        ("D", None, {"time_features": EVERY_FEATURE[2:], "period": 7}),
        ("7h", "Etc/GMT-5", {"time_features": EVERY_FEATURE, "period": 24}),
        ("h", "Europe/Berlin", {"time_features": EVERY_FEATURE[1:], "period": 24}),
        ("h", "Europe/Berlin", {"phase": "row", "period": 24}),
        ("D", "America/New_York", {"phase": "row", "period": 7}),
        ("B", None, {"period": 5}),
        ("B", None, {"phase": "row", "period": 5}),
        ("MS", None, {"period": 12}),
        ("ME", None, {"period": 12, "phase": "row"}),
        ("QS", None, {"period": 4, "backbone": "cyclenet"}),
    ],
)
def test_calendars(step: str, zone: str | None, told: dict[str, Any], tmp_path: pathlib.Path) -> None:
    frame = stamped(620, step, tz=zone)
    settings = {"horizon": 6, "lookback": 24, **QUICK, **told}
    forecaster = Forecaster(**settings).fit(frame)
    ends = [25, 60, 61, 222, 404, 613]
    if zone == "Europe/Berlin":  # on both sides of both changes of the clocks
        days = ["2020-03-29 00:00", "2020-03-29 06:00", "2020-10-25 00:00", "2020-10-25 08:00"]
        frame = stamped(8000, step, tz=zone)
        ends += [int((frame["ds"] < pd.Timestamp(day, tz=zone)).sum()) for day in days]
    exported = compare(forecaster, frame, ends, tmp_path)
    assert ("wall" in exported.inputs) == (
        zone not in (None, "Etc/GMT-5") or step in "B MS ME QS".split()
    )


def test_rows_as_they_are(tmp_path: pathlib.Path) -> None:
    """Their phases are counted by row, over what is missing between them."""
    frame = wide_frame(900).drop(index=[300, 301, 302, 303, 304, 555]).reset_index(drop=True)
    told = {"grid": "rows", "step": "1h", "phase": "row", "period": 24, **QUICK}
    forecaster = Forecaster(horizon=12, lookback=48, **told).fit(frame)
    ends = [90, 291, 400, 545, 700, 881]
    exported = compare(forecaster, frame, ends, tmp_path, row=ends)
    assert exported.inputs == ["values", "row", "start"]
    assert exported.about["first_row"] == frame["ds"][0].value // 10**6


def test_holidays_are_told(tmp_path: pathlib.Path) -> None:
    frame = stamped(800, "D")
    frame["load"] -= 15.0 * (frame["ds"].dt.month == 12) * (frame["ds"].dt.day > 24)
    told = {"model": "itransformer", "width": 8, "heads": 2, "feed_forward": 8, "epochs": 2}
    forecaster = Forecaster(horizon=7, lookback=28, holidays=["DE"], **told).fit(frame)
    end = int((frame["ds"] < "2021-12-28").sum())
    days = frame["ds"].iloc[end - 28 : end + 7].dt.strftime("%m-%d")
    flags = days.isin(["12-25", "12-26"]).to_numpy()[None, :, None]
    exported = compare(forecaster, frame, [end], tmp_path, holidays=flags)
    none = exported.run(frame, [end], holidays=np.zeros_like(flags))
    assert np.abs(none - exported.run(frame, [end], holidays=flags)).max() > 0.1


@pytest.mark.parametrize(
    ("step", "told"),
    [
        ("D", {"model": "linear"}),
        ("h", QUICK),
        ("MS", QUICK),
        ("h", {"known_as": "both", **QUICK}),
    ],
)
def test_known_columns(step: str, told: dict[str, Any], tmp_path: pathlib.Path) -> None:
    frame = stamped(900, step)
    rng = np.random.default_rng(3)
    frame["price"] = rng.choice([2.0, 3.0, 5.0], 900)
    frame["warm"] = rng.normal(10.0, 5.0, 900)
    weekend = np.array([stamp.weekday() >= 5 for stamp in frame["ds"]])
    frame["load"] -= 14.0 * frame["price"] * (1 + weekend) + np.maximum(frame["warm"] - 12, 0)
    frame["heat"] += frame["warm"] * frame["price"] / 5
    lookback = {"D": 28, "h": 48, "MS": 24}[step]
    forecaster = Forecaster(horizon=7, lookback=lookback, known=["price", "warm"], **told).fit(frame)
    exported = compare(forecaster, frame, [60, 333, 850, 893], tmp_path)
    assert "known" in exported.inputs


def test_a_panel(tmp_path: pathlib.Path) -> None:
    frame = long_frame(400, 12)
    place = frame["unique_id"].str[5:].astype(int)
    hour = frame["ds"].dt.hour
    frame["region"] = np.where(place < 6, "west", "east")
    frame["y"] += np.where(place < 6, 30.0, -30.0) * (hour == 9)  # what regions have of their own
    frame["price"] = np.random.default_rng(1).choice([1.0, 2.0], len(frame))
    frame["y"] -= 25.0 * frame["price"]
    told = {"panel": "series", "static": "region", "known": "price", "known_as": "effects"}
    forecaster = Forecaster(horizon=12, lookback=48, **told, **QUICK).fit(frame)
    exported = Exported(forecaster, tmp_path)
    assert set(exported.inputs) >= {"values", "start", "mean", "scale", "known", "profile"}
    new = frame[place == 1].assign(unique_id="new", y=lambda own: 7 * own["y"] - 50)
    rows = pd.concat([frame, new])
    at = frame["ds"].iloc[387]
    ours = forecaster.predict(rows, at=at.to_pydatetime()).set_index("unique_id")["yhat"]
    for name in ["shop 0", "shop 11", "new"]:
        own = rows[rows["unique_id"] == name].reset_index(drop=True)
        known = exported.about["series"].get(name)
        mean, scale = known or onnx.new_series(exported.about, own["y"].iloc[:388])
        profile = onnx.profile_of(exported.about, {"region": own["region"].iloc[0]})
        theirs = exported.run(own, [388], mean=[mean], scale=[scale], profile=[profile])[0, :, 0]
        assert np.abs(theirs - ours[name].to_numpy()).max() / own["y"].std() <= TOLERANCE, name


def test_levels_far_from_zero(tmp_path: pathlib.Path) -> None:
    frame = wide_frame()
    frame["load"] = 1e9 + (frame["load"] - 100) / 1000
    forecaster = Forecaster(horizon=12, lookback=48, **QUICK).fit(frame)
    compare(forecaster, frame, [90, 700], tmp_path)


def test_gaps_and_constants(tmp_path: pathlib.Path) -> None:
    frame = wide_frame()
    frame["still"] = 7.0
    forecaster = Forecaster(horizon=12, lookback=48, **QUICK).fit(frame)
    exported = Exported(forecaster, tmp_path)
    holed = frame.copy()
    holed.loc[690, "load"] = np.nan
    whole, gap = exported.run(frame, [700])[0], exported.run(holed, [700])[0]
    assert np.isnan(gap[:, 0]).all() and (gap[:, 1:] == whole[:, 1:]).all()
    assert (whole[:, 2] == 7.0).all()


def test_a_window_is_the_same_in_any_batch(tmp_path: pathlib.Path) -> None:
    frame = wide_frame()
    exported = Exported(Forecaster(horizon=12, lookback=48, **QUICK).fit(frame), tmp_path)
    ends = list(range(60, 760, 7))
    together = exported.run(frame, ends)
    assert together.shape == (100, 12, 2)
    alone = np.concatenate([exported.run(frame, [end]) for end in ends[:5]])
    assert np.abs(alone - together[:5]).max() < 1e-4


def test_files_say_what_they_want(tmp_path: pathlib.Path) -> None:
    frame = wide_frame()
    Forecaster(horizon=12, lookback=48, **QUICK).fit(frame).save(tmp_path / "load.model")
    onnx.export(tmp_path / "load.model", tmp_path / "load.onnx")
    assert [one.name for one in tmp_path.iterdir() if one.suffix == ".onnx"] == ["load.onnx"]
    about = onnx.describe(tmp_path / "load.onnx")
    assert about["channels"] == ["load", "heat"] and about["step"] == "1h" and about["zone"] == "UTC"
    assert (about["lookback"], about["horizon"]) == (48, 12)
    assert list(about["inputs"]) == ["values", "start"]
    session = runtime.InferenceSession(str(tmp_path / "load.onnx"))
    assert json.loads(session.get_modelmeta().custom_metadata_map["pulsecast"]) == about
    assert [one.shape for one in session.get_outputs()] == [["batch", 12, 2]]


def test_what_cannot_be_written_is_refused(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "never.onnx"
    told = {"model": "crossformer", "width": 4, "heads": 2, "feed_forward": 4, "epochs": 1}
    crossformer = Forecaster(horizon=6, lookback=24, **told).fit(wide_frame(300))
    with pytest.raises(UsageError, match="backbone 'crossformer'") as refused:
        crossformer.export_onnx(path)
    assert {"backbone": "mlp"} in [remedy.settings for remedy in refused.value.remedies]
    rows = long_frame(700).assign(price=lambda own: own["y"].round() % 3)
    panel = {"horizon": 6, "lookback": 24, "panel": "series", "known": "price", **QUICK}
    priced = rows.assign(y=lambda own: own["y"] - 40 * own["price"])
    told = {"layout": "long", "panel": "channels", "known": "price", "model": "linear"}
    with pytest.raises(UsageError, match="panel='series'"):
        Forecaster(horizon=6, lookback=24, **told).fit(priced).export_onnx(path)
    with pytest.raises(UsageError, match="known_as='effects'"):
        Forecaster(known_as="features", **panel).fit(rows).export_onnx(path)
    with pytest.raises(UsageError, match="up to now only") as refused:
        onnx.export(GOLDEN / "v5.model", path)
    assert {"ignore": "c3"} in [remedy.settings for remedy in refused.value.remedies]
    assert not path.exists()
    with pytest.raises(UsageError, match="call fit"):
        Forecaster(horizon=6).export_onnx(path)
    with pytest.raises(ModelFileError):
        onnx.export(GOLDEN / "v3.csv", path)


def test_paths_that_cannot_be(tmp_path: pathlib.Path) -> None:
    model = GOLDEN / "v3" / "dlinear.model"
    with pytest.raises(InputOutputError, match="cannot be written"):
        onnx.export(model, tmp_path / "no" / "such" / "folder.onnx")
    with pytest.raises(InputOutputError, match="cannot be written"):
        onnx.export(model, tmp_path)
    assert not list(tmp_path.iterdir())
    with pytest.raises(InputOutputError, match="cannot be read"):
        onnx.describe(tmp_path / "missing.onnx")
    with pytest.raises(ModelFileError, match="no file that export_onnx wrote"):
        onnx.describe(model)


def test_helpers_read_what_people_have() -> None:
    about = {"step": "1h", "zone": "Europe/Berlin", "lookback": 2, "horizon": 2, "period": 2}
    stamp = pd.Timestamp("2024-03-31 03:00")  # an hour after 01:00, by that clock
    clock = onnx.wall_clock(about, stamp.to_pydatetime())
    assert clock.astype("datetime64[ms]").astype(str)[1] == "2024-03-31T01:00:00.000"
    same = [stamp.to_datetime64(), stamp.tz_localize("Europe/Berlin"), stamp.value // 10**6 - 7_200_000]
    assert all((onnx.wall_clock(about, one) == clock).all() for one in same)
    with pytest.raises(UsageError, match="is no instant"):
        onnx.wall_clock(about, "2024-03-31")  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="no value"):
        onnx.new_series(about, [float("nan")])
    with pytest.raises(UsageError, match="no static columns"):
        onnx.profile_of(about, {"region": "west"})


def test_without_the_package(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "onnx", None)
    with pytest.raises(UsageError, match=r"pip install 'pulsecast\[onnx\]'"):
        onnx.export(GOLDEN / "v3" / "dlinear.model", tmp_path / "never.onnx")
    with pytest.raises(UsageError, match=r"pip install"):
        onnx.describe(tmp_path / "never.onnx")
