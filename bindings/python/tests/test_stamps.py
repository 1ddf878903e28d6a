"""Stamps: as text, as milliseconds, of every unit and zone."""

from __future__ import annotations

import datetime
import pathlib
import types
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from conftest import SETTINGS, wide_frame

import pulsecast
from pulsecast import Forecaster, _stamps


class OlderDatetime(datetime.datetime):
    """As before Python 3.11."""

    @classmethod
    def fromisoformat(cls, text: str) -> OlderDatetime:
        if text.endswith("Z"):
            raise ValueError(f"Invalid isoformat string: {text!r}")
        return super().fromisoformat(text)


def test_z_is_read_by_every_python(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_stamps, "datetime", types.SimpleNamespace(datetime=OlderDatetime))
    expected = datetime.datetime(2024, 1, 31, 12, tzinfo=datetime.timezone.utc)
    assert _stamps.of_text("2024-01-31T12:00:00Z") == expected
    assert _stamps.of_text("2024-01-31T13:00:00.250+01:00") == expected.replace(microsecond=250_000)
    assert _stamps.of_text("2024-01-31 12:00") == expected.replace(tzinfo=None)


def test_only_one_place_reads_iso_texts() -> None:
    sources = pathlib.Path(pulsecast.__file__).parent.rglob("*.py")
    readers = [path.name for path in sources if "fromisoformat(" in path.read_text("utf-8")]
    assert readers == ["_stamps.py"]


def test_milliseconds_are_whole() -> None:
    first = datetime.datetime(2024, 1, 1, tzinfo=datetime.timezone.utc)
    start = 1_704_067_200_000
    for count in range(1000):
        stamp = first + datetime.timedelta(milliseconds=count)
        assert _stamps.milliseconds(stamp) == start + count
    assert _stamps.milliseconds(_stamps.EPOCH - datetime.timedelta(microseconds=1)) == -1
    assert _stamps.milliseconds(datetime.datetime(1970, 1, 1)) == 0


@pytest.mark.parametrize("unit", ["s", "ms", "us", "ns"])
@pytest.mark.parametrize("zone", [None, "UTC", "Europe/Berlin"])
def test_stamps_keep_their_unit_and_zone(wide: pd.DataFrame, unit: str, zone: Any) -> None:
    wide["ds"] = wide["ds"].dt.as_unit(unit)
    if zone is not None:
        wide["ds"] = wide["ds"].dt.tz_localize("UTC").dt.tz_convert(zone)
    made = Forecaster(**SETTINGS).fit(wide).predict()
    assert made["ds"].dtype == wide["ds"].dtype
    assert made["ds"].iloc[0] == wide["ds"].iloc[-1] + pd.Timedelta(hours=1)


@pytest.mark.parametrize("kind", ["offset", "dateutil", "pytz", "text"])
def test_offsets_are_zones_too(wide: pd.DataFrame, kind: str) -> None:
    zoned = wide["ds"].dt.tz_localize("UTC")
    if kind == "offset":
        frame = wide.assign(ds=zoned.dt.tz_convert(datetime.timezone(datetime.timedelta(hours=1))))
    elif kind == "dateutil":
        tz = pytest.importorskip("dateutil.tz")
        frame = wide.assign(ds=zoned.dt.tz_convert(tz.tzoffset(None, 3600)))
    elif kind == "pytz":
        pytz = pytest.importorskip("pytz")
        frame = wide.assign(ds=zoned.dt.tz_convert(pytz.FixedOffset(60)))
    else:
        frame = wide.assign(ds=pd.to_datetime(wide["ds"].dt.strftime("%Y-%m-%dT%H:%M:%S+01:00")))
    made = Forecaster(**SETTINGS).fit(frame).predict()
    assert made["ds"].dtype == frame["ds"].dtype
    assert made["ds"].iloc[0] == frame["ds"].iloc[-1] + pd.Timedelta(hours=1)


@pytest.mark.parametrize("zone", ["+01:00", "Etc/GMT-1"])
def test_offsets_of_arrow_and_polars_come_back(wide: pd.DataFrame, zone: str) -> None:
    stamps = pa.array(wide["ds"], pa.timestamp("us")).cast(pa.timestamp("us", zone))
    table = pa.table({"ds": stamps, "load": wide["load"]})
    made = Forecaster(**SETTINGS).fit(table).predict()
    assert made.schema.field("ds").type == stamps.type
    assert made["ds"][0].value == stamps[-1].value + 3_600_000_000
    if zone.startswith("Etc"):  # polars has zones of names alone
        polars = pl.from_arrow(table)
        assert Forecaster(**SETTINGS).fit(polars).predict()["ds"].dtype == polars["ds"].dtype


@pytest.mark.parametrize("zone", ["+01:00", "Europe/Berlin", None])
def test_stamps_that_pandas_keeps_in_arrow_or_in_objects(wide: pd.DataFrame, zone: Any) -> None:
    zoned = wide["ds"].dt.tz_localize("UTC" if zone else None)
    arrow = wide.assign(ds=zoned.astype(pd.ArrowDtype(pa.timestamp("us", zone))))
    for frame in (arrow, wide.assign(ds=arrow["ds"].astype(object))):
        made = Forecaster(**SETTINGS).fit(frame).predict()
        assert made["ds"].iloc[0] == frame["ds"].iloc[-1] + pd.Timedelta(hours=1)
        assert made["ds"].dtype == arrow["ds"].dtype or frame is not arrow


def test_naive_stamps_of_a_zone_show_its_clock(wide: pd.DataFrame) -> None:
    made = Forecaster(time_zone="America/New_York", **SETTINGS).fit(wide[:700]).predict()
    assert made["ds"].iloc[0] == wide["ds"].iloc[700]


def test_a_naive_origin_is_of_the_zone_of_the_rows(wide: pd.DataFrame) -> None:
    forecaster = Forecaster(time_zone="America/New_York", **SETTINGS).fit(wide)
    zoned = wide["ds"].dt.tz_localize("America/New_York")
    for at in (wide["ds"].iloc[699], str(wide["ds"].iloc[699]), zoned.iloc[699]):
        assert forecaster.predict(at=at)["ds"].iloc[0] == wide["ds"].iloc[700]
    forecaster = Forecaster(**SETTINGS).fit(wide.assign(ds=zoned))
    assert forecaster.predict(at=wide["ds"].iloc[699])["ds"].iloc[0] == zoned.iloc[700]


def test_an_hour_that_a_clock_shows_twice_stays_two_rows() -> None:
    instants = pd.date_range("2024-10-01", periods=650, freq="h", tz="UTC")
    clock = instants.tz_convert("Europe/Berlin").tz_localize(None)
    wide = wide_frame(650).assign(ds=clock)[:-26]  # to the evening before clocks are set back
    wide.loc[620:, "heat"] = np.nan
    settings = {**SETTINGS, "panel": "series", "fill": "none", "time_zone": "Europe/Berlin"}
    made = Forecaster(**settings).fit(wide).predict(include_ended=True)
    assert list(made["ds"]) == list(clock[620:636])
    assert made["ds"].duplicated().sum() == 1
