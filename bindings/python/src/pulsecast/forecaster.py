"""Fit, predict, cross-validate: the whole trip from a frame to a frame."""

from __future__ import annotations

import ctypes
import datetime
import os
import re
import warnings
from collections.abc import Sequence
from typing import Any, Union

from . import _engine, _library, _stamps
from ._arrow import Column
from ._backtest import cross_validated
from ._errors import UsageError
from ._frames._buffers import plain, to_list
from ._picture import Picture, picture_of
from ._pool import Pool
from ._rows import Frame, ReadRows, RowSource, joined, names_in
from ._watch import Progress, Watched

PathLike = Union[str, "os.PathLike[str]"]
Levels = Union[None, float, Sequence[float]]


class PulsecastWarning(UserWarning):
    """A result that is only part of what was asked for."""


def _numbers(told: Levels) -> list[float]:
    if told is None:
        return []
    try:
        return [float(told)] if isinstance(told, (int, float, str)) else [float(one) for one in told]
    except (TypeError, ValueError):
        raise UsageError(f"{told!r} is no list of numbers", advice="give level=[80, 95]") from None


class Forecaster:
    """Learns from a frame and forecasts what comes next.

    horizon: steps, or a time such as "48h" or "10b".
    level: ranges of forecasts in percent, such as [80, 95]; quantile: probabilities, such as [0.1].
    budget: how long the search for the best forecast may take: "2m", "2000steps".
    threads: 0 is one per CPU that the process may use; results never depend on it.
    progress: True, False, or a function (stage, done, total); None shows a bar to a terminal and in
        a notebook.
    Every other keyword is a setting (`pulsecast.settings()` lists them); None leaves it open.

    Frames are long (a row a series and stamp: `unique_id`, `ds`, `y` and others) or wide (a column a
    series), of pandas, polars, pyarrow or NumPy, dictionaries, lists, or paths of files. What comes
    back is of the same kind, under the same names.

    >>> from pulsecast import Forecaster
    >>> hours = [f"2024-01-{1 + h // 24:02} {h % 24:02}:00" for h in range(24 * 20)]
    >>> load = [100 + 20 * (h % 24 > 8) for h in range(24 * 20)]
    >>> forecaster = Forecaster(horizon=3, model="linear", lookback=48).fit({"ds": hours, "load": load})
    >>> forecaster.predict()["ds"]
    ['2024-01-21 00:00:00', '2024-01-21 01:00:00', '2024-01-21 02:00:00']
    """

    def __init__(
        self,
        horizon: int | str | None = None,
        *,
        level: Levels = None,
        quantile: Levels = None,
        budget: str | None = None,
        threads: int = 0,
        progress: Progress = None,
        **settings: Any,
    ) -> None:
        self.settings: dict[str, Any] = {"horizon": horizon, "budget": budget, **settings}
        self.level = _numbers(level)
        self.quantile = _numbers(quantile)
        self.threads = threads
        self.progress = progress
        self._pool = Pool(threads)
        self._frame: Frame = None
        self._rows: ReadRows | None = None
        self._model: _engine.Handle | None = None
        self._horizon: int | None = None
        self._reading: dict[str, Any] | None = None  # how rows for the model are read
        self._new_settings()

    def _new_settings(self) -> _engine.Handle:
        """Settings for the library; throws at a keyword or a value that is none."""
        return _engine.new_settings(self.settings)

    # Learning

    def fit(
        self,
        df: Frame,
        *,
        refit: bool = False,
        start_from: Forecaster | None = None,
        checkpoint: PathLike | None = None,
        resume: bool = False,
    ) -> Forecaster:
        """Learns from the rows of a frame, or of a file.

        refit: then train again on every row, as long as was best.
        start_from: begin at the weights of another forecaster; the better of that and a fresh start.
        checkpoint, resume: a file by which a run that was stopped goes on.
        """
        settings = self._new_settings()
        source = RowSource(df, self._unread())
        told = _engine.document("settings_json", settings)
        rows = ReadRows(source, settings, None, told, self._pool, self.progress)
        options = _library.FitOptions(size=ctypes.sizeof(_library.FitOptions))
        options.threads = self._pool.handle().pointer
        options.refit, options.resume = refit, resume
        if checkpoint is not None:
            options.checkpoint = _engine.path_bytes(checkpoint)
        if start_from is not None:
            options.from_model = start_from._fitted().pointer
        with Watched(self.progress) as watched:
            options.watch = ctypes.pointer(watched.watch)
            self._model = _engine.made("model", "fit", rows.handle, settings, ctypes.byref(options))
        self.repairs_ = rows.repairs
        self._frame, self._rows = df, None
        self._horizon = self._reading = None
        return self

    def _unread(self) -> list[str]:
        """Columns that may hold anything, by what was told."""
        return names_in(self.settings.get("ignore")) + names_in(self.settings.get("drop"))

    def _fitted(self) -> _engine.Handle:
        if self._model is None:
            raise UsageError("this forecaster has learnt nothing yet", advice="call fit(df) first")
        return self._model

    # Forecasting

    def _read(self, df: Frame, future: Frame = None, told: dict[str, Any] | None = None) -> ReadRows:
        """Rows as the model wants them: those given, or those that it knows."""
        model = self._fitted()
        if df is None and future is None and not told and self._rows is not None:
            return self._rows
        frame = self._known_frame() if df is None else df
        if future is not None:
            frame = joined(frame, future)
        settings = _engine.made("settings", "settings_for_reading", model)
        _engine.set_all(settings, told or {})
        reading = None if told else self._reading
        if reading is None:
            reading = _engine.document("settings_json", settings)
        if not told:
            self._reading = reading
        unread = [name for role in ("ignore", "drop") for name in reading.get(f"data.{role}", ())]
        source = RowSource(frame, self._unread() + unread)
        rows = ReadRows(source, settings, model, reading, self._pool)
        if df is None and future is None and not told:
            self._rows = rows
        return rows

    def _known_frame(self) -> Frame:
        if self._frame is None:
            raise UsageError("this forecaster has no rows", advice="give it some: predict(df)")
        return self._frame

    def predict(
        self,
        df: Frame = None,
        *,
        future: Frame = None,
        level: Levels = None,
        quantile: Levels = None,
        at: None | int | Any = None,
        min: float | None = None,
        max: float | None = None,
        include_ended: bool = False,
        **settings: Any,
    ) -> Any:
        """The next steps after the last row of each series.

        df: rows to forecast from; None: those of fit and update.
        future: rows to come of columns that are known in advance.
        at: rows after this stamp are not read (a datetime, or its text, of the rows' zone where it names
            none; or milliseconds of UTC).
        min, max: bounds that values are held to.
        Other keywords are settings of reading, such as fill="linear".

        Long rows come back long, with a column `yhat`, ranges such as `yhat_lo_80`, and the status of
        each series; wide ones wide, a column a series.
        """
        rows = self._read(df, future, settings)
        forecast = self._forecast(rows, level, quantile, at, min, max, include_ended)
        columns = _engine.columns_of_forecast(forecast, rows.flags)
        if rows.is_long:
            return rows.long(columns)
        self._warn_of_statuses(columns)
        return rows.wide(forecast, columns, self.horizon_)

    def components(self, df: Frame = None, **settings: Any) -> Any:
        """What forecasts are the sum of: a row a series and step, with `anchor`, `residual`, `scale`
        and `effect` beside `yhat`."""
        rows = self._read(df, None, settings)
        flags = rows.flags | _library.COMPONENTS
        return rows.long(_engine.columns_of_forecast(self._forecast(rows), flags))

    def _forecast(
        self,
        rows: ReadRows,
        level: Levels = None,
        quantile: Levels = None,
        at: Any = None,
        low: float | None = None,
        high: float | None = None,
        include_ended: bool = False,
    ) -> _engine.Handle:
        options = _engine.forecast_options(
            self.level if level is None else _numbers(level),
            self.quantile if quantile is None else _numbers(quantile),
            _milliseconds(at, rows),
            low,
            high,
            include_ended,
        )
        model = self._fitted()
        if len(rows.channels) < _MANY:
            return _engine.made("forecast", "model_forecast", model, rows.handle, ctypes.byref(options))
        session = _engine.made("session", "session_new", model, self._pool.handle())
        return _engine.made("forecast", "session_forecast", session, rows.handle, ctypes.byref(options))

    @staticmethod
    def _warn_of_statuses(columns: Sequence[Column]) -> None:
        by_name = {column.name: column for column in columns}
        pairs = zip(to_list(by_name["unique_id"]), to_list(by_name["status"]))
        odd = sorted({f"{series}: {status}" for series, status in pairs if status != "ok"})
        if odd:
            warnings.warn(
                f"{len(odd)} series were not forecast as usual: {', '.join(odd[:5])}",
                PulsecastWarning,
                stacklevel=3,
            )

    def update(self, df: Frame) -> Forecaster:
        """New rows of the series, which the next forecasts begin after. The model stays as it is."""
        self._fitted()
        self._frame = joined(self._known_frame(), df)
        self._rows = None
        return self

    # Judging

    def evaluate(self, df: Frame = None, *, part: str = "held-out", **settings: Any) -> Any:
        """Errors beside those of naive forecasts: a row a forecaster, in a frame of the same kind.

        part: "held-out" (test rows, or rows newer than all that training saw), "validation",
        "training" or "all". All that is known of the errors is then in `evaluation_`.
        """
        rows = self._read(df, None, settings)
        with Watched(self.progress) as watched:
            found = _engine.document(
                "evaluate", self._fitted(), rows.handle,
                _engine.text_bytes(part, "a part"), self._pool.handle(),
                ctypes.byref(watched.watch),
            )  # fmt: skip
        self.evaluation_: dict[str, Any] = found
        judged = [found["model"], *found["baselines"]]
        names = [str(one["name"]) for one in judged]
        columns = [plain("forecaster", names)]
        for scale in ("scaled", "original"):
            for error in ("mse", "mae", "rmse"):
                values = [one[scale][error] for one in judged]
                ending = "" if scale == "scaled" else "_units"
                columns.append(plain(error + ending, values))
        return rows.door.build(columns, "")

    def cross_validation(
        self,
        df: Frame,
        n_windows: int = 1,
        step: int | None = None,
        refit: bool | int = False,
    ) -> Any:
        """Forecasts from past origins beside what came: `unique_id`, `ds`, `cutoff`, `y`, `yhat`.

        The model is trained on the rows before the first of `n_windows` origins, which are `step` rows
        apart (None: a horizon) and end with the newest whose future has come. refit: train again at
        each origin, or at every so many. This forecaster stays as it was.
        """
        settings = self._new_settings()
        told = _engine.document("settings_json", settings)
        source = RowSource(df, self._unread())
        rows = ReadRows(source, settings, None, told, self._pool, self.progress)
        if step is None:
            step = _steps(self.settings["horizon"], rows)
        return cross_validated(rows, settings, self._pool, self.progress, n_windows, step, int(refit))

    # Looking

    def plot(self, df: Frame = None, path: PathLike | None = None, *, level: Levels = None) -> Picture:
        """A picture of history and forecast, which notebooks show; `path` (.svg or .png) keeps it."""
        rows = self._read(df)
        return picture_of(self._forecast(rows, level), rows, path)

    def report(self, path: PathLike, df: Frame = None, *, title: str | None = None) -> None:
        """Writes one HTML page about the model and the rows, which needs no network."""
        rows = self._read(df)
        options = _engine.forecast_options(self.level, self.quantile, None, None, None, False)
        with Watched(self.progress) as watched:
            _engine.call(
                "report", self._fitted(), rows.handle,
                None if title is None else _engine.text_bytes(title, "a title"),
                ctypes.byref(options), self._pool.handle(), ctypes.byref(watched.watch),
                _engine.path_bytes(path),
            )  # fmt: skip

    @property
    def card_(self) -> dict[str, Any]:
        """What is to be known of the model: its title, settings, channels, how it was trained."""
        card: dict[str, Any] = _engine.document("model_card", self._fitted())
        return card

    @property
    def fitted_(self) -> dict[str, Any] | None:
        """What training came to: decisions, what was tried; None of a model that was loaded."""
        summary: dict[str, Any] | None = _engine.document("model_fitted", self._fitted())
        return summary

    @property
    def horizon_(self) -> int:
        """Steps of a forecast."""
        if self._horizon is None:
            self._horizon = int(self.card_["horizon"])
        return self._horizon

    # Keeping

    def save(self, path: PathLike) -> None:
        """Writes the model file, which the program and every other door reads."""
        _engine.call("model_save", self._fitted(), _engine.path_bytes(path))

    def export_onnx(self, path: PathLike) -> None:
        """Writes the forecast as a graph of ONNX, from rows in their own units to a forecast in them.

        Needs the package `onnx`. `pulsecast.onnx.describe(path)` tells what its inputs are. Ranges are
        not in it; a model with a part that cannot be written is refused with the reason.
        """
        from .onnx import write

        write(self.to_bytes(), path)

    @classmethod
    def load(
        cls,
        path: PathLike,
        *,
        level: Levels = None,
        quantile: Levels = None,
        threads: int = 0,
        progress: Progress = None,
    ) -> Forecaster:
        """A forecaster from a model file, whoever trained it."""
        model = _engine.made("model", "model_load", _engine.path_bytes(path))
        return cls(level=level, quantile=quantile, threads=threads, progress=progress)._with(model)

    def to_bytes(self) -> bytes:
        """The bytes of the model file."""
        return _engine.bytes_of_model(self._fitted())

    @classmethod
    def from_bytes(
        cls,
        content: bytes,
        *,
        level: Levels = None,
        quantile: Levels = None,
        threads: int = 0,
        progress: Progress = None,
    ) -> Forecaster:
        """A forecaster from the bytes of a model file."""
        model = _engine.model_of_bytes(content)
        return cls(level=level, quantile=quantile, threads=threads, progress=progress)._with(model)

    def _with(self, model: _engine.Handle) -> Forecaster:
        self._model, self.repairs_ = model, []
        return self

    def __getstate__(self) -> dict[str, Any]:
        state = {**self.__dict__, "_model": self._model and self.to_bytes()}
        del state["_pool"], state["_rows"]
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._pool, self._rows = Pool(self.threads), None
        if state["_model"] is not None:
            self._model = _engine.model_of_bytes(state["_model"])

    def __repr__(self) -> str:
        told = {name: value for name, value in self.settings.items() if value is not None}
        words = ", ".join(f"{name}={value!r}" for name, value in told.items())
        return f"Forecaster({words})" if self._model is None else f"<{self.card_['title']}, fitted>"


# Series from which on threads pay for their coordination.
_MANY = 64

_UNITS = {"s": 1000, "min": 60_000, "h": 3_600_000, "d": 86_400_000, "w": 604_800_000}


def _steps(horizon: int | str | None, rows: ReadRows) -> int:
    """Rows of a horizon, which may be a time."""
    if horizon is None:
        return 96
    told = re.fullmatch(r"(\d+)([a-z]*)", str(horizon).strip())
    if told is not None and not told[2]:
        return int(told[1])
    stamps = rows.stamps()
    if told is not None and told[2] in _UNITS and len(stamps) > 1:
        return max(1, int(told[1]) * _UNITS[told[2]] // int(stamps[1] - stamps[0]))
    raise UsageError(f"how many rows is horizon={horizon!r}", advice="give step=ROWS")


def _milliseconds(stamp: Any, rows: ReadRows) -> int | None:
    if stamp is None or isinstance(stamp, int):
        return stamp
    if isinstance(stamp, str):
        try:
            stamp = _stamps.of_text(stamp)
        except ValueError:
            raise UsageError(f"at={stamp!r} is no stamp", advice="give at='2024-01-31 12:00'") from None
    if not isinstance(stamp, datetime.datetime) or stamp != stamp:  # NaT
        raise UsageError(f"at={stamp!r} is no stamp", advice="give a datetime")
    if stamp.tzinfo is None:
        stamp = stamp.replace(tzinfo=rows.zone())
    return _stamps.milliseconds(stamp)
