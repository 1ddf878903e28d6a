"""Models on their way to workers: as bytes, made forecasters once in each process."""

from __future__ import annotations

import dataclasses
import hashlib
import json
import os
import threading
from collections.abc import Iterator, Mapping
from typing import Any, Union

from .._errors import InputOutputError, ModelFileError, UsageError
from ..forecaster import Forecaster

PathLike = Union[str, "os.PathLike[str]"]


@dataclasses.dataclass(frozen=True)
class Columns:
    """Names of the columns that a fleet has to know."""

    id: str
    time: str
    value: str


class Groups(Mapping[str, Forecaster]):
    """A model a group: a mapping from the group's name to its forecaster.

    `failed` has the groups that could not be trained, with the reason. `save` writes all models into
    one file, `Groups.load` reads it.
    """

    def __init__(
        self,
        by: str,
        contents: Mapping[str, bytes],
        failed: Mapping[str, str] | None,
        columns: Columns,
        level: list[float] | None = None,
        quantile: list[float] | None = None,
    ) -> None:
        self.by = by
        self.failed = dict(failed or {})
        self.columns = columns
        self.level, self.quantile = level or [], quantile or []
        self._contents = dict(contents)

    def __getitem__(self, group: str) -> Forecaster:
        return Forecaster.from_bytes(
            self._contents[group], level=self.level, quantile=self.quantile, threads=1, progress=False
        )

    def __iter__(self) -> Iterator[str]:
        return iter(self._contents)

    def __len__(self) -> int:
        return len(self._contents)

    def __repr__(self) -> str:
        failed = f", {len(self.failed)} failed" if self.failed else ""
        return f"<models of {len(self)} groups by {self.by!r}{failed}>"

    def to_bytes(self) -> bytes:
        """All models, as an Arrow file with a row a group."""
        import pyarrow

        told: dict[str, Any] = {"by": self.by, "level": self.level, "quantile": self.quantile}
        told["columns"] = dataclasses.asdict(self.columns)
        schema = pyarrow.schema(
            [
                ("group", pyarrow.string()),
                ("model", pyarrow.large_binary()),
                ("failed", pyarrow.string()),
            ],
            metadata={_KEY: json.dumps(told)},
        )
        rows: list[tuple[str, bytes | None, str | None]] = [
            (group, model, None) for group, model in self._contents.items()
        ]
        rows += [(group, None, reason) for group, reason in self.failed.items()]
        columns = list(zip(*rows)) or [(), (), ()]
        arrays = [pyarrow.array(values, field.type) for values, field in zip(columns, schema)]
        sink = pyarrow.BufferOutputStream()
        with pyarrow.ipc.new_file(sink, schema) as file:
            file.write_table(pyarrow.Table.from_arrays(arrays, schema=schema))
        return bytes(sink.getvalue())

    @classmethod
    def from_bytes(cls, content: bytes) -> Groups:
        """What `to_bytes` made."""
        import pyarrow

        try:
            with pyarrow.ipc.open_file(pyarrow.py_buffer(content)) as file:
                table = file.read_all()
            told = json.loads(table.schema.metadata[_KEY])
            rows = list(zip(*(table.column(name).to_pylist() for name in ("group", "model", "failed"))))
        except (pyarrow.ArrowException, KeyError, TypeError, ValueError) as error:
            raise ModelFileError(f"these are no models of groups: {error}") from None
        models = {group: model for group, model, _ in rows if model is not None}
        failed = {group: reason for group, model, reason in rows if model is None}
        columns = Columns(**told["columns"])
        return cls(told["by"], models, failed, columns, told["level"], told["quantile"])

    def save(self, path: PathLike) -> None:
        """Writes all models into one file: beside it first, so that a kill leaves the older one."""
        beside = f"{os.fspath(path)}.{os.getpid()}.part"
        with open(beside, "wb") as file:
            file.write(self.to_bytes())
            file.flush()
            os.fsync(file.fileno())
        os.replace(beside, path)

    @classmethod
    def load(cls, path: PathLike) -> Groups:
        """The models of a file that `save` wrote."""
        try:
            with open(path, "rb") as file:
                content = file.read()
        except OSError as error:
            raise InputOutputError(f"{os.fspath(path)} cannot be read: {error.strerror}") from None
        return cls.from_bytes(content)


_KEY = b"pulsecast"


class Sent:
    """What a task knows of the model that it needs: which one, but not its bytes.

    The bytes come to a worker by the engine's own way of sharing them, and are read there once.
    """

    def __init__(self, model: Forecaster | Groups) -> None:
        self.content = model.to_bytes()
        self.is_groups = isinstance(model, Groups)
        self._digest = hashlib.sha256(self.content).hexdigest()

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "content": b""}

    def received(self, content: bytes) -> Any:
        """The forecaster, or the groups: the same one for all tasks of this process."""
        with _lock:
            found = _received.get(self._digest)
            if found is None:
                if not content:
                    raise UsageError("a task came without its model")
                found = Groups.from_bytes(content) if self.is_groups else _forecaster(content)
                while len(_received) >= _MOST:
                    del _received[next(iter(_received))]
                _received[self._digest] = found
                counts["read"] += 1
            return found


def _forecaster(content: bytes) -> Forecaster:
    return Forecaster.from_bytes(content, threads=1, progress=False)


_MOST = 4  # models that a process keeps
_received: dict[str, Any] = {}
_lock = threading.Lock()
counts = {"read": 0}  # so that a test can see that each process reads a model once
