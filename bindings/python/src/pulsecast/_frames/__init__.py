"""Frames as people have them: each kind is a door with the same parts."""

from __future__ import annotations

from typing import Any

from .._errors import UsageError
from . import _pandas, _plain, _tables
from ._door import Door, Rows

__all__ = ["Door", "Rows", "open_frame"]


def open_frame(frame: Any) -> Door:
    """The door for a frame, by what it is."""
    if isinstance(frame, Door):
        return frame
    if _pandas.is_mine(frame):
        return _pandas.PandasDoor(frame)
    if _tables.is_mine(frame):
        return _tables.door(frame)
    if _plain.is_mine(frame):
        return _plain.door(frame)
    raise UsageError(
        f"a {type(frame).__name__} is no frame",
        advice="give a frame of pandas, polars or pyarrow, an array, a dictionary of columns or a list",
    )
