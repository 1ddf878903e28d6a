"""What is wrong with rows, and every setting there is."""

from __future__ import annotations

import ctypes
from typing import Any

from . import _engine, _library
from ._frames._buffers import integers, texts
from ._pool import Pool
from ._rows import Frame, RowSource, names_in
from ._watch import Progress, Watched


def _examined(
    df: Frame, threads: int, progress: Progress, told: dict[str, Any]
) -> tuple[RowSource, dict[str, Any]]:
    source = RowSource(df, names_in(told.get("ignore")) + names_in(told.get("drop")))
    with Watched(progress) as watched:
        found: dict[str, Any] = _engine.document(
            "check", source.handle, _engine.new_settings(told), Pool(threads).handle(),
            ctypes.byref(watched.watch), _library.PYTHON_WORDS,
        )  # fmt: skip
    return source, found


def check_document(
    df: Frame, *, threads: int = 0, progress: Progress = None, **settings: Any
) -> dict[str, Any]:
    """All that the doctor says of a frame or a file: series, step, period, findings, remedies."""
    return _examined(df, threads, progress, settings)[1]


def check(df: Frame, *, threads: int = 0, progress: Progress = None, **settings: Any) -> Any:
    """The doctor's findings in a frame or a file, as a frame of the same kind: a row a finding, with
    what would mend it as keywords of `fit`. No row: nothing is wrong.

    >>> import pulsecast
    >>> days = ["2024-01-01", "2024-01-02", "2024-01-03", "2024-01-04"]
    >>> pulsecast.check({"ds": days, "load": [1.0, None, 3.0, 4.0]})["kind"]
    ['empty-cells']
    """
    source, document = _examined(df, threads, progress, settings)
    found = document["findings"]
    words = {
        name: texts(name, [str(finding.get(name) or "") for finding in found])
        for name in ("kind", "series", "column", "cause", "remedy")
    }
    counts = {
        name: integers(name, [int(finding.get(name) or 0) for finding in found])
        for name in ("first_line", "last_line", "count")
    }
    both = {**words, **counts}
    order = ("kind", "series", "column", "first_line", "last_line", "count", "cause", "remedy")
    return source.door.build([both[name] for name in order], "")


def settings() -> list[dict[str, Any]]:
    """Every setting there is: its `name` as a keyword, `meaning`, `default` and `choices`.

    >>> import pulsecast
    >>> [one["default"] for one in pulsecast.settings() if one["name"] == "fill"]
    ['refuse']
    """
    found = _engine.document("settings_catalogue")
    return [{**one, "name": str(one["name"]).replace("-", "_")} for one in found]


def version() -> str:
    """Of the library that runs."""
    return str(_library.library().pulsecast_version().decode())
