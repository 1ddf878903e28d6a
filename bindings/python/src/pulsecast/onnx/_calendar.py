"""Time in the graph: from the instant of the first step to forecast to calendar features, phases and
groups of rows, as `pulsecast/calendar` computes them.

Where steps have one length and the wall clock one distance from UTC, the graph makes the wall clock of
every step from `start`. Months, business days and zones whose clocks change need a table of zones or
sums that depend on the day: then the wall clock of every step is an input, `wall`.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import numpy

from ._graph import Graph, Value
from ._model import Model

if TYPE_CHECKING:
    from numpy.typing import NDArray

DAY = 86_400_000  # milliseconds
FIRST_MONDAY = 4 * DAY  # 1970-01-05

# What a feature is divided by, so that it lies within half a unit of 0.
_LARGEST = {
    "minute_of_hour": 59.0,
    "hour_of_day": 23.0,
    "day_of_week": 6.0,
    "day_of_month": 30.0,
    "day_of_year": 365.0,
    "month_of_year": 11.0,
    "season_of_year": 3.0,
}
_HOLIDAY = "holiday_"


def fixed_offset(zone: str) -> int | None:
    """Milliseconds between a zone's wall clock and UTC, of zones that are defined by that alone.

    >>> fixed_offset("UTC"), fixed_offset("Etc/GMT-2"), fixed_offset("Europe/Berlin")
    (0, 7200000, None)
    """
    if zone in ("UTC", "Etc/UTC", "GMT", "Etc/GMT"):
        return 0
    told = re.fullmatch(r"Etc/GMT([+-]\d+)", zone)
    return None if told is None else -int(told[1]) * 3_600_000


def reads_start(model: Model) -> bool:
    """Whether the wall clock follows from the instant of the first step to forecast."""
    return model.step.unit in ("ms", "day") and fixed_offset(model.time["zone"]) is not None


class Calendar:
    """Of the newest rows and the steps to forecast, made as far as it is asked for."""

    def __init__(self, graph: Graph, model: Model) -> None:
        self._graph = graph
        self._model = model
        self._steps = numpy.arange(-model.lookback, model.horizon)
        self._made: dict[str, Value] = {}

    def _once(self, name: str, make: Any) -> Value:
        if name not in self._made:
            self._made[name] = make()
        return self._made[name]

    # (batch, lookback + horizon), whole numbers, from here on

    def _start(self) -> Value:
        meaning = "instant of the first step to forecast: milliseconds since 1970-01-01 00:00 UTC"
        return self._graph.input("start", numpy.int64, ("batch",), meaning)

    def _wall(self) -> Value:
        """Milliseconds of the wall clock."""
        return self._once("wall", self._make_wall)

    def _make_wall(self) -> Value:
        if not reads_start(self._model):
            meaning = (
                f"wall clock in {self._model.time['zone']} of each row of values and then of each step "
                "to forecast: milliseconds since 1970-01-01 00:00 of that clock"
            )
            steps = len(self._steps)
            return self._graph.input("wall", numpy.int64, ("batch", steps), meaning)
        step = self._model.step
        length = step.count * (DAY if step.unit == "day" else 1)
        offset = fixed_offset(self._model.time["zone"]) or 0
        return self._start().reshape(-1, 1) + (self._steps * length + offset)

    def _days(self) -> Value:
        """Since 1970-01-01."""
        return self._once("days", lambda: self._wall() // DAY)

    def _weekday(self) -> Value:
        """From Monday = 0."""
        return self._once("weekday", lambda: (self._days() - 4) % 7)

    def _hour(self) -> Value:
        return self._once("hour", lambda: self._wall() % DAY // 3_600_000)

    def _civil(self, part: str) -> Value:
        """Year, month (1 to 12), day of month and day of year (from 1), by the Gregorian calendar whose
        years begin in March, so that the leap day is the last."""
        if part in self._made:
            return self._made[part]
        days = self._days() + 719_468  # since 0000-03-01
        era = days // 146_097
        day = days % 146_097
        year = (day - day // 1460 + day // 36_524 - day // 146_096) // 365
        since_march = day - (year * 365 + year // 4 - year // 100)
        march = (since_march * 5 + 2) // 153  # months since March
        begins = march.is_at_least(10)  # January and February are the next year's
        whole = year + era * 400 + begins.cast(numpy.int64)
        leap = (whole % 4).equals(0).cast(numpy.int64)
        leap = leap - (whole % 100).equals(0).cast(numpy.int64)
        leap = leap + (whole % 400).equals(0).cast(numpy.int64)
        self._made["year"] = whole
        self._made["month"] = (march + 2) % 12 + 1
        self._made["day"] = since_march - (march * 153 + 2) // 5 + 1
        self._made["day of year"] = begins.where(since_march - 305, since_march + leap + 60)
        return self._made[part]

    def _count(self, feature: str) -> Value:
        """What a feature scales."""
        if feature == "minute_of_hour":
            return self._wall() % 3_600_000 // 60_000
        if feature == "hour_of_day":
            return self._hour()
        if feature == "day_of_week":
            return self._weekday()
        if feature == "day_of_month":
            return self._civil("day") - 1
        if feature == "day_of_year":
            return self._civil("day of year") - 1
        if feature == "month_of_year":
            return self._civil("month") - 1
        return (self._civil("month") // 3 + 3) % 4  # from March to May = 0

    def features(self) -> list[Value]:
        """(batch, lookback + horizon, 1) each, in the model's order."""
        told: list[str] = self._model.time["features"]
        countries = [name[len(_HOLIDAY) :] for name in told if name.startswith(_HOLIDAY)]
        values = []
        for name in told:
            if name.startswith(_HOLIDAY):
                place = countries.index(name[len(_HOLIDAY) :])
                values.append(self._holidays(countries).cut(2, place, place + 1) - 0.5)
                continue
            scaled = self._count(name).cast(numpy.float32) / _LARGEST[name] - 0.5
            values.append(scaled.reshape(0, 0, 1))
        return values

    def _holidays(self, countries: list[str]) -> Value:
        meaning = (
            "1 on a holiday and else 0, of each row of values and then of each step to forecast, in "
            + ", ".join(countries)
        )
        sizes = ("batch", len(self._steps), len(countries))
        return self._graph.input("holidays", numpy.float32, sizes, meaning)

    def _units(self) -> Value:
        """Whole steps of the wall clock since 1970-01-05."""
        return self._once("units", self._make_units)

    def _make_units(self) -> Value:
        step = self._model.step
        if step.unit == "ms":
            return (self._wall() - FIRST_MONDAY) // step.count
        if step.unit == "day":
            return (self._wall() - FIRST_MONDAY) // (step.count * DAY)
        if step.unit == "business day":
            days = self._days() - 4
            weekday = self._weekday()
            # A weekend goes with the Friday before it.
            friday = weekday.is_at_least(4).where(weekday * 0 + 4, weekday)
            return (days // 7 * 5 + friday) // step.count
        months = (self._civil("year") - 1970) * 12 + self._civil("month") - 1
        return months // step.count

    def phases(self, period: int) -> Value:
        """Of each step, in [0, period)."""
        return self._once(f"phases of {period}", lambda: self._make_phases(period))

    def _make_phases(self, period: int) -> Value:
        if self._model.time["phase"] == "timestamp":
            return self._units() % period
        return (self._rows() + self._steps) % period

    def _rows(self) -> Value:
        """From the first row of training to the first to forecast: (batch, 1)."""
        if self._model.setting("data", "grid") == "rows":
            # Rows that are taken as they are need not be evenly spaced: their number is not their time.
            meaning = "number of the first row to forecast, that of `first_row` in training being 0"
            return self._graph.input("row", numpy.int64, ("batch",), meaning).reshape(-1, 1)
        step = self._model.step
        origin = int(self._model.time["phase_origin"])
        if step.unit == "ms" or reads_start(self._model):
            length = step.count * (DAY if step.unit == "day" else 1)
            return (self._start().reshape(-1, 1) - origin) // length
        first = self._units().cut(1, self._model.lookback, self._model.lookback + 1)
        return first - units_at(wall_of(origin, self._model.time["zone"]), self._model)

    def groups(self, count: int) -> Value:
        """Of rows of which effects have weights of their own, told by how many there are."""
        if count == 48:
            return self._hour() + self._weekday().is_at_least(5).cast(numpy.int64) * 24
        return self._weekday() if count == 7 else self._civil("month") - 1


def wall_of(instant: int, zone: str) -> int:
    """Milliseconds of a zone's wall clock at an instant.

    >>> wall_of(0, "Etc/GMT-1")
    3600000
    """
    offset = fixed_offset(zone)
    if offset is None:
        import datetime
        import zoneinfo

        at = datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)
        at += datetime.timedelta(milliseconds=instant)
        there = at.astimezone(zoneinfo.ZoneInfo(zone)).utcoffset() or datetime.timedelta()
        offset = round(there.total_seconds() * 1000)
    return instant + offset


def units_at(wall: int, model: Model) -> int:
    """Whole calendar steps up to one moment of the wall clock, counted as in the graph."""
    day = wall // DAY
    if model.step.unit == "day":
        return (wall - FIRST_MONDAY) // (model.step.count * DAY)
    if model.step.unit == "business day":
        weeks, weekday = divmod(day - 4, 7)
        return (5 * weeks + min(weekday, 4)) // model.step.count
    date: NDArray[Any] = numpy.array(day, dtype="datetime64[D]").astype("datetime64[M]")
    return int(date.astype(numpy.int64)) // model.step.count
