"""What the members of a model see of a batch of windows.

Values have a row a channel, (batch, channels, steps) with time innermost, and are scaled, as in the
engine; the calendar has (batch, steps).
"""

from __future__ import annotations

from ._calendar import Calendar
from ._graph import Value
from ._model import Member


class Window:
    """As far back as one member looks."""

    def __init__(
        self, member: Member, history: Value, calendar: Calendar, known: Value | None, lookback: int
    ) -> None:
        self.lookback = int(member["lookback"])
        self.horizon = int(member["horizon"])
        self._longest = lookback  # of all members
        self.history = self._past(history, 2)
        self._calendar = calendar
        self._known = known
        self._period = int(member["period"])

    def _past(self, value: Value, axis: int) -> Value:
        """Of values of all steps those of its history."""
        return value.cut(axis, self._longest - self.lookback, self._longest)

    def _future(self, value: Value, axis: int) -> Value:
        return value.cut(axis, self._longest, self._longest + self.horizon)

    def _features(self) -> Value:
        """(batch, all steps, features): of the calendar, then of known columns."""
        each = self._calendar.features()
        if self._known is not None:
            each.append(self._known)
        return each[0].graph.concat(each, 2)

    def history_features(self) -> Value:
        return self._past(self._features(), 1)

    def future_features(self) -> Value:
        return self._future(self._features(), 1)

    def history_phases(self) -> Value:
        return self._past(self._calendar.phases(self._period), 1)

    def future_phases(self) -> Value:
        return self._future(self._calendar.phases(self._period), 1)

    def next_phase(self) -> Value:
        """Of the first step to forecast: (batch, 1)."""
        return self._calendar.phases(self._period).cut(1, self._longest, self._longest + 1)
