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

from .._errors import UsageError
from .._rows import Frame
from ..forecaster import Forecaster, Levels, PulsecastWarning
from ._engines import Engine, open_engine
from ._models import Columns, Groups, Sent
from ._plan import (
    bare,
    columns_of_model,
    columns_of_settings,
    fields_of,
    newest_stamps,
    pieces,
    stamp_of,
    type_of_stamps,
    what_was_asked,
    with_group,
)
from ._tasks import Asked, Forecasts, GroupBacktests, GroupFits, GroupForecasts, Stamps

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
    asked = what_was_asked(forecaster, level, quantile, min, max, include_ended, settings)
    if isinstance(forecaster, Groups):
        return _group_forecasts(forecaster, open_engine(frame, engine), asked, tasks, whole)
    columns = columns_of_model(forecaster, settings)
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
    asked = what_was_asked(forecaster, level, quantile, None, None, include_ended, settings)
    columns = columns_of_model(forecaster, settings)
    opened = open_engine(frame, engine)
    if not cutoffs:
        raise UsageError("no cutoff was given", advice="give cutoffs=['2024-01-31', ...]")
    return _forecasts(
        forecaster, opened, columns, asked, [stamp_of(one) for one in cutoffs], tasks, whole
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
    columns = columns_of_settings(forecaster)
    opened = open_engine(frame, engine)
    by = by or columns.id
    type_of_stamps(opened, columns, by)
    import pyarrow

    fields = [
        ("group", pyarrow.string()),
        ("model", pyarrow.large_binary()),
        ("failed", pyarrow.string()),
    ]
    schema = pyarrow.schema(fields)
    task = GroupFits(bare(forecaster), by, columns, schema)
    parts = pieces(opened, by, tasks, whole)
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
    columns = columns_of_settings(forecaster)
    opened = open_engine(frame, engine)
    by = by or columns.id
    stamps = type_of_stamps(opened, columns, by)
    import pyarrow

    schema = with_group(
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
    task = GroupBacktests(bare(forecaster), by, columns, told, skip_failed, schema)
    return opened.grouped(by, task, b"", schema, pieces(opened, by, tasks, whole))


def _forecasts(
    forecaster: Forecaster, opened: Engine, columns: Columns, asked: Asked, cutoffs: Stamps,
    tasks: int | None, whole: bool,
) -> Any:  # fmt: skip
    import pyarrow

    stamps = type_of_stamps(opened, columns)
    fields = fields_of(columns, asked, stamps)
    if cutoffs != [None]:
        fields = [*fields[:2], ("cutoff", stamps), *fields[2:], ("y", pyarrow.float64())]
    schema = pyarrow.schema(fields)
    newest, seen = None, cutoffs
    if not asked.include_ended or cutoffs != [None]:
        newest, seen = newest_stamps(forecaster, opened, columns, cutoffs)
    sent = Sent(forecaster)
    task = Forecasts(sent, columns, asked, cutoffs, newest, seen, schema)
    parts = pieces(opened, columns.id, tasks, whole)
    return opened.grouped(columns.id, task, sent.content, schema, parts)


def _group_forecasts(
    groups: Groups, opened: Engine, asked: Asked, tasks: int | None, whole: bool
) -> Any:
    stamps = type_of_stamps(opened, groups.columns, groups.by)
    schema = with_group(groups.by, groups.columns, fields_of(groups.columns, asked, stamps))
    sent = Sent(groups)
    task = GroupForecasts(sent, groups.by, groups.columns, asked, schema)
    parts = pieces(opened, groups.by, tasks, whole)
    return opened.grouped(groups.by, task, sent.content, schema, parts)
