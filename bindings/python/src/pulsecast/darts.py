"""A forecasting model of darts: global, so trained on one TimeSeries or many, and applied to others.

>>> import numpy
>>> from darts import TimeSeries
>>> from pulsecast.darts import PulsecastModel
>>> series = TimeSeries.from_values(10.0 + numpy.arange(24 * 20) % 24)
>>> PulsecastModel(48, 12).fit(series).predict(3).values().round().flatten().tolist()
[10.0, 11.0, 12.0]
"""

from __future__ import annotations

import hashlib
from typing import Any

try:
    import numpy
    import pandas
    from darts import TimeSeries
    from darts.models.forecasting.forecasting_model import GlobalForecastingModel
except ModuleNotFoundError as missing:
    raise ModuleNotFoundError(
        f"pulsecast.darts needs {missing.name}: pip install 'pulsecast[darts]'", name=missing.name
    ) from None

from .forecaster import Forecaster


class PulsecastModel(GlobalForecastingModel):  # type: ignore[misc]
    """Trained on one series it forecasts the components of that together; trained on several, each
    component of each by itself, by weights that all share. A series that begins as one of training did
    has the scale of that one, another that of its own newest rows.

    input_chunk_length: rows that a forecast sees.
    output_chunk_length: rows of one forecast; those that `predict` is asked for beyond it are forecast
        from forecasts.
    model: None searches within a budget, `budget="2m"`.
    start, step: the stamp of row 0 and the time from one to the next, for the calendar, where the
        index is of numbers.
    Other keywords are settings (`pulsecast.settings()`).

    Future covariates are columns that are known in advance. Past covariates are not taken.
    Forecasts are deterministic. `save` writes a pickle, as darts does, so `load` wants `trusted=True`;
    `to_model_file(path)` writes the weights alone.
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
        _refuse_past(past_covariates)
        if self.encoders is not None and self.encoders.encoding_available:
            self.encoders: Any = self.initialize_encoders()
            _, future_covariates = self.generate_fit_encodings(
                series=series, past_covariates=None, future_covariates=future_covariates
            )
        super().fit(series, None, future_covariates, verbose=verbose)
        many, covariates = _together(series, future_covariates, 0)
        self._known = covariates[0].width if covariates else 0
        self._is_panel = not isinstance(series, TimeSeries)
        self._names = {self._beginning(one): f"training {i}" for i, one in enumerate(many)}
        layout: dict[str, Any]
        if self._is_panel:
            layout = {"panel": "series", "layout": "long"}
            values = [one.values(copy=False) for one in many]
            rows = self._long(many, covariates, values, [f"training {i}" for i in range(len(many))])
        else:
            layout = {"target": [f"y{c}" for c in range(series.width)], "time_column": "ds"}
            rows = self._wide(series, covariates, series.values(copy=False))
        self._forecaster = Forecaster(
            self._horizon,
            lookback=self.input_chunk_length,
            model=self.model,
            known=[f"x{i}" for i in range(self._known)],
            threads=self.threads,
            progress=bool(verbose),
            **layout,
            **self.settings,
        ).fit(rows)
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
        _refuse_past(past_covariates)
        if series is None:
            if self._fit_called and self.training_series is None:
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
        many, covariates = _together(series, future_covariates, n)
        if not self._known and covariates:
            raise ValueError("This model was trained without future covariates.")
        made = self._forecasts(n, many, covariates)
        return made[0] if isinstance(series, TimeSeries) else made

    def to_model_file(self, path: Any) -> None:
        """Writes the weights as a model file, which the program and every other door reads."""
        if self._forecaster is None:
            raise ValueError("This model was not trained yet.")
        self._forecaster.save(path)

    def _forecasts(self, n: int, many: list[Any], covariates: list[Any]) -> list[Any]:
        """Horizon after horizon, each from what came before it."""
        seen = [one.values(copy=False)[-2 * self.input_chunk_length :] for one in many]
        done = 0
        while done < n:
            if self._is_panel:
                made = self._of_panel(many, covariates, seen, done)
            else:
                parts = ((one, covariates[i : i + 1], seen[i]) for i, one in enumerate(many))
                made = [self._of_one(*part, done) for part in parts]
            seen = [numpy.concatenate(both) for both in zip(seen, made)]
            done += self._horizon
        return [_as_series(one, values[len(values) - done :][:n]) for one, values in zip(many, seen)]

    def _of_one(self, one: Any, covariates: list[Any], values: Any, done: int) -> Any:
        assert self._forecaster is not None
        made = self._forecaster.predict(self._wide(one, covariates, values, done, self._horizon))
        return numpy.column_stack([made[f"y{c}"] for c in range(one.width)])

    def _of_panel(self, many: list[Any], covariates: list[Any], seen: list[Any], done: int) -> list[Any]:
        assert self._forecaster is not None
        made: list[Any] = [None] * len(many)
        left = list(range(len(many)))
        while left:
            # A series may be there twice, as of two stamps: then in two calls.
            names = {self._name(many[i], i): i for i in reversed(left)}
            now = list(names.values())
            left = [i for i in left if i not in now]
            parts = [[these[i] for i in now] for these in (many, seen)]
            known = [covariates[i] for i in now] if covariates else []
            rows = self._long(parts[0], known, parts[1], list(names), done, self._horizon)
            values = self._forecaster.predict(rows, include_ended=True)["yhat"]
            values = values.reshape(-1, self._horizon)
            ends = numpy.cumsum([one.width for one in parts[0]])
            for i, end in zip(now, ends):
                made[i] = values[end - many[i].width : end].T
        return made

    def _name(self, one: Any, number: int) -> str:
        """Of a series among the engine's: that of the one of training that it goes on from."""
        return self._names.get(self._beginning(one), f"new {number}")

    def _beginning(self, one: Any) -> str:
        rows = one.values(copy=False)[: self.input_chunk_length]
        told = f"{one.start_time()} {one.freq} {rows.shape}".encode()
        return hashlib.sha256(told + numpy.ascontiguousarray(rows).tobytes()).hexdigest()

    # Rows for the engine

    def _wide(
        self, one: Any, covariates: list[Any], values: Any, done: int = 0, more: int = 0
    ) -> dict[str, Any]:
        """The newest values of a series, of which `done` are forecasts; with covariates those of `more`
        steps."""
        more = more if self._known else 0
        first = len(one) + done - len(values)  # row of the first value
        places = numpy.arange(first, first + len(values) + more)
        values = numpy.concatenate([values, numpy.full((more, one.width), numpy.nan)])
        rows = {"ds": self._stamps(one, places), **{f"y{c}": values[:, c] for c in range(one.width)}}
        if self._known:
            # Of a last forecast no more than the steps that were asked for need be known.
            known = covariates[0].values(copy=False)
            start = covariates[0].get_index_at_point(one.start_time())
            known = known[numpy.minimum(start + places, len(known) - 1)]
            rows.update({f"x{k}": known[:, k] for k in range(self._known)})
        return rows

    def _long(
        self, many: list[Any], covariates: list[Any], seen: list[Any], names: list[str],
        done: int = 0, more: int = 0,
    ) -> dict[str, Any]:  # fmt: skip
        """The same of several series, a row a series, component and stamp."""
        parts = []
        for i, one in enumerate(many):
            wide = self._wide(one, covariates[i : i + 1], seen[i], done, more)
            for c in range(one.width):
                name = numpy.full(len(wide["ds"]), f"{names[i]} {c}", dtype=object)
                known = {f"x{k}": wide[f"x{k}"] for k in range(self._known)}
                parts.append({"unique_id": name, "ds": wide["ds"], "y": wide[f"y{c}"], **known})
        return {name: numpy.concatenate([part[name] for part in parts]) for name in parts[0]}

    def _stamps(self, one: Any, places: Any) -> Any:
        if one.has_range_index:
            rows = pandas.Index(one.start_time() // one.freq + places)
            return (pandas.Timestamp(self.start) + rows * pandas.Timedelta(self.step)).to_numpy()
        first = one.start_time() + int(places[0]) * one.freq
        return pandas.date_range(first, periods=len(places), freq=one.freq).to_numpy()

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
        # A horizon, or a tenth of the rows and more, validates, and is not learnt from.
        return self._horizon + 1 + (self.input_chunk_length + 2 * self._horizon) // 8

    @property
    def _target_window_lengths(self) -> tuple[int, int]:
        return self.input_chunk_length, self._horizon

    @property
    def extreme_lags(self) -> tuple[int | None, ...]:
        lags = (-self.input_chunk_length, self._horizon - 1)
        return (*lags, None, None, *(lags if self.uses_future_covariates else (None, None)), 0)

    @property
    def _model_encoder_settings(self) -> tuple[Any, ...]:
        return self.input_chunk_length, self._horizon, False, True, None, None


def _refuse_past(covariates: Any) -> None:
    if covariates is not None:
        raise ValueError("PulsecastModel does not use past covariates.")


def _together(series: Any, covariates: Any, n: int) -> tuple[list[Any], list[Any]]:
    """Series, and their covariates, which begin with them or before and reach n steps further."""
    many = [series] if isinstance(series, TimeSeries) else list(series)
    if covariates is None:
        return many, []
    theirs = [covariates] if isinstance(covariates, TimeSeries) else list(covariates)
    if len(theirs) != len(many):
        raise ValueError(f"{len(many)} series came with {len(theirs)} future_covariates.")
    for one, known in zip(many, theirs):
        if known.freq != one.freq:
            raise ValueError(f"future_covariates have steps of {known.freq}, the series {one.freq}.")
        if not known.start_time() <= one.start_time() <= known.end_time():
            raise ValueError("future_covariates must begin with the series, or before it.")
        missing = known.get_index_at_point(one.start_time()) + len(one) + n - len(known)
        if missing > 0:
            raise ValueError(f"future_covariates end {missing} steps too early.")
    return many, theirs


def _as_series(one: Any, values: Any) -> Any:
    """Values that follow a series, as one of its kind."""
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
