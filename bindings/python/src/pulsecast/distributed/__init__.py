"""More series than one machine forecasts: over Dask, Ray and Spark.

The frame says which engine: `dask.dataframe`, a `ray.data.Dataset`, a `pyspark.sql.DataFrame`; or
`engine=` spreads a frame of this process over one. Frames are long, a row a series and stamp. All
rows of a series (or of a group) come to one task, wherever they lay before, and the model comes to
each worker once. A task is a function of its rows and the model, so engines may run one again; what
comes out is what `Forecaster` gives in one process, to the last bit.

    forecaster = Forecaster(horizon=28, panel="series").fit(some_series)
    forecasts = distributed.predict(forecaster, all_series)            # lazy, of the engine's kind
    forecasts.to_parquet("forecasts")
"""

from __future__ import annotations

import datetime
import warnings
from collections.abc import Sequence
from typing import Any

from .. import _engine, _stamps
from .._errors import DataError, UsageError
from .._rows import Frame
from ..forecaster import Forecaster, Levels, PulsecastWarning, _numbers
from ._engines import Engine, open_engine
from ._models import Columns, Groups, Sent
from ._tasks import (
    Asked,
    Forecasts,
    GroupBacktests,
    GroupFits,
    GroupForecasts,
    Keys,
    Newest,
    Stamps,
)

__all__ = ["Groups", "backtest", "cross_validation", "fit_groups", "predict"]


def predict(
    forecaster: Forecaster | Groups,
    frame: Frame,
    *,
    engine: str | None = None,
    level: Levels = None,
    quantile: Levels = None,
    min: float | None = None,
    max: float | None = None,
    include_ended: bool = False,
    tasks: int | None = None,
    whole: bool = False,
    **settings: Any,
) -> Any:
    """The next steps of each series, as `Forecaster.predict` has them: a frame of the engine, whose
    forecasts are made when it is asked for them.

    forecaster: fitted with each series alone (`panel="series"`), or the models of `fit_groups`.
    tasks: pieces of the work; None: two for each CPU of the cluster, or as many as the frame lies in.
    whole: the frame's pieces hold all rows of their series already, so nothing need be moved, which is
        most of the work; a look at the names refuses a frame where they do not.
    Columns that are known in advance go on in the same frame, with empty values.
    """
    asked = _asked(forecaster, level, quantile, min, max, include_ended, settings)
    if isinstance(forecaster, Groups):
        return _group_forecasts(forecaster, open_engine(frame, engine), asked, tasks, whole)
    columns = _columns_of_model(forecaster, settings)
    return _forecasts(forecaster, open_engine(frame, engine), columns, asked, [None], tasks, whole)


def backtest(
    forecaster: Forecaster,
    frame: Frame,
    cutoffs: Sequence[datetime.datetime | str],
    *,
    engine: str | None = None,
    level: Levels = None,
    quantile: Levels = None,
    include_ended: bool = False,
    tasks: int | None = None,
    whole: bool = False,
    **settings: Any,
) -> Any:
    """What a fitted model says from past stamps, beside what came: a frame of the engine with the
    columns of `predict`, `cutoff` (the last row that a forecast saw) and `y`.

    The model stays as it is, so cutoffs that it was trained on flatter it. Each is what
    `Forecaster.predict(frame, at=cutoff)` gives.
    """
    if isinstance(forecaster, Groups):
        raise UsageError("a backtest is of one model", advice="cross_validation trains a model a group")
    if isinstance(cutoffs, (str, datetime.datetime)):
        cutoffs = [cutoffs]
    asked = _asked(forecaster, level, quantile, None, None, include_ended, settings)
    columns = _columns_of_model(forecaster, settings)
    opened = open_engine(frame, engine)
    if not cutoffs:
        raise UsageError("no cutoff was given", advice="give cutoffs=['2024-01-31', ...]")
    return _forecasts(
        forecaster, opened, columns, asked, [_datetime(one) for one in cutoffs], tasks, whole
    )


def fit_groups(
    forecaster: Forecaster,
    frame: Frame,
    by: str | None = None,
    *,
    engine: str | None = None,
    tasks: int | None = None,
    whole: bool = False,
) -> Groups:
    """Trains a model a group with the settings of a forecaster, now.

    by: the column that says the group; None: that of the series' names, so a model a series. It is no
    column of the rows that a model sees, and those are in order of series and stamp. Groups that
    cannot be trained are in `failed`, and a warning says how many. A budget in time would depend on
    the machine: give a model, epochs or a budget in steps.
    """
    columns = _columns_of_settings(forecaster)
    opened = open_engine(frame, engine)
    by = by or columns.id
    _require(opened, columns, by)
    import pyarrow

    fields = [
        ("group", pyarrow.string()),
        ("model", pyarrow.large_binary()),
        ("failed", pyarrow.string()),
    ]
    schema = pyarrow.schema(fields)
    task = GroupFits(_prototype(forecaster), by, columns, schema)
    parts = _pieces(opened, by, tasks, whole)
    made = opened.collected(opened.grouped(by, task, b"", schema, parts))
    rows = sorted(zip(*(made.column(name).to_pylist() for name in ("group", "model", "failed"))))
    failed = {group: reason for group, model, reason in rows if model is None}
    if failed:
        first, reason = next(iter(failed.items()))
        warnings.warn(
            f"{len(failed)} of {len(rows)} groups could not be trained, as {first!r}: {reason}",
            PulsecastWarning,
            stacklevel=2,
        )
    models = {group: model for group, model, _ in rows if model is not None}
    return Groups(by, models, failed, columns, forecaster.level, forecaster.quantile)


def cross_validation(
    forecaster: Forecaster,
    frame: Frame,
    n_windows: int = 1,
    step: int | None = None,
    refit: bool | int = False,
    *,
    by: str | None = None,
    engine: str | None = None,
    skip_failed: bool = False,
    tasks: int | None = None,
    whole: bool = False,
) -> Any:
    """`Forecaster.cross_validation` of the rows of each group, with a model trained for it: a frame of
    the engine with a column of the group, unless that is the series.

    by, and what a model sees: as in `fit_groups`. A group that cannot be trained is an error, or with
    skip_failed=True has no rows.
    """
    columns = _columns_of_settings(forecaster)
    opened = open_engine(frame, engine)
    by = by or columns.id
    stamps = _require(opened, columns, by)
    import pyarrow

    schema = _with_group(
        by,
        columns,
        [
            (columns.id, pyarrow.string()),
            (columns.time, stamps),
            ("cutoff", stamps),
            ("y", pyarrow.float64()),
            ("yhat", pyarrow.float64()),
        ],
    )
    told = {"n_windows": n_windows, "step": step, "refit": refit}
    task = GroupBacktests(_prototype(forecaster), by, columns, told, skip_failed, schema)
    return opened.grouped(by, task, b"", schema, _pieces(opened, by, tasks, whole))


# What a model and a frame have to be


def _asked(
    forecaster: Forecaster | Groups, level: Levels, quantile: Levels, low: float | None,
    high: float | None, include_ended: bool, settings: dict[str, Any],
) -> Asked:  # fmt: skip
    if not isinstance(forecaster, (Forecaster, Groups)):
        raise UsageError(
            f"a {type(forecaster).__name__} cannot forecast", advice="give a Forecaster, or Groups"
        )
    _engine.new_settings(settings)  # a wrong one is refused here, not by each worker
    return Asked(
        forecaster.level if level is None else _numbers(level),
        forecaster.quantile if quantile is None else _numbers(quantile),
        low, high, include_ended, settings,
    )  # fmt: skip


def _columns_of_model(forecaster: Forecaster, settings: dict[str, Any]) -> Columns:
    card = forecaster.card_
    if not card["panel"]:
        raise UsageError(
            "this model forecasts its channels together, so their rows cannot be cut into tasks",
            advice='fit with panel="series", or forecast in one process with Forecaster.predict',
        )
    reading = _engine.made("settings", "settings_for_reading", forecaster._fitted())
    _engine.set_all(reading, settings)
    return _columns(_engine.document("settings_json", reading))


def _columns_of_settings(forecaster: Forecaster) -> Columns:
    if not isinstance(forecaster, Forecaster):
        raise UsageError(f"a {type(forecaster).__name__} is no Forecaster", advice="give one")
    return _columns(_engine.document("settings_json", forecaster._new_settings()))


def _columns(told: dict[str, Any]) -> Columns:
    return Columns(
        str(told.get("data.id-column") or "unique_id"),
        str(told.get("data.time-column") or "ds"),
        str(told.get("data.value-column") or "y"),
    )


def _prototype(forecaster: Forecaster) -> Forecaster:
    """Its settings without its model and its rows, which would go along to every task."""
    return Forecaster(
        level=forecaster.level or None, quantile=forecaster.quantile or None, **forecaster.settings
    )


def _require(opened: Engine, columns: Columns, *others: str) -> Any:
    """The type of stamps in what comes out; throws where a column is missing."""
    import pyarrow

    schema = opened.schema()
    settings = {columns.id: "id_column", columns.time: "time_column", columns.value: "value_column"}
    for name in (columns.id, columns.time, columns.value, *others):
        if name not in schema.names:
            advice = f"give {settings[name]}=" if name in settings else "give by= one of those"
            raise DataError(
                f"the frame has no column {name!r}; it has {', '.join(map(repr, schema.names))}",
                advice=f"{advice}; of an index make a column: frame.reset_index()",
            )
    theirs = schema.field(columns.time).type
    return theirs if pyarrow.types.is_temporal(theirs) else pyarrow.timestamp("ms")


def _with_group(by: str, columns: Columns, fields: list[tuple[str, Any]]) -> Any:
    import pyarrow

    return pyarrow.schema(([] if by == columns.id else [(by, pyarrow.string())]) + fields)


def _pieces(opened: Engine, key: str, told: int | None, whole: bool) -> int | None:
    """Pieces that rows are brought together in; None: they stay where they are."""
    if told is not None and told < 1:
        raise UsageError(f"tasks={told} is less than 1")
    if not whole:
        return told or max(opened.parts(), 2 * opened.slots())
    import pyarrow
    from pyarrow import compute

    schema = pyarrow.schema([("key", pyarrow.string())])
    names = opened.each(Keys(key, schema), [key], schema).column("key")
    counts = compute.value_counts(names)
    twice = counts.filter(compute.greater(counts.field("counts"), 1)).field("values")
    if len(twice):
        others = f", and so do those of {len(twice) - 1} others" if len(twice) > 1 else ""
        raise DataError(
            f"rows of {twice[0].as_py()!r} lie in more than one piece of the frame{others}",
            advice="leave out whole=True, and they are brought together",
        )
    return None


# What runs


def _fields(columns: Columns, asked: Asked, stamps: Any) -> list[tuple[str, Any]]:
    import pyarrow

    return [
        (columns.id, pyarrow.string()),
        (columns.time, stamps),
        *((name, pyarrow.float64()) for name in asked.columns()),
        ("status", pyarrow.string()),
    ]


def _forecasts(
    forecaster: Forecaster, opened: Engine, columns: Columns, asked: Asked, cutoffs: Stamps,
    tasks: int | None,
    whole: bool,
) -> Any:  # fmt: skip
    import pyarrow

    stamps = _require(opened, columns)
    fields = _fields(columns, asked, stamps)
    if cutoffs != [None]:
        fields = [*fields[:2], ("cutoff", stamps), *fields[2:], ("y", pyarrow.float64())]
    schema = pyarrow.schema(fields)
    newest, seen = None, cutoffs
    if not asked.include_ended or cutoffs != [None]:
        newest, seen = _newest(forecaster, opened, columns, cutoffs)
    sent = Sent(forecaster)
    task = Forecasts(sent, columns, asked, cutoffs, newest, seen, schema)
    parts = _pieces(opened, columns.id, tasks, whole)
    return opened.grouped(columns.id, task, sent.content, schema, parts)


def _newest(
    forecaster: Forecaster, opened: Engine, columns: Columns, cutoffs: Stamps
) -> tuple[Newest, Stamps]:
    """The newest stamp of all series, of each cutoff: a look at two columns, now."""
    import pyarrow

    theirs = opened.schema().field(columns.time).type
    if not pyarrow.types.is_temporal(theirs):
        raise DataError(
            f"column {columns.time!r} holds {theirs}, and which series have ended is told by stamps",
            advice="make it a column of timestamps, or forecast all with include_ended=True",
        )
    zone = getattr(theirs, "tz", None)
    schema = pyarrow.schema([("cutoff", pyarrow.int64()), ("newest", pyarrow.timestamp("us", tz=zone))])
    limits = [None if one is None else _in_zone(one, zone, forecaster.card_["zone"]) for one in cutoffs]
    task = Newest(columns, limits, schema)
    found = opened.each(task, [columns.time, columns.value], schema)
    seen: Stamps = [None] * len(cutoffs)
    for number, stamp in zip(*(found.column(name).to_pylist() for name in schema.names)):
        if stamp is not None and (seen[number] is None or stamp > seen[number]):
            seen[number] = stamp
    if all(stamp is None for stamp in seen):
        raise DataError("no series has a value to forecast from")
    return task, seen


def _group_forecasts(
    groups: Groups, opened: Engine, asked: Asked, tasks: int | None, whole: bool
) -> Any:
    stamps = _require(opened, groups.columns, groups.by)
    schema = _with_group(groups.by, groups.columns, _fields(groups.columns, asked, stamps))
    sent = Sent(groups)
    task = GroupForecasts(sent, groups.by, groups.columns, asked, schema)
    parts = _pieces(opened, groups.by, tasks, whole)
    return opened.grouped(groups.by, task, sent.content, schema, parts)


def _datetime(told: datetime.datetime | str) -> datetime.datetime:
    if isinstance(told, str):
        try:
            return _stamps.of_text(told)
        except ValueError:
            pass
    elif isinstance(told, datetime.datetime) and told == told:
        return told
    raise UsageError(f"cutoff {told!r} is no stamp", advice="give '2024-01-31 12:00' or a datetime")


def _in_zone(stamp: datetime.datetime, zone: str | None, own: str) -> datetime.datetime:
    """A stamp as the frame's column has them: naive ones are of the model's zone."""
    import zoneinfo

    if zone is not None:
        return stamp if stamp.tzinfo is not None else stamp.replace(tzinfo=zoneinfo.ZoneInfo(own))
    return (
        stamp if stamp.tzinfo is None else stamp.astimezone(zoneinfo.ZoneInfo(own)).replace(tzinfo=None)
    )
