"""The packages that files are written and read with, imported when they are first needed."""

from __future__ import annotations

from typing import Any

from .._errors import UsageError


class MissingPackage(UsageError, ImportError):
    """A package that is needed is not installed."""

    def __init__(self) -> None:
        super().__init__(
            "the package 'onnx', which reads and writes such files, is not installed",
            advice="pip install 'pulsecast[onnx]'",
        )


def require_numpy() -> None:
    """NumPy, which `onnx` comes with, is needed by every module here."""
    try:
        import numpy  # noqa: F401
    except ImportError as error:
        raise MissingPackage from error


def package() -> Any:
    """The module `onnx`."""
    try:
        import onnx
        import onnx.checker
        import onnx.helper
        import onnx.numpy_helper
    except ImportError as error:
        raise MissingPackage from error
    return onnx
