"""A forecasting model of darts: global, so trained on one TimeSeries or many, and applied to others.

>>> import numpy
>>> from darts import TimeSeries
>>> from pulsecast.darts import PulsecastModel
>>> series = TimeSeries.from_values(10.0 + numpy.arange(24 * 20) % 24)
>>> PulsecastModel(48, 12).fit(series).predict(3).values().round().flatten().tolist()
[10.0, 11.0, 12.0]
"""

from __future__ import annotations

from typing import Any

import numpy
import pandas
from darts import TimeSeries
from darts.models.forecasting.forecasting_model import GlobalForecastingModel

from .forecaster import Forecaster


class PulsecastModel(GlobalForecastingModel):  # type: ignore[misc]
    """Forecasts each component of a series by itself, by weights that all share.

    input_chunk_length: rows that a forecast sees.
    output_chunk_length: rows of one forecast; those that `predict` is asked for beyond it are forecast
        from forecasts.
    model: None searches within a budget, `budget="2m"`.
    start, step: the stamp of row 0 and the time from one to the next, for the calendar, where the
        index is of numbers.
    Other keywords are settings (`pulsecast.settings()`).

    Future covariates are columns that are known in advance. Past covariates are used by no model yet.
    Forecasts are deterministic. A series is scaled by its own newest rows, also one of training, so
    that `predict(n)` is `predict(n, series=...)` of the same series.
    """

    def __init__(
        self,
        input_chunk_length: int,
        output_chunk_length: int,
        model: str | None = "linear",
        start: str = "2000-01-01",
        step: str = "1h",
        threads: int = 0,
        add_encoders: dict[str, Any] | None = None,
        **settings: Any,
    ) -> None:
        super().__init__(add_encoders=add_encoders)
        self.input_chunk_length = input_chunk_length
        self._horizon = output_chunk_length
        self.model = model
        self.start = start
        self.step = step
        self.threads = threads
        self.settings = settings
        self._forecaster: Forecaster | None = None

    # Learning and forecasting

    def fit(
        self,
        series: Any,
        past_covariates: Any = None,
        future_covariates: Any = None,
        verbose: bool | None = None,
    ) -> PulsecastModel:
        """Learns from one series or several, which have the same components."""
        if past_covariates is not None:
            raise ValueError("PulsecastModel does not use past covariates.")
        if self.encoders is not None and self.encoders.encoding_available:
            self.encoders: Any = self.initialize_encoders()
            _, future_covariates = self.generate_fit_encodings(
                series=series, past_covariates=None, future_covariates=future_covariates
            )
        super().fit(series, None, future_covariates, verbose=verbose)
        many, covariates = _listed(series), _listed(future_covariates)
        if covariates and len(covariates) != len(many):
            raise ValueError("future_covariates must be as many as series.")
        self._known = covariates[0].width if covariates else 0
        self._forecaster = Forecaster(
            self._horizon,
            lookback=self.input_chunk_length,
            model=self.model,
            panel="series",
            layout="long",
            known=[f"x{i}" for i in range(self._known)],
            threads=self.threads,
            progress=bool(verbose),
            **self.settings,
        ).fit(self._rows(many, covariates, "training "))
        self._forecaster._frame = None  # darts keeps the series, and `save(clean=True)` leaves it out
        return self

    def predict(
        self,
        n: int,
        series: Any = None,
        past_covariates: Any = None,
        future_covariates: Any = None,
        num_samples: int = 1,
        verbose: bool | None = None,
        predict_likelihood_parameters: bool = False,
        show_warnings: bool = True,
        random_state: int | None = None,
    ) -> Any:
        """The next n values of one series or several; of none: those of the series of `fit`."""
        if past_covariates is not None:
            raise ValueError("PulsecastModel does not use past covariates.")
        if series is None:
            if self.training_series is None:
                raise ValueError("This model was trained on several series: give one, or more.")
            series = self.training_series
            if future_covariates is None:
                future_covariates = self.future_covariate_series
        if self.encoders is not None and self.encoders.encoding_available:
            _, future_covariates = self.generate_predict_encodings(
                n=n, series=series, past_covariates=None, future_covariates=future_covariates
            )
        super().predict(
            n, series, None, future_covariates, num_samples, verbose, predict_likelihood_parameters,
            show_warnings, random_state,
        )  # fmt: skip
        many, covariates = _listed(series), _listed(future_covariates)
        if covariates and len(covariates) != len(many):
            raise ValueError("future_covariates must be as many as series.")
        made = self._forecasts(n, many, covariates)
        return made[0] if isinstance(series, TimeSeries) else made

    def _forecasts(self, n: int, many: list[Any], covariates: list[Any]) -> list[Any]:
        assert self._forecaster is not None
        seen = [one.values(copy=False)[-2 * self.input_chunk_length :] for one in many]
        done = 0
        while done < n:
            rows = self._rows(many, covariates, "", seen, done)
            made = self._forecaster.predict(rows, include_ended=True)
            # A series that is new to the model by its name is scaled by its own rows, as all are.
            values = made["yhat"].reshape(-1, self._horizon)
            first = 0
            for i, one in enumerate(many):
                part = values[first : first + one.width].T
                first += one.width
                seen[i] = numpy.concatenate([seen[i], part])
            done += self._horizon
        return [
            self._as_series(one, values[len(values) - done :][:n]) for one, values in zip(many, seen)
        ]

    @staticmethod
    def _as_series(one: Any, values: Any) -> Any:
        end = one.end_time() + one.freq
        index = (
            pandas.RangeIndex(end, end + len(values) * one.freq, one.freq)
            if one.has_range_index
            else pandas.date_range(end, periods=len(values), freq=one.freq)
        )
        return TimeSeries.from_times_and_values(
            index, values, columns=one.components, static_covariates=one.static_covariates,
            hierarchy=one.hierarchy,
        )  # fmt: skip

    def _rows(
        self,
        many: list[Any],
        covariates: list[Any],
        prefix: str,
        seen: list[Any] | None = None,
        done: int = 0,
    ) -> dict[str, Any]:
        """Long rows: those of the series, or, of `seen`, their newest and `done` forecasts; with
        covariates those of a horizon more."""
        parts: dict[str, list[Any]] = {"unique_id": [], "ds": [], "y": []}
        parts.update({f"x{i}": [] for i in range(self._known)})
        for i, one in enumerate(many):
            values = one.values(copy=False) if seen is None else seen[i]
            more = self._horizon if seen is not None and self._known else 0
            first = len(one) + done - len(values)  # row of the first of them
            places = numpy.arange(first, first + len(values) + more)
            stamps = self._stamps(one, places)
            open_rows = numpy.full(more, numpy.nan)
            known: Any = self._covariates(one, covariates[i], places) if self._known else None
            for c in range(one.width):
                parts["unique_id"].append(numpy.full(len(places), f"{prefix}{i} {c}", dtype=object))
                parts["ds"].append(stamps)
                parts["y"].append(numpy.concatenate([values[:, c], open_rows]))
                for k in range(self._known):
                    parts[f"x{k}"].append(known[:, k])
        return {name: numpy.concatenate(values) for name, values in parts.items()}

    def _stamps(self, one: Any, places: Any) -> Any:
        if one.has_range_index:
            rows = one.start_time() // one.freq + places
            return (pandas.Timestamp(self.start) + rows * pandas.Timedelta(self.step)).to_numpy()
        first = one.start_time() + int(places[0]) * one.freq
        return pandas.date_range(first, periods=len(places), freq=one.freq).to_numpy()

    def _covariates(self, one: Any, covariates: Any, places: Any) -> Any:
        """Rows of covariates at those places of a series; at most the last ones are repeated, since
        only n steps of a last forecast are asked for."""
        if covariates.freq != one.freq:
            raise ValueError("future_covariates must have the frequency of the series.")
        start = (
            covariates.get_index_at_point(one.start_time())
            if (covariates.start_time() <= one.start_time() <= covariates.end_time())
            else None
        )
        if start is None:
            raise ValueError("future_covariates must begin with the series, or before it.")
        values = covariates.values(copy=False)
        return values[numpy.minimum(start + places, len(values) - 1)]

    # What darts asks of a model

    @property
    def output_chunk_length(self) -> int:
        return self._horizon

    @property
    def supports_multivariate(self) -> bool:
        return True

    @property
    def supports_future_covariates(self) -> bool:
        return True

    @property
    def supports_optimized_historical_forecasts(self) -> bool:
        return False

    @property
    def supports_sample_weight(self) -> bool:
        return False

    @property
    def _supports_range_index(self) -> bool:
        return True

    @property
    def min_train_samples(self) -> int:
        # The newest horizon validates, so one more is learnt from.
        return self._horizon + 1

    @property
    def _target_window_lengths(self) -> tuple[int, int]:
        return self.input_chunk_length, self._horizon

    @property
    def extreme_lags(self) -> tuple[int | None, ...]:
        known = (
            (-self.input_chunk_length, self._horizon - 1)
            if self.uses_future_covariates
            else (None, None)
        )
        return (-self.input_chunk_length, self._horizon - 1, None, None, *known, 0)

    @property
    def _model_encoder_settings(self) -> tuple[Any, ...]:
        return self.input_chunk_length, self._horizon, False, True, None, None


def _listed(series: Any) -> list[Any]:
    if series is None:
        return []
    return [series] if isinstance(series, TimeSeries) else list(series)


__all__ = ["PulsecastModel"]
