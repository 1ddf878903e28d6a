"""Frames through the Arrow interface: read back by pyarrow, they are what they were."""

from __future__ import annotations

import datetime
import gc

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from pulsecast import _arrow
from pulsecast._arrow import Batch, Column
from pulsecast._errors import DataError
from pulsecast._frames import open_frame
from pulsecast._frames._buffers import address_of, numbers, to_list, to_numpy


class Streamed:
    """A stream of ours for pyarrow to read, as the engine does."""

    def __init__(self, stream: _arrow.ArrowArrayStream) -> None:
        self.stream = stream

    def read(self) -> pa.Table:
        import ctypes

        return pa.RecordBatchReader._import_from_c(ctypes.addressof(self.stream)).read_all()


def read_back(frame: object, unread: tuple[str, ...] = ()) -> pa.Table:
    rows = open_frame(frame).rows(unread)
    return Streamed(rows.stream).read()


def test_numbers_of_pandas_are_not_copied() -> None:
    frame = pd.DataFrame({"a": np.arange(1000.0), "b": np.arange(1000, dtype="i4")})
    table = read_back(frame)
    for name in frame:
        theirs = table.column(name).chunk(0).buffers()[1].address
        assert theirs == address_of(frame[name].to_numpy())


def test_every_kind_of_pandas_column() -> None:
    frame = pd.DataFrame(
        {
            "float": [1.5, np.nan],
            "whole": pd.array([1, None], dtype="Int64"),
            "flag": [True, False],
            "small": np.array([1, 2], dtype="u1"),
            "stamp": pd.to_datetime(["2024-01-01", None]),
            "zoned": pd.to_datetime(["2024-01-01", "2024-06-01"]).tz_localize("Europe/Berlin"),
            "text": ["a", None],
            "group": pd.Categorical(["x", None]),
            "objects": np.array(["p", None], dtype=object),
            "arrow": pd.array(["q", "r"], dtype=pd.ArrowDtype(pa.string())),
            "period": pd.period_range("2024-01", periods=2, freq="M"),
            "decimal": np.array([1, None], dtype=object),
        }
    )
    table = read_back(frame).to_pydict()
    assert table["float"][0] == 1.5 and np.isnan(table["float"][1])
    assert table["whole"][0] == 1.0 and np.isnan(table["whole"][1])
    assert table["flag"] == [1, 0]
    assert table["small"] == [1, 2]
    assert [str(one) for one in table["stamp"]] == ["2024-01-01 00:00:00", "None"]
    assert table["zoned"] == list(frame["zoned"])
    assert table["text"] == ["a", None] and table["group"] == ["x", None]
    assert table["objects"] == ["p", None] and table["arrow"] == ["q", "r"]
    assert str(table["period"][1]) == "2024-02-01 00:00:00"
    assert table["decimal"][0] == 1.0 and np.isnan(table["decimal"][1])


def test_an_index_of_stamps_is_a_column() -> None:
    index = pd.date_range("2024-01-01", periods=3, freq="h", name="when")
    table = read_back(pd.DataFrame({"y": [1.0, 2.0, 3.0]}, index=index))
    assert table.column_names == ["when", "y"]
    assert read_back(pd.Series([1.0, 2.0, 3.0], index=index, name="z")).column_names == ["when", "z"]


def test_columns_that_are_not_read_may_hold_anything() -> None:
    frame = pd.DataFrame({"y": [1.0], "notes": [object()]})
    assert read_back(frame, ("notes",)).to_pydict() == {"y": [1.0], "notes": [None]}
    with pytest.raises(DataError, match="column 'notes' holds objects of several kinds"):
        read_back(frame)


def test_polars_and_pyarrow_go_through_as_they_are() -> None:
    table = pa.table({"y": [1.0, None], "id": pa.array(["a", "b"]).dictionary_encode()})
    assert read_back(table).to_pydict() == {"y": [1.0, None], "id": ["a", "b"]}
    assert read_back(pl.DataFrame(table)).to_pydict() == {"y": [1.0, None], "id": ["a", "b"]}
    assert read_back(pl.DataFrame({"y": [1.0], "z": [None]})).to_pydict() == {"y": [1.0], "z": [None]}
    assert read_back(pl.LazyFrame({"y": [1.0]})).to_pydict() == {"y": [1.0]}
    with pytest.raises(DataError, match="Python objects"):
        read_back(pl.DataFrame({"y": [object()]}))
    assert read_back(table.to_batches()[0]).num_rows == 2


def test_plain_values() -> None:
    day = datetime.date(2024, 1, 2)
    table = read_back({"ds": [day, None], "y": [1, None], "id": ["a", "ü"]}).to_pydict()
    assert str(table["ds"][0]) == "2024-01-02 00:00:00" and table["ds"][1] is None
    assert table["y"][0] == 1.0 and np.isnan(table["y"][1])
    assert table["id"] == ["a", "ü"]
    assert read_back([{"y": 1.0}, {"y": 2.0, "z": 3.0}]).column_names == ["y", "z"]
    assert read_back([1, 2, 3]).to_pydict() == {"y": [1.0, 2.0, 3.0]}
    assert read_back(np.ones((4, 2))).column_names == ["y0", "y1"]


@pytest.mark.parametrize(
    "kind",
    [
        *("M8[10ms]", "M8[500us]", "M8[100ns]", ">M8[s]", ">M8[ms]", ">M8[us]", ">M8[ns]"),
        *("M8[h]", ">M8[h]", "M8[6h]", "M8[m]", "M8[15m]", "M8[ps]"),
    ],
)
def test_stamps_of_every_unit_and_order_of_bytes(kind: str) -> None:
    # M8[ps] reaches 106 days from 1970.
    stamps = np.array(["1970-02-01T06:00", "NaT", "1970-02-03T18:00"], "M8[s]").astype(kind)
    table = read_back({"ds": stamps, "y": [1.0, 2.0, 3.0]}).to_pydict()
    assert [one and str(one) for one in table["ds"]] == [
        *("1970-02-01 06:00:00", None, "1970-02-03 18:00:00"),
    ]


@pytest.mark.parametrize(
    ("frame", "message"),
    [
        ({"y": [1.0, "a"]}, "text among numbers, in row 1"),
        ({"y": [1.0, object()]}, "what is no number, in row 1: object"),
        ({"y": [10**400]}, "a number beyond"),
        ({"y": [1.0], "z": [1.0, 2.0]}, "different lengths"),
        ({"y": 3.0}, "a float"),
        ({"y": np.ones((2, 2))}, "2 dimensions"),
        ({"ds": [datetime.datetime(2024, 1, 1), datetime.datetime.now(datetime.timezone.utc)]}, "zone"),
        (np.ones((2, 2, 2)), "3 dimensions"),
        (np.array(["a"]), "holds no numbers"),
        (pd.DataFrame({"y": [1 + 2j]}), "complex128"),
        (pd.DataFrame({"y": pd.to_timedelta([1])}), "timedelta"),
    ],
)
def test_what_cannot_be_read_is_said(frame: object, message: str) -> None:
    with pytest.raises(DataError, match=message):
        read_back(frame)


def test_columns_of_another_library_are_seen_as_they_are() -> None:
    batch = pa.record_batch(
        {
            "n": pa.array([1.0, None, 3.0]),
            "t": pa.array(["a", None, "c"]),
            "w": pa.array([0, 1, None], pa.timestamp("ms", "UTC")),
            "d": pa.array(["x", "y", "x"]).dictionary_encode(),
            "b": pa.array([True, False, None]),
        }
    )
    schema, array = _arrow.ArrowSchema(), _arrow.ArrowArray()
    import ctypes

    batch._export_to_c(ctypes.addressof(array), ctypes.addressof(schema))
    columns = {column.name: column for column in _arrow.columns_of(_arrow.Owned(schema, array))}
    assert to_list(columns["n"]) == [1.0, None, 3.0]
    assert np.isnan(to_numpy(columns["n"])[1])
    assert to_list(columns["t"]) == ["a", None, "c"]
    assert to_list(columns["d"].part(1, 2)) == ["y", "x"]
    assert to_list(columns["w"])[1].microsecond == 1000
    assert to_list(columns["b"]) == [True, False, None]


def test_what_is_handed_out_is_given_back() -> None:
    values = np.arange(10.0)
    for _ in range(3):
        column = numbers("y", values)
        assert pa.table(Batch([column])).column("y").to_pylist() == list(values)
        pl.DataFrame(Batch([column]))
        Batch([column]).__arrow_c_stream__()  # nobody takes it
    del column
    gc.collect()
    assert not _arrow._kept
    assert not _arrow._handed_out


def test_a_part_of_a_column_is_the_same_memory() -> None:
    column = numbers("y", np.arange(10.0)).part(2, 3)
    assert isinstance(column, Column)
    assert pa.table(Batch([column])).column("y").to_pylist() == [2.0, 3.0, 4.0]
