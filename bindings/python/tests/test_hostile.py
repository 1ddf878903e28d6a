"""A thousand frames that nobody should give: each is read or refused, none brings us down."""

from __future__ import annotations

import datetime
import decimal
import os
import random
import warnings
from typing import Any, Callable

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from conftest import SETTINGS, load_values

import pulsecast

FRAMES = int(os.environ.get("PULSECAST_HOSTILE_FRAMES", "1000"))

Spoil = Callable[[random.Random, dict[str, list[Any]]], dict[str, list[Any]]]


def _rows(frame: dict[str, list[Any]]) -> int:
    return len(next(iter(frame.values()), []))


def _cell(value: Any) -> Spoil:
    def spoil(chance: random.Random, frame: dict[str, list[Any]]) -> dict[str, list[Any]]:
        rows = _rows(frame)
        if not frame or rows == 0:
            return frame
        name = chance.choice(list(frame))
        column = list(frame[name])
        for _ in range(chance.choice([1, 3, rows])):
            column[chance.randrange(rows)] = value
        return {**frame, name: column}

    return spoil


def _cut(rows: int) -> Spoil:
    return lambda _, frame: {name: values[:rows] for name, values in frame.items()}


def _drop(chance: random.Random, frame: dict[str, list[Any]]) -> dict[str, list[Any]]:
    gone = chance.choice(list(frame) or [""])
    return {name: values for name, values in frame.items() if name != gone}


def _rename(chance: random.Random, frame: dict[str, list[Any]]) -> dict[str, list[Any]]:
    old = chance.choice(list(frame) or [""])
    new = chance.choice(["", " ", "ds", "y", "unique_id", "a" * 10_000, "ü\u202e", "yhat", "0"])
    return {new if name == old else name: values for name, values in frame.items()}


def _shuffle(chance: random.Random, frame: dict[str, list[Any]]) -> dict[str, list[Any]]:
    order = list(range(_rows(frame)))
    chance.shuffle(order)
    return {name: [values[row] for row in order] for name, values in frame.items()}


def _ids(chance: random.Random, frame: dict[str, list[Any]]) -> dict[str, list[Any]]:
    kinds = [["x" * 100_000], [""], ["a", None], list(range(500)), [1.5], ["\ud800"], ["a\0b"]]
    ids = chance.choice(kinds)
    return {"unique_id": [chance.choice(ids) for _ in range(_rows(frame))], **frame}


def _extreme_stamps(chance: random.Random, frame: dict[str, list[Any]]) -> dict[str, list[Any]]:
    stamps: list[list[Any]] = [
        [datetime.datetime(1, 1, 1) + datetime.timedelta(hours=i) for i in range(_rows(frame))],
        [
            datetime.datetime(9999, 12, 1) + datetime.timedelta(hours=i % 700)
            for i in range(_rows(frame))
        ],
        [datetime.date(2024, 1, 1)] * _rows(frame),
        [10**18 + i for i in range(_rows(frame))],
        [float(i) for i in range(_rows(frame))],
        [f"not a stamp {i}" for i in range(_rows(frame))],
    ]
    return {**frame, "ds": chance.choice(stamps)}


SPOILS: list[Spoil] = [
    *(
        _cell(value)
        for value in (
            *(
                None,
                float("nan"),
                float("inf"),
                -float("inf"),
                1e308,
                -1e-320,
                10**400,
                "text",
                "",
                "1,5",
            ),
            *(object(), [1, 2], {"a": 1}, b"bytes", 1 + 2j, True, decimal.Decimal("1.5"), "\ud800"),
            *(datetime.timedelta(hours=1), datetime.datetime.now(datetime.timezone.utc), pd.NaT),
            *(datetime.datetime(2024, 1, 1), datetime.date(2024, 1, 1), np.float32(2), type),
        )
    ),
    *(_cut(rows) for rows in (0, 1, 2, 3, 20)),
    *(_drop, _rename, _shuffle, _ids, _extreme_stamps),
]


def _clean() -> dict[str, list[Any]]:
    stamps = pd.date_range("2024-01-01", periods=300, freq="h").to_pydatetime().tolist()
    return {"ds": stamps, "load": load_values(300).tolist(), "heat": load_values(300, 1).tolist()}


def _as_pandas(chance: random.Random, frame: dict[str, list[Any]]) -> Any:
    made = pd.DataFrame({name: pd.Series(values, dtype=object) for name, values in frame.items()})
    if chance.random() < 0.5:
        made = made.infer_objects()
    if len(made.columns) and chance.random() < 0.1:
        made = pd.concat([made, made.iloc[:, :1]], axis=1)
    return made


DOORS: list[Callable[[random.Random, dict[str, list[Any]]], Any]] = [
    _as_pandas,
    lambda _, frame: frame,
    lambda _, frame: [dict(zip(frame, row)) for row in zip(*frame.values())],
    lambda _, frame: pl.DataFrame(frame, strict=False),
    lambda _, frame: pa.table(frame),
    lambda _, frame: np.array(frame.get("load", [])),
]


@pytest.mark.filterwarnings("ignore")
def test_each_is_read_or_refused_with_a_reason() -> None:
    settings = {**SETTINGS, "horizon": 6, "lookback": 24}
    read = refused = 0
    for seed in range(FRAMES):
        chance = random.Random(seed)
        frame = _clean()
        for _ in range(chance.choice([1, 1, 2, 4])):
            frame = chance.choice(SPOILS)(chance, frame)
        try:
            given = chance.choice(DOORS)(chance, frame)
        except Exception:  # their library refuses to make it
            given = frame
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                pulsecast.check(given)
                pulsecast.Forecaster(**settings).fit(given).predict()
            read += 1
        except pulsecast.PulsecastError as error:
            assert len(str(error)) > 10, f"frame {seed}"
            refused += 1
        except Exception as error:
            raise AssertionError(
                f"frame {seed} is refused by {type(error).__name__}: {error}"
            ) from error
    assert read > FRAMES // 20 and refused > FRAMES // 20


@pytest.mark.parametrize("what", [None, 3, "no such file.csv", b"bytes", object(), {1, 2}, print])
def test_what_is_no_frame(what: object) -> None:
    with pytest.raises(pulsecast.PulsecastError):
        pulsecast.Forecaster(**SETTINGS).fit(what)
