"""What ONNX Runtime makes of an exported file is what the engine forecasts."""

from __future__ import annotations

import builtins
import datetime
import pathlib
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
TOLERANCE = 1e-4  # of a channel's scale
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
        types = {"start": np.int64, "wall": np.int64, "holidays": np.float32}
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
    if "timesnet" not in path.name
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
