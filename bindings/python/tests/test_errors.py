"""What goes wrong is said in Python's words."""

from __future__ import annotations

import importlib
import pathlib
import sys

import numpy as np
import pandas as pd
import pytest
from conftest import SETTINGS

import pulsecast
from pulsecast import Forecaster


def test_an_unknown_keyword_suggests_the_near_one() -> None:
    with pytest.raises(pulsecast.UsageError, match="lookback"):
        Forecaster(horizon=12, lookbak=48)


@pytest.mark.parametrize(
    "settings",
    [{"fill": "lineer"}, {"hidden": -1}, {"dropout": "much"}, {"hidden": object()}, {"fill": "a\0b"}],
)
def test_a_value_that_is_none_is_refused(settings: dict[str, object]) -> None:
    with pytest.raises(pulsecast.UsageError):
        Forecaster(**settings)  # type: ignore[arg-type]


def test_remedies_are_keywords(wide: pd.DataFrame) -> None:
    wide.loc[100:103, "load"] = np.nan
    with pytest.raises(pulsecast.DataError) as refused:
        Forecaster(**SETTINGS).fit(wide)
    assert 'fill="linear"' in str(refused.value)
    assert {"fill": "linear"} in [remedy.settings for remedy in refused.value.remedies]
    assert refused.value.kind == "data"
    assert isinstance(refused.value, ValueError)
    Forecaster(fill="linear", **SETTINGS).fit(wide)


def test_duplicates_and_disorder(wide: pd.DataFrame) -> None:
    with pytest.raises(pulsecast.DataError, match="duplicates="):
        Forecaster(**SETTINGS).fit(pd.concat([wide, wide[-1:]]))
    with pytest.raises(pulsecast.DataError, match="order="):
        Forecaster(**SETTINGS).fit(wide[::-1])
    Forecaster(order="sort", **SETTINGS).fit(wide[::-1])


def test_files_that_are_none(tmp_path: pathlib.Path) -> None:
    with pytest.raises(pulsecast.InputOutputError) as refused:
        Forecaster.load(tmp_path / "nothing.model")
    assert isinstance(refused.value, OSError)
    (tmp_path / "bad.model").write_bytes(b"no model")
    with pytest.raises(pulsecast.ModelFileError):
        Forecaster.load(tmp_path / "bad.model")
    with pytest.raises(pulsecast.UsageError, match="null character"):
        Forecaster.load("a\0b")


def test_rows_of_a_file_are_not_joined(wide: pd.DataFrame, tmp_path: pathlib.Path) -> None:
    wide.to_csv(tmp_path / "load.csv", index=False)
    forecaster = Forecaster(**SETTINGS).fit(tmp_path / "load.csv")
    with pytest.raises(pulsecast.UsageError, match="rows of a file"):
        forecaster.update(wide)
    with pytest.raises(pulsecast.DataError, match="give a pandas frame"):
        Forecaster(**SETTINGS).fit(wide).update([1.0])


@pytest.mark.parametrize("level", ["wide", [None], object()])
def test_levels_are_numbers(level: object) -> None:
    with pytest.raises(pulsecast.UsageError, match="no list of numbers"):
        Forecaster(level=level)  # type: ignore[arg-type]


def test_before_fit() -> None:
    with pytest.raises(pulsecast.UsageError, match=r"call fit\(df\) first"):
        Forecaster().predict()


def test_too_few_rows_for_ranges_are_refused(wide: pd.DataFrame) -> None:
    with pytest.raises(pulsecast.PulsecastError):
        Forecaster(level=[99.9], **SETTINGS).fit(wide[:200]).predict()


def test_check_is_a_frame_of_findings(wide: pd.DataFrame) -> None:
    assert len(pulsecast.check(wide)) == 0
    wide.loc[100:103, "load"] = np.nan
    found = pulsecast.check(wide)
    assert isinstance(found, pd.DataFrame)
    assert list(found["kind"]) == ["empty-cells"]
    assert found["column"][0] == "load" and found["count"][0] == 4
    assert 'fill="linear"' in found["remedy"][0]
    document = pulsecast.check_document(wide)
    assert document["ready"] is False and "fill=" in document["refusal"]
    assert pulsecast.check(wide, fill="linear") is not None


def test_every_setting_is_a_keyword() -> None:
    names = {one["name"] for one in pulsecast.settings()}
    assert {"lookback", "fill", "time_column", "learning_rate"} <= names
    for name in ("lookback", "fill"):
        Forecaster(**{name: None})


@pytest.mark.parametrize("extra", ["sklearn", "sktime", "darts"])
def test_an_extra_that_is_not_installed_is_named(extra: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "numpy", None)
    monkeypatch.delitem(sys.modules, f"pulsecast.{extra}", raising=False)
    with pytest.raises(ModuleNotFoundError, match=rf"pip install 'pulsecast\[{extra}\]'"):
        importlib.import_module(f"pulsecast.{extra}")
