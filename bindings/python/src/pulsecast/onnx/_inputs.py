"""What a file of ONNX says of itself, and inputs that are more than rows and an instant."""

from __future__ import annotations

import bisect
import datetime
import json
from typing import TYPE_CHECKING, Any, Union

import numpy

from .. import _stamps
from .._errors import InputOutputError, ModelFileError, UsageError
from ._calendar import DAY, wall_of
from ._model import Step
from ._package import package

if TYPE_CHECKING:
    import os

    from numpy.typing import ArrayLike, NDArray

Start = Union[int, datetime.datetime, numpy.datetime64]

_LEAST_SCALE = 0.05  # of the deviation


def describe(path: str | os.PathLike[str]) -> dict[str, Any]:
    """What `export` wrote of the model: channels, step, zone, lookback, horizon, and what inputs are.

    Without this package: `json.loads(session.get_modelmeta().custom_metadata_map["pulsecast"])`.
    """
    onnx = package()
    try:
        told = {entry.key: entry.value for entry in onnx.load(path).metadata_props}
    except OSError as error:
        message = f"{str(path)!r} cannot be read: {error.strerror}"
        raise InputOutputError(message, where=str(path)) from error
    except Exception:  # of protocol buffers, whose kinds differ by version
        told = {}
    if "pulsecast" not in told:
        raise ModelFileError(f"{str(path)!r} is no file that export_onnx wrote", where=str(path))
    about: dict[str, Any] = json.loads(told["pulsecast"])
    return about


def wall_clock(about: dict[str, Any], start: Start) -> NDArray[numpy.int64]:
    """The input `wall` of one window (lookback + horizon), for files that have it.

    start: of the first step to forecast; a datetime, or NumPy's, which is of the model's zone where it
        names none, or milliseconds since 1970 in UTC.

    >>> about = {"step": "1me", "zone": "UTC", "lookback": 2, "horizon": 1}
    >>> clock = wall_clock(about, datetime.datetime(2024, 2, 29))
    >>> clock.astype("datetime64[ms]").astype("datetime64[D]").astype(str).tolist()
    ['2023-12-31', '2024-01-31', '2024-02-29']
    """
    step, zone = Step(about["step"]), str(about["zone"])
    steps = numpy.arange(-about["lookback"], about["horizon"]) * step.count
    if step.unit == "ms":
        return numpy.array([wall_of(_instant(start, zone) + int(n), zone) for n in steps])
    wall = wall_of(_instant(start, zone), zone)
    day, time = divmod(wall, DAY)
    if step.unit == "day":
        return wall + steps * DAY
    first = numpy.datetime64(day, "D")
    if step.unit == "business day":
        days = numpy.busday_offset(first, steps, roll="backward")
    else:
        months = first.astype("datetime64[M]") + steps.astype("timedelta64[M]")
        last = (months + numpy.timedelta64(1, "M")).astype("datetime64[D]") - numpy.timedelta64(1, "D")
        of_month = first - first.astype("datetime64[M]").astype("datetime64[D]")
        days = months.astype("datetime64[D]") + of_month
        days = last if step.unit == "month end" else numpy.minimum(days, last)
    return days.astype(numpy.int64) * DAY + time


def _instant(start: Start, zone: str) -> int:
    if isinstance(start, numpy.datetime64):
        start = start.astype("datetime64[ms]").item()
    if isinstance(start, datetime.datetime):
        if start.tzinfo is not None:
            return _stamps.milliseconds(start)
        naive = _stamps.milliseconds(start.replace(tzinfo=datetime.timezone.utc))
        # The wall clock's distance from UTC is that of an instant close by.
        near = naive - (wall_of(naive, zone) - naive)
        return naive - (wall_of(near, zone) - near)
    if isinstance(start, (int, numpy.integer)):
        return int(start)
    raise UsageError(
        f"{start!r} is no instant", advice="give a datetime, or milliseconds since 1970 in UTC"
    )


def new_series(about: dict[str, Any], values: ArrayLike) -> tuple[float, float]:
    """Mean and scale of a series that the model was trained without, from the rows that it sees.

    Those of training are in `about["series"]`.

    >>> new_series({"period": 2, "lookback": 4}, [1.0, 2.0, 3.0, 6.0, 5.0])
    (4.0, 1.5811388300841898)
    """
    seen = numpy.asarray(values, dtype=numpy.float64).ravel()[-about["lookback"] :]
    there = seen[~numpy.isnan(seen)]
    if len(there) == 0:
        raise UsageError("the series has no value")
    if there.min() == there.max():
        return float(there[0]), 1.0
    mean, deviation = float(there.mean()), float(there.std())
    period = int(about["period"])
    changes = numpy.abs(seen[period:] - seen[:-period])
    changes = changes[~numpy.isnan(changes)]
    if len(changes) == 0:
        return mean, deviation
    return mean, float(numpy.clip(changes.mean(), _LEAST_SCALE * deviation, deviation))


def profile_of(about: dict[str, Any], values: dict[str, Any]) -> NDArray[numpy.float64]:
    """The input `profile` of one series, from the values of its static columns.

    A value that no series of training had adds nothing.

    >>> regions = {"column": "region", "texts": ["east", "west"]}
    >>> profile_of({"statics": [regions], "profiles": [[1.0], [2.0]]}, {"region": "west"}).tolist()
    [2.0]
    """
    if "profiles" not in about:
        raise UsageError("the model has no static columns", advice="its file takes no input `profile`")
    profiles = numpy.array(about["profiles"])
    total = numpy.zeros(profiles.shape[1])
    first = 0
    for column in about["statics"]:
        value = values.get(column["column"], "")
        texts, bounds = column.get("texts", []), column.get("bounds", [])
        if bounds and value != "":
            total += profiles[first + bisect.bisect_right(bounds, float(value))]
        elif str(value) in texts:
            total += profiles[first + texts.index(str(value))]
        first += len(bounds) + 1 if bounds else len(texts)
    return total
