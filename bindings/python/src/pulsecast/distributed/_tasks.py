"""What a task does: rows of whole series in, rows out, both as Arrow tables.

A task is a function of its rows and its model alone: whoever runs it, again or elsewhere, gets the
same bits. It knows no engine.
"""

from __future__ import annotations

import dataclasses
import datetime
from collections.abc import Iterator
from typing import Any, Optional

from .. import _engine, _library
from .._errors import DataError, PulsecastError
from ..forecaster import Forecaster
from ._models import Columns, Groups, Sent

Table = Any  # of pyarrow
Stamps = list[Optional[datetime.datetime]]


@dataclasses.dataclass(frozen=True)
class Asked:
    """What of a forecast was asked for."""

    level: list[float]
    quantile: list[float]
    min: float | None
    max: float | None
    include_ended: bool
    settings: dict[str, Any]

    def columns(self) -> list[str]:
        """Names of the columns with numbers."""
        ranges = [f"yhat_{side}_{level:g}" for level in self.level for side in ("lo", "hi")]
        return ["yhat", *ranges, *(f"q_{probability:g}" for probability in self.quantile)]


class Newest:
    """The newest stamps of rows with a value: of all rows, or of those up to a stamp."""

    def __init__(self, columns: Columns, limits: Stamps, schema: Any) -> None:
        self.columns, self.limits, self.schema = columns, limits, schema

    def __call__(self, table: Table, content: bytes = b"") -> Table:
        import pyarrow

        numbers = pyarrow.array(range(len(self.limits)), pyarrow.int64())
        newest = pyarrow.array(self.of(table), self.schema.field("newest").type)
        return pyarrow.Table.from_arrays([numbers, newest], schema=self.schema)

    def of(self, table: Table) -> Stamps:
        import pyarrow
        from pyarrow import compute

        stamps = table.column(self.columns.time).filter(_with_values(table, self.columns))
        stamps = stamps.cast(self.schema.field("newest").type, safe=False)
        found: Stamps = []
        for limit in self.limits:
            some = stamps
            if limit is not None:
                some = stamps.filter(compute.less_equal(stamps, pyarrow.scalar(limit, stamps.type)))
            found.append(compute.max(some).as_py())
        return found


class Keys:
    """The series, or groups, of a piece."""

    def __init__(self, key: str, schema: Any) -> None:
        self.key, self.schema = key, schema

    def __call__(self, table: Table, content: bytes = b"") -> Table:
        import pyarrow

        names = table.column(self.key).cast(pyarrow.string()).unique()
        return pyarrow.Table.from_arrays([names], schema=self.schema)


class Forecasts:
    """Forecasts of series by one model: from their ends, or from each of some past stamps.

    Which series have ended is said of all rows there are, and the engine sees those of a task: so it
    forecasts all series, and `newest`, the newest stamp of all rows up to each cutoff, says which stay.
    """

    def __init__(
        self, sent: Sent, columns: Columns, asked: Asked, cutoffs: Stamps, newest: Newest | None,
        stamps: Stamps, schema: Any,
    ) -> None:  # fmt: skip
        self.sent, self.columns, self.asked, self.cutoffs = sent, columns, asked, cutoffs
        self.newest, self.stamps, self.schema = newest, stamps, schema

    def __call__(self, table: Table, content: bytes) -> Table:
        import pyarrow
        from pyarrow import compute

        if not compute.any(_with_values(table, self.columns)).as_py():
            return self.schema.empty_table()
        forecaster: Forecaster = self.sent.received(content)
        rows = self._read(forecaster, table)
        own = self.newest.of(table) if self.newest is not None else self.stamps
        parts = [
            self._from(forecaster, rows, cutoff, newest)
            for cutoff, newest, has_begun in zip(self.cutoffs, self.stamps, own)
            if has_begun is not None or self.newest is None
        ]
        if not parts:
            return self.schema.empty_table()
        made = pyarrow.concat_tables(parts)
        return fitted_into(
            with_truth(made, table, self.columns) if self._is_past() else made, self.schema
        )

    def _read(self, forecaster: Forecaster, table: Table) -> Any:
        """Rows in order, which a shuffle does not keep. What is wrong is said of a series: lines of a
        task's rows would say nothing."""
        told = {"order": "sort", **self.asked.settings}
        try:
            return forecaster._read(table, None, told)
        except DataError:
            for name, rows in groups_of(table, self.columns.id, self.columns):
                try:
                    forecaster._read(rows, None, told)
                except DataError as error:
                    raise DataError(
                        error.message, text=f"series {name!r}: {error}", remedies=error.remedies
                    ) from None
            raise

    def _is_past(self) -> bool:
        return self.cutoffs != [None]

    def _from(self, forecaster: Forecaster, rows: Any, cutoff: Any, newest: Any) -> Table:
        asked = self.asked
        forecast = forecaster._forecast(
            rows, asked.level, asked.quantile, cutoff, asked.min, asked.max, include_ended=True
        )
        flags = rows.flags | (_library.CUTOFF if self._is_past() else 0)
        table = rows.long(_engine.columns_of_forecast(forecast, flags))
        if asked.include_ended:
            return table
        return going_on(table, self.columns.time, newest, forecaster.horizon_)


class GroupForecasts:
    """Forecasts by a model a group. All rows of a group are here, so the engine sees what has ended."""

    def __init__(self, sent: Sent, by: str, columns: Columns, asked: Asked, schema: Any) -> None:
        self.sent, self.by, self.columns, self.asked, self.schema = sent, by, columns, asked, schema

    def __call__(self, table: Table, content: bytes) -> Table:
        groups: Groups = self.sent.received(content)
        parts = []
        for group, rows in groups_of(table, self.by, self.columns):
            if group in groups:
                made = groups[group].predict(
                    rows, level=self.asked.level, quantile=self.asked.quantile, min=self.asked.min,
                    max=self.asked.max, include_ended=self.asked.include_ended, **self.asked.settings,
                )  # fmt: skip
                parts.append(labelled(made, self.by, group, self.columns))
        return as_one(parts, self.schema)


class GroupFits:
    """A model a group, as bytes; of a group that cannot be trained the reason."""

    def __init__(self, prototype: Forecaster, by: str, columns: Columns, schema: Any) -> None:
        self.prototype, self.by, self.columns, self.schema = prototype, by, columns, schema

    def __call__(self, table: Table, content: bytes = b"") -> Table:
        import pyarrow

        trained: list[tuple[str, bytes | None, str | None]] = []
        for group, rows in groups_of(table, self.by, self.columns):
            model, reason = None, None
            try:
                model = untrained(self.prototype).fit(rows).to_bytes()
            except PulsecastError as error:
                if isinstance(error, KeyboardInterrupt):
                    raise
                reason = str(error)
            trained.append((group, model, reason))
        columns = list(zip(*trained)) or [(), (), ()]
        arrays = [pyarrow.array(values, field.type) for values, field in zip(columns, self.schema)]
        return pyarrow.Table.from_arrays(arrays, schema=self.schema)


class GroupBacktests:
    """Forecasts from past origins by models that are trained a group."""

    def __init__(
        self, prototype: Forecaster, by: str, columns: Columns, told: dict[str, Any], skip_failed: bool,
        schema: Any,
    ) -> None:  # fmt: skip
        self.prototype, self.by, self.columns, self.told = prototype, by, columns, told
        self.skip_failed, self.schema = skip_failed, schema

    def __call__(self, table: Table, content: bytes = b"") -> Table:
        parts = []
        for group, rows in groups_of(table, self.by, self.columns):
            try:
                made = untrained(self.prototype).cross_validation(rows, **self.told)
            except PulsecastError as error:
                if self.skip_failed and not isinstance(error, KeyboardInterrupt):
                    continue
                raise
            parts.append(labelled(made, self.by, group, self.columns))
        return as_one(parts, self.schema)


def untrained(prototype: Forecaster) -> Forecaster:
    """Another one of the same settings. A task has one thread: the engine has a task for each CPU."""
    return Forecaster(
        level=prototype.level or None, quantile=prototype.quantile or None, threads=1, progress=False,
        **prototype.settings,
    )  # fmt: skip


def groups_of(table: Table, by: str, columns: Columns) -> Iterator[tuple[str, Table]]:
    """The rows of each group, by series and stamp: a shuffle keeps no order."""
    import pyarrow
    from pyarrow import compute

    if len(table) == 0:
        return
    for i, field in enumerate(table.schema):
        if pyarrow.types.is_dictionary(field.type):  # which have no order
            table = table.set_column(i, field.name, table.column(i).cast(field.type.value_type))
    keys = [(by, "ascending"), (columns.id, "ascending"), (columns.time, "ascending")]
    rows = table.take(compute.sort_indices(table, sort_keys=list(dict.fromkeys(keys))))
    names = rows.column(by).cast(pyarrow.string()).combine_chunks()
    ends = compute.run_end_encode(names)
    if by != columns.id:
        rows = rows.drop_columns([by])
    first = 0
    for name, end in zip(ends.values.to_pylist(), ends.run_ends.to_pylist()):
        if name is None:
            raise DataError(f"rows have no group in column {by!r}", advice="drop them, or name a group")
        yield name, rows.slice(first, end - first)
        first = end


def labelled(table: Table, by: str, group: str, columns: Columns) -> Table:
    """With a column of the group, unless that is the series."""
    import pyarrow

    if by == columns.id:
        return table
    return table.add_column(0, by, pyarrow.array([group] * len(table), pyarrow.string()))


def going_on(table: Table, time: str, newest: Any, horizon: int) -> Table:
    """Without series that ended more than a horizon before the newest row: those whose last forecast
    is of an older stamp."""
    import numpy
    import pyarrow
    from pyarrow import compute

    last = table.column(time).take(pyarrow.array(range(horizon - 1, len(table), horizon)))
    stays = compute.greater_equal(last, pyarrow.scalar(newest, last.type))
    return table.filter(pyarrow.array(numpy.repeat(stays.to_numpy(), horizon)))


def with_truth(made: Table, rows: Table, columns: Columns) -> Table:
    """Forecasts beside what came."""
    import pyarrow

    keys = [columns.id, columns.time]
    types = {columns.id: pyarrow.string(), columns.time: made.schema.field(columns.time).type}
    truth = pyarrow.table(
        {
            **{name: rows.column(name).cast(types[name]) for name in keys},
            "y": rows.column(columns.value).cast(pyarrow.float64()),
        }
    )
    joined = made.join(truth, keys, join_type="left outer", use_threads=False)
    if len(joined) != len(made):
        raise DataError(
            "two rows of a series have the same stamp, so which of them came cannot be said",
            advice="leave one of them",
        )
    return joined.sort_by(
        [(columns.id, "ascending"), ("cutoff", "ascending"), (columns.time, "ascending")]
    )


def as_one(parts: list[Table], schema: Any) -> Table:
    import pyarrow

    return pyarrow.concat_tables([fitted_into(part, schema) for part in [*parts, schema.empty_table()]])


def fitted_into(table: Table, schema: Any) -> Table:
    """The columns that the whole fleet gives, in their types."""
    return table.select(schema.names).cast(schema)


def _with_values(table: Table, columns: Columns) -> Any:
    """Which rows have a value."""
    import pyarrow
    from pyarrow import compute

    values = table.column(columns.value)
    if pyarrow.types.is_floating(values.type):
        return compute.invert(compute.is_null(values, nan_is_null=True))
    return compute.is_valid(values)
