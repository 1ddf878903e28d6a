"""The package that files are written and read with, imported when it is first needed."""

from __future__ import annotations

from typing import Any

from .._errors import UsageError


def package() -> Any:
    """The module `onnx`."""
    try:
        import onnx
        import onnx.checker
        import onnx.helper
        import onnx.numpy_helper
    except ImportError:
        raise UsageError(
            "the package 'onnx', which reads and writes such files, is not installed",
            advice="pip install 'pulsecast[onnx]'",
        ) from None
    return onnx
