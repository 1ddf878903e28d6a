"""Pictures of forecasts, drawn by the library; no plotting package is needed."""

from __future__ import annotations

import os
import pathlib

from . import _engine
from ._rows import ReadRows


class Picture:
    """An SVG that notebooks show."""

    def __init__(self, svg: str) -> None:
        self.svg = svg

    def _repr_svg_(self) -> str:
        return self.svg

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the SVG."""
        pathlib.Path(path).write_text(self.svg, encoding="utf-8")

    def __repr__(self) -> str:
        return f"<picture of a forecast, {len(self.svg)} bytes of SVG>"


def _draw(forecast: _engine.Handle, rows: ReadRows, path: str | os.PathLike[str]) -> None:
    _engine.call("forecast_picture", forecast, rows.handle, _engine.path_bytes(path))


def picture_of(forecast: _engine.Handle, rows: ReadRows, path: str | os.PathLike[str] | None) -> Picture:
    """The picture, which is also written to `path` (.svg or .png) where there is one."""
    import tempfile  # costs as much as half of this package

    with tempfile.TemporaryDirectory(prefix="pulsecast-") as folder:
        drawn = os.path.join(folder, "forecast.svg")
        _draw(forecast, rows, drawn)
        picture = Picture(pathlib.Path(drawn).read_text(encoding="utf-8"))
    if path is not None:
        _draw(forecast, rows, path)
    return picture
