"""What a fleet needs of an engine; each is a file of its own."""

from __future__ import annotations

import abc
import importlib
from typing import Any, Callable

from .._errors import UsageError

Task = Callable[[Any, bytes], Any]  # rows and the model's bytes to rows: tables of pyarrow


class Engine(abc.ABC):
    """A frame of an engine, and how tasks run over it."""

    @abc.abstractmethod
    def schema(self) -> Any:
        """The frame's columns, as a schema of Arrow."""

    @abc.abstractmethod
    def slots(self) -> int:
        """Tasks that run at once."""

    @abc.abstractmethod
    def parts(self) -> int:
        """Pieces that the frame lies in."""

    @abc.abstractmethod
    def each(self, task: Task, columns: list[str], schema: Any) -> Any:
        """Runs a task on every piece as it lies, now: all results as one table of Arrow."""

    @abc.abstractmethod
    def grouped(self, key: str, task: Task, content: bytes, schema: Any, parts: int | None) -> Any:
        """Runs a task on rows brought together by a key, later: a frame of the engine.

        content is shared by all tasks and comes once to a worker. parts: so many pieces; None: those
        that the frame lies in, and nothing is moved.
        """

    @abc.abstractmethod
    def collected(self, frame: Any) -> Any:
        """The rows of a frame that `grouped` made, as a table of Arrow."""


_MODULES = {"dask": "_dask", "ray": "_ray", "spark": "_spark"}
_KINDS = {"dask": "dask", "ray": "ray", "pyspark": "spark"}


def open_engine(frame: Any, engine: str | None) -> Engine:
    """The engine of a frame; one that is told takes frames of this process too."""
    if engine is not None and engine not in _MODULES:
        raise UsageError(f"there is no engine {engine!r}", advice="give 'dask', 'ray' or 'spark'")
    own = _KINDS.get(type(frame).__module__.split(".")[0])
    if own is None and engine is None:
        raise UsageError(
            f"a {type(frame).__name__} is no frame of Dask, Ray or Spark",
            advice="give one of those, or engine='dask', 'ray' or 'spark' to spread this one; "
            "Forecaster.predict(frame) forecasts it in this process",
        )
    if own is not None and engine not in (None, own):
        raise UsageError(f"engine={engine!r}, and the frame is one of {own}", advice="leave engine= out")
    name = own or engine or ""
    extra = f"pulsecast[{name}]"
    try:
        import pyarrow  # noqa: F401

        module = importlib.import_module(f".{_MODULES[name]}", __package__)
    except ModuleNotFoundError as error:
        raise UsageError(
            f"engine {name!r} needs {error.name}, which is not installed",
            advice=f"pip install '{extra}'",
        ) from error
    opened: Engine = module.opened(frame if own else None, None if own else _as_table(frame))
    return opened


def _as_table(frame: Any) -> Any:
    """A frame of this process as a table of Arrow."""
    import pyarrow

    from .._frames import open_frame
    from .._frames._pandas import PandasDoor
    from .._frames._plain import ArrayDoor, ColumnsDoor

    door = open_frame(frame)
    if isinstance(door, PandasDoor):
        return pyarrow.Table.from_pandas(door.frame, preserve_index=door.has_stamped_index)
    if isinstance(door, (ArrayDoor, ColumnsDoor)):
        return pyarrow.table({name: door.frame[name] for name in door.names()})
    return pyarrow.table(door.frame)  # type: ignore[attr-defined]
