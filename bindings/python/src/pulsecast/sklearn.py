"""A forecaster with the manners of scikit-learn.

Rows of X and y are steps of time, in their order and evenly spaced; X are columns that are known in
advance. `predict(X)` forecasts the rows that follow those of `fit`, one for each row of X.

>>> import numpy
>>> from pulsecast.sklearn import PulsecastRegressor
>>> hours = numpy.arange(24 * 20)
>>> X, y = (hours % 168 < 120)[:, None].astype(float), 10.0 + hours % 24
>>> PulsecastRegressor(horizon=24, lookback=48).fit(X[:-24], y[:-24]).predict(X[-24:]).shape
(24,)
"""

from __future__ import annotations

from typing import Any

try:
    import numpy
    from sklearn.base import BaseEstimator, RegressorMixin
    from sklearn.utils.validation import check_is_fitted, validate_data
except ModuleNotFoundError as missing:
    raise ModuleNotFoundError(
        f"pulsecast.sklearn needs {missing.name}: pip install 'pulsecast[sklearn]'", name=missing.name
    ) from None

from ._lookback import usual_lookback
from .forecaster import Forecaster


class PulsecastRegressor(RegressorMixin, BaseEstimator):  # type: ignore[misc]
    """Forecasts y, whose rows are steps of time, with columns X that are known in advance.

    horizon: rows of one forecast; those that `predict` is asked for beyond it are forecast from
        forecasts. None: an eighth of the rows of `fit`, at most 24.
    lookback: rows that a forecast sees; None: four horizons, at most a quarter of the rows.
    start, step: the stamp of the first row and the time from one to the next, for the calendar.
    settings: others, as a dictionary.
    """

    def __init__(
        self,
        horizon: int | None = None,
        *,
        lookback: int | None = None,
        model: str = "linear",
        start: str = "2000-01-01",
        step: str = "1h",
        threads: int = 0,
        settings: dict[str, Any] | None = None,
    ) -> None:
        self.horizon = horizon
        self.lookback = lookback
        self.model = model
        self.start = start
        self.step = step
        self.threads = threads
        self.settings = settings

    def fit(self, X: Any, y: Any) -> PulsecastRegressor:
        """Learns from rows of the past."""
        X, y = validate_data(self, X, y, y_numeric=True, dtype=numpy.float64, ensure_min_samples=2)
        self.horizon_ = self.horizon or max(1, min(24, len(y) // 8))
        lookback = self.lookback or usual_lookback(self.horizon_, len(y))
        self.forecaster_ = Forecaster(
            self.horizon_,
            lookback=lookback,
            model=self.model,
            start=self.start,
            step=self.step,
            threads=self.threads,
            target="y",
            known=[f"x{i}" for i in range(X.shape[1])],
            **(self.settings or {}),
        ).fit(_frame(X, y))
        self.history_ = (X, y.astype(numpy.float64))
        return self

    def predict(self, X: Any) -> Any:
        """The rows that follow those of `fit`, one for each row of X."""
        check_is_fitted(self)
        X = validate_data(self, X, reset=False, dtype=numpy.float64)
        seen, y = self.history_
        for first in range(0, len(X), self.horizon_):
            part = X[first : first + self.horizon_]
            missing = self.horizon_ - len(part)
            ahead = numpy.concatenate([part, numpy.repeat(part[-1:], missing, axis=0)])
            open_rows = numpy.full(self.horizon_, numpy.nan)
            rows = _frame(numpy.concatenate([seen, ahead]), numpy.concatenate([y, open_rows]))
            made = self.forecaster_.predict(rows)["y"][: len(part)]
            seen, y = numpy.concatenate([seen, part]), numpy.concatenate([y, made])
        return y[len(y) - len(X) :]


def _frame(X: Any, y: Any) -> dict[str, Any]:
    return {"y": y, **{f"x{i}": X[:, i] for i in range(X.shape[1])}}
