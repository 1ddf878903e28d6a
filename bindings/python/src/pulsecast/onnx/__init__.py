"""Forecasts without this package: a model file as a graph that ONNX Runtime computes.

`Forecaster.export_onnx(path)`, or `export` here, writes everything between rows and a forecast in their
own units: scaler, calendar, anchor, router, every member of a blend, effects of known columns. What a
file wants is in it: `describe(path)` has channels, step, look-back, horizon, and what each input is.

It needs the package `onnx` (`pip install 'pulsecast[onnx]'`) to write files; computing them needs ONNX
Runtime, or whatever else runs opset 13. Ranges are not written.
"""

from __future__ import annotations

import os
import tempfile
from typing import TYPE_CHECKING, Union

from .. import _engine
from .._errors import InputOutputError
from ._package import require_numpy

require_numpy()  # says what to install, before the others miss it

from ._export import graph_of  # noqa: E402
from ._inputs import describe, new_series, profile_of, wall_clock  # noqa: E402
from ._model import Model  # noqa: E402

if TYPE_CHECKING:
    PathLike = Union[str, "os.PathLike[str]"]

__all__ = ["describe", "export", "new_series", "profile_of", "wall_clock"]


def export(model_file: PathLike, path: PathLike) -> None:
    """A model file as ONNX.

    Throws UsageError that says why where a model has a part that cannot be written.
    """
    from ..forecaster import Forecaster

    write(Forecaster.load(model_file).to_bytes(), path)


def write(model_bytes: bytes, path: PathLike) -> None:
    """The bytes of a model file, from the library, as ONNX.

    A file is written beside, then renamed; what is no file, such as a pipe, is written to.
    """
    target = os.path.realpath(os.fsdecode(_engine.path_bytes(path)))
    made: bytes = graph_of(Model(model_bytes)).SerializeToString()
    try:
        if os.path.exists(target) and not os.path.isfile(target):
            with open(target, "wb") as out:
                out.write(made)
            return
        folder, name = os.path.split(target)
        with tempfile.TemporaryDirectory(dir=folder, prefix=".pulsecast-") as beside:
            whole = os.path.join(beside, name)
            with open(whole, "wb") as out:
                out.write(made)
                out.flush()
                os.fsync(out.fileno())
            os.replace(whole, target)
    except OSError as error:
        message = f"{os.fspath(path)!r} cannot be written: {error.strerror}"
        raise InputOutputError(message, where=str(path)) from error
