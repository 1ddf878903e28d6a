"""What a fleet wants of a forecaster and a frame, found before anything runs."""

from __future__ import annotations

import datetime
from typing import Any

from .. import _engine, _stamps
from .._errors import DataError, UsageError
from ..forecaster import Forecaster, Levels, _numbers
from ._engines import Engine
from ._models import Columns, Groups
from ._tasks import Asked, Keys, Newest, Stamps


def what_was_asked(
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


def columns_of_model(forecaster: Forecaster, settings: dict[str, Any]) -> Columns:
    card = forecaster.card_
    if not card["panel"]:
        raise UsageError(
            "this model forecasts its channels together, so their rows cannot be cut into tasks",
            advice='fit with panel="series", or forecast in one process with Forecaster.predict',
        )
    reading = _engine.made("settings", "settings_for_reading", forecaster._fitted())
    _engine.set_all(reading, settings)
    return _columns(_engine.document("settings_json", reading))


def columns_of_settings(forecaster: Forecaster) -> Columns:
    if not isinstance(forecaster, Forecaster):
        raise UsageError(f"a {type(forecaster).__name__} is no Forecaster", advice="give one")
    return _columns(_engine.document("settings_json", forecaster._new_settings()))


def _columns(told: dict[str, Any]) -> Columns:
    return Columns(
        str(told.get("data.id-column") or "unique_id"),
        str(told.get("data.time-column") or "ds"),
        str(told.get("data.value-column") or "y"),
    )


def bare(forecaster: Forecaster) -> Forecaster:
    """Its settings without its model and its rows, which would go along to every task."""
    return Forecaster(
        level=forecaster.level or None, quantile=forecaster.quantile or None, **forecaster.settings
    )


def type_of_stamps(opened: Engine, columns: Columns, *others: str) -> Any:
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


def with_group(by: str, columns: Columns, fields: list[tuple[str, Any]]) -> Any:
    import pyarrow

    return pyarrow.schema(([] if by == columns.id else [(by, pyarrow.string())]) + fields)


def pieces(opened: Engine, key: str, told: int | None, whole: bool) -> int | None:
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


def fields_of(columns: Columns, asked: Asked, stamps: Any) -> list[tuple[str, Any]]:
    import pyarrow

    return [
        (columns.id, pyarrow.string()),
        (columns.time, stamps),
        *((name, pyarrow.float64()) for name in asked.columns()),
        ("status", pyarrow.string()),
    ]


def newest_stamps(
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


def stamp_of(told: datetime.datetime | str) -> datetime.datetime:
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
