"""A forecaster of sktime."""

from __future__ import annotations

from typing import Any

try:
    import numpy
    import pandas
    from sktime.forecasting.base import BaseForecaster, ForecastingHorizon
except ModuleNotFoundError as missing:
    raise ModuleNotFoundError(
        f"pulsecast.sktime needs {missing.name}: pip install 'pulsecast[sktime]'", name=missing.name
    ) from None

from ._lookback import usual_lookback
from .forecaster import Forecaster


class PulsecastForecaster(BaseForecaster):  # type: ignore[misc]
    """Forecasts y, one column or several together, with columns X that are known in advance.

    A model has a horizon, which is the last step of `fh`: that is needed in `fit`.

    lookback: rows that a forecast sees; None: four horizons, at most a quarter of the rows.
    model: None searches within a budget, `settings={"budget": "2m"}`.
    start, step: the stamp of the first row and the time from one to the next, for the calendar, where
        the index is of numbers.
    settings: others, as a dictionary.

    >>> import numpy, pandas
    >>> from pulsecast.sktime import PulsecastForecaster
    >>> hours = pandas.period_range("2024-01-01", periods=24 * 20, freq="h")
    >>> y = pandas.Series(10.0 + numpy.arange(len(hours)) % 24, hours, name="load")
    >>> PulsecastForecaster(lookback=48).fit(y, fh=[1, 2, 24]).predict().round().tolist()
    [10.0, 11.0, 33.0]
    """

    _tags = {
        "authors": ["Pulsecast"],
        "maintainers": ["Pulsecast"],
        "python_dependencies": "pulsecast",
        "capability:multivariate": True,
        "capability:exogenous": True,
        "capability:categorical_in_X": False,
        "capability:non_contiguous_X": False,
        "capability:insample": False,
        "capability:missing_values": False,
        "capability:update": True,
        "y_inner_mtype": "pd.DataFrame",
        "X_inner_mtype": "pd.DataFrame",
        "requires-fh-in-fit": True,
    }

    def __init__(
        self,
        lookback: int | None = None,
        model: str | None = "linear",
        start: str = "2000-01-01",
        step: str = "1h",
        threads: int = 0,
        settings: dict[str, Any] | None = None,
    ) -> None:
        self.lookback = lookback
        self.model = model
        self.start = start
        self.step = step
        self.threads = threads
        self.settings = settings
        super().__init__()

    def _fit(self, y: Any, X: Any, fh: Any) -> PulsecastForecaster:
        self.horizon_ = max(1, int(max(fh.to_relative(self.cutoff))))
        self.history_ = (y, X)
        self._learn()
        return self

    def _learn(self) -> None:
        y, X = self.history_
        lookback = self.lookback or usual_lookback(self.horizon_, len(y))
        self.forecaster_ = Forecaster(
            self.horizon_,
            lookback=lookback,
            model=self.model,
            threads=self.threads,
            progress=False,
            time_column="ds",
            target=[f"y{i}" for i in range(len(y.columns))],
            known=[f"x{i}" for i in range(0 if X is None else len(X.columns))],
            **(self.settings or {}),
        ).fit(self._rows(y, X))

    def _predict(self, fh: Any, X: Any) -> Any:
        y, seen = self.history_
        if seen is not None:
            steps = ForecastingHorizon(range(1, self.horizon_ + 1), is_relative=True, freq=fh.freq)
            ahead = steps.to_absolute_index(self.cutoff)
            # The steps of fh need not reach to the model's horizon.
            seen = _joined(seen, X).reindex(y.index.append(ahead)).ffill()
            y = y.reindex(seen.index)
        made = self.forecaster_.predict(self._rows(y, seen))
        rows = numpy.asarray(fh.to_relative(self.cutoff), dtype=int) - 1
        values = {name: made[f"y{i}"][rows] for i, name in enumerate(self.history_[0].columns)}
        return pandas.DataFrame(values, index=fh.to_absolute_index(self.cutoff))

    def _update(self, y: Any, X: Any = None, update_params: bool = True) -> PulsecastForecaster:
        seen, known = self.history_
        self.history_ = (_joined(seen, y), None if known is None else _joined(known, X))
        if update_params:
            self._learn()
        return self

    def _rows(self, y: Any, X: Any) -> dict[str, Any]:
        index = y.index
        if isinstance(index, pandas.PeriodIndex):
            stamps = index.to_timestamp()
        elif isinstance(index, pandas.DatetimeIndex):
            stamps = index.tz_localize(None)
        else:
            # Of numbers: the first row that was ever seen has the stamp `start`.
            rows = numpy.asarray(index) - int(self.history_[0].index[0])
            stamps = pandas.Timestamp(self.start) + pandas.Index(rows) * pandas.Timedelta(self.step)
        columns: dict[str, Any] = {"ds": stamps.to_numpy()}
        columns.update({f"y{i}": y.iloc[:, i].to_numpy(float) for i in range(len(y.columns))})
        if X is not None:
            columns.update({f"x{i}": X.iloc[:, i].to_numpy(float) for i in range(len(X.columns))})
        return columns

    @classmethod
    def get_test_params(cls, parameter_set: str = "default") -> list[dict[str, Any]]:
        """Parameters with which sktime tests this class."""
        return [{"threads": 1}, {"threads": 1, "lookback": 3, "settings": {"anchor": False}}]


def _joined(rows: Any, newer: Any) -> Any:
    """The rows of both; where both have one, the newer."""
    if newer is None:
        return rows
    both: Any = pandas.concat([rows, newer])
    return both[~both.index.duplicated(keep="last")].sort_index()
