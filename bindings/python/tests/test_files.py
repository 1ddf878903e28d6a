"""Parquet and Feather files by their paths."""

from __future__ import annotations

import pathlib
import sys

import pandas as pd
import pytest

pa = pytest.importorskip("pyarrow")

from conftest import SETTINGS  # noqa: E402
from pyarrow import feather, parquet  # noqa: E402

import pulsecast  # noqa: E402
from pulsecast import Forecaster, check  # noqa: E402

WRITERS = {
    "rows.parquet": parquet.write_table,
    "rows.feather": feather.write_feather,
    "named-otherwise.dat": parquet.write_table,
}


@pytest.mark.parametrize("name", WRITERS)
def test_they_are_read_as_tables(name: str, long: pd.DataFrame, tmp_path: pathlib.Path) -> None:
    table = pa.Table.from_pandas(long, preserve_index=False)
    path = tmp_path / name
    WRITERS[name](table, path)
    forecaster = Forecaster(**SETTINGS).fit(path)
    made = forecaster.predict()
    assert isinstance(made, pa.Table) and made.equals(forecaster.predict(table))
    assert made.equals(Forecaster(**SETTINGS).fit(table).predict(str(path)))
    assert len(check(path)) == 0


def test_the_wheel_says_what_is_missing(
    long: pd.DataFrame, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "rows.parquet"
    parquet.write_table(pa.Table.from_pandas(long), path)
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(pulsecast.UsageError, match=r"Parquet file.*pip install 'pulsecast\[files\]'"):
        Forecaster(**SETTINGS).fit(path)


@pytest.mark.parametrize("head", [b"PAR1", b"ARROW1", b"FEA1"])
def test_damaged_files(head: bytes, tmp_path: pathlib.Path) -> None:
    path = tmp_path / "rows.parquet"
    path.write_bytes(head + b"\0" * 100)
    with pytest.raises(pulsecast.DataError, match="cannot be read"):
        check(path)


def test_paths_that_are_none(tmp_path: pathlib.Path) -> None:
    for path in (tmp_path / "none.parquet", tmp_path, "a\0b"):
        with pytest.raises(pulsecast.PulsecastError):
            check(path)
