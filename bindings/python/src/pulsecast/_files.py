"""Files that hold tables of Arrow: Parquet and Feather, read by pyarrow where it is installed."""

from __future__ import annotations

import os
from typing import Any

from ._errors import DataError, UsageError

# What such a file begins with.
_KINDS = {b"PAR1": "Parquet", b"ARROW1": "Feather", b"FEA1": "Feather"}


def table_in(path: str | os.PathLike[str]) -> Any:
    """The table of a file of these kinds; None of others, which the library reads."""
    try:
        with open(path, "rb") as file:
            head = file.read(6)
    except (OSError, ValueError):
        return None  # the library says what is wrong
    kind = next((kind for magic, kind in _KINDS.items() if head.startswith(magic)), None)
    if kind is None:
        return None
    try:
        import pyarrow
        from pyarrow import feather, parquet
    except ModuleNotFoundError:
        raise UsageError(
            f"{os.fspath(path)} is a {kind} file, which pyarrow reads, and that is not installed",
            advice="pip install 'pulsecast[files]'",
        ) from None
    try:
        return parquet.read_table(path) if kind == "Parquet" else feather.read_table(path)
    except (pyarrow.ArrowException, OSError) as error:
        raise DataError(f"{os.fspath(path)} is a {kind} file that cannot be read: {error}") from None
