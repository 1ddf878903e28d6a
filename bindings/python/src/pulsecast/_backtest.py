"""Forecasts from past origins beside what came."""

from __future__ import annotations

import array
import ctypes
import os
from collections.abc import Iterator
from typing import Any

from . import _engine, _library, _stamps
from ._arrow import Column
from ._errors import UsageError
from ._frames._buffers import plain, texts
from ._pool import Pool
from ._rows import ReadRows
from ._watch import Progress, Watched


def cross_validated(
    rows: ReadRows,
    settings: _engine.Handle,
    pool: Pool,
    progress: Progress,
    n_windows: int,
    step: int,
    refit_every: int,
) -> Any:
    """A row a series, origin and step, in the kind of frame that the rows came in."""
    import csv
    import tempfile

    for name, told in (("n_windows", n_windows), ("step", step)):
        if told < 1:
            raise UsageError(f"{name}={told} is less than 1")
    options = _library.BacktestOptions(size=ctypes.sizeof(_library.BacktestOptions))
    options.threads = pool.handle().pointer
    options.stride, options.origins, options.refit_every = step, n_windows, refit_every
    with tempfile.TemporaryDirectory(prefix="pulsecast-") as folder:
        out = os.path.join(folder, "past.csv")
        options.out = _engine.path_bytes(out)
        with Watched(progress) as watched:
            options.watch = ctypes.pointer(watched.watch)
            _engine.document("backtest", rows.handle, None, settings, ctypes.byref(options))
        with open(out, encoding="utf-8", newline="") as lines:
            return rows.long(_columns(rows, csv.DictReader(lines)))


def _columns(rows: ReadRows, lines: Iterator[dict[str, str]]) -> list[Column]:
    """The forecasts of a file, with a column `y` of what came."""
    truth = _Truth(rows)
    ids: list[str] = []
    stamps, cutoffs = array.array("q"), array.array("q")
    came, forecast = [], []
    for line in lines:
        stamp = _instant(line["ds"])
        ids.append(line["unique_id"])
        stamps.append(_shown(line["ds"], stamp, rows))
        cutoffs.append(_shown(line["cutoff"], _instant(line["cutoff"]), rows))
        came.append(truth.at(line["unique_id"], stamp))
        forecast.append(float(line["yhat"]))
    return [
        texts("unique_id", ids),
        _stamp_column("ds", stamps, rows),
        _stamp_column("cutoff", cutoffs, rows),
        plain("y", came),
        plain("yhat", forecast),
    ]


class _Truth:
    """The values of rows by series and stamp."""

    def __init__(self, rows: ReadRows) -> None:
        self._row = {stamp: row for row, stamp in enumerate(rows.stamps())}
        self._values = {name: rows.values(i) for i, name in enumerate(rows.channels)}

    def at(self, series: str, stamp: int) -> float:
        values, first = self._values[series]
        row = self._row[stamp] - first
        return float(values[row]) if 0 <= row < len(values) else float("nan")


def _instant(text: str) -> int:
    """Milliseconds of UTC of a stamp that the library wrote."""
    return _stamps.milliseconds(_stamps.of_text(text))


def _shown(text: str, instant: int, rows: ReadRows) -> int:
    """The instant, or of naive frames what a clock showed."""
    if not rows.flags & _library.NAIVE_STAMPS:
        return instant
    return _stamps.milliseconds(_stamps.of_text(text).replace(tzinfo=_stamps.UTC))


def _stamp_column(name: str, values: Any, rows: ReadRows) -> Column:
    zone = "" if rows.flags & _library.NAIVE_STAMPS else "UTC"
    return Column(name, "tsm:" + zone, len(values), (None, values.buffer_info()[0]), values)
