"""The C library: its structures and functions as `pulsecast/c/pulsecast.h` declares them.

It is loaded at the first call, not when the package is imported. ctypes releases the interpreter lock
for each call and takes it again for each callback.
"""

from __future__ import annotations

import ctypes
import functools
import os
import pathlib
from ctypes import (
    CFUNCTYPE,
    POINTER,
    Structure,
    c_char_p,
    c_double,
    c_int,
    c_int64,
    c_size_t,
    c_uint32,
    c_uint64,
    c_void_p,
)  # fmt: skip
from typing import Any

from ._errors import InputOutputError

ABI = 0

PROGRESS = CFUNCTYPE(None, c_void_p, c_char_p, c_uint64, c_uint64)
REMARK = CFUNCTYPE(None, c_void_p, c_char_p)
ASKED = CFUNCTYPE(c_int, c_void_p)
EPOCH = CFUNCTYPE(None, c_void_p, c_uint32, c_double, c_double, c_double, c_double, c_int)


class Watch(Structure):
    _fields_ = [
        ("size", c_size_t),
        ("context", c_void_p),
        ("on_progress", PROGRESS),
        ("on_remark", REMARK),
        ("is_cancelled", ASKED),
        ("is_asked_to_finish", ASKED),
    ]


class FitOptions(Structure):
    _fields_ = [
        ("size", c_size_t),
        ("threads", c_void_p),
        ("watch", POINTER(Watch)),
        ("refit", c_int),
        ("checkpoint", c_char_p),
        ("resume", c_int),
        ("allow_other_cpu", c_int),
        ("from_model", c_void_p),
        ("context", c_void_p),
        ("on_plan", c_void_p),
        ("on_step", c_void_p),
        ("on_epoch", EPOCH),
    ]


class ForecastOptions(Structure):
    _fields_ = [
        ("size", c_size_t),
        ("levels", POINTER(c_double)),
        ("level_count", c_size_t),
        ("quantiles", POINTER(c_double)),
        ("quantile_count", c_size_t),
        ("at", POINTER(c_int64)),
        ("min", POINTER(c_double)),
        ("max", POINTER(c_double)),
        ("non_negative", c_int),
        ("include_ended", c_int),
    ]


class BacktestOptions(Structure):
    _fields_ = [
        ("size", c_size_t),
        ("threads", c_void_p),
        ("watch", POINTER(Watch)),
        ("stride", c_size_t),
        ("origins", c_size_t),
        ("part", c_char_p),
        ("refit_every", c_size_t),
        ("refit_on_drift", c_int),
        ("history_rows", c_size_t),
        ("drift_window", c_size_t),
        ("out", c_char_p),
        ("resume", c_int),
        ("against", c_void_p),
    ]


NAIVE_STAMPS, COMPONENTS, CUTOFF = 1, 2, 4  # pulsecast_arrow_flags
PYTHON_WORDS = 2  # pulsecast_words

# What each takes before the error, in the header's order; all of these give a status.
_HANDLE, _OUT = c_void_p, c_void_p
_CALLS: dict[str, tuple[Any, ...]] = {
    "threads_new": (c_size_t, _OUT),
    "settings_new": (_OUT,),
    "settings_set": (_HANDLE, c_char_p, c_char_p),
    "settings_set_list": (_HANDLE, c_char_p, POINTER(c_char_p), c_size_t),
    "settings_json": (_HANDLE, _OUT),
    "settings_of_model": (_HANDLE, _OUT),
    "settings_for_reading": (_HANDLE, _OUT),
    "settings_catalogue": (_OUT,),
    "source_file": (c_char_p, _OUT),
    "source_arrow_stream": (c_void_p, c_char_p, _OUT),
    "check": (_HANDLE, _HANDLE, _HANDLE, c_void_p, c_int, _OUT),
    "rows_new": (_HANDLE, _HANDLE, _HANDLE, _HANDLE, c_void_p, _OUT),
    "rows_json": (_HANDLE, _OUT),
    "rows_stamps": (_HANDLE, _OUT, _OUT),
    "rows_values": (_HANDLE, c_size_t, _OUT, _OUT, _OUT),
    "fit": (_HANDLE, _HANDLE, c_void_p, _OUT),
    "model_load": (c_char_p, _OUT),
    "model_save": (_HANDLE, c_char_p),
    "model_from_bytes": (c_char_p, c_size_t, _OUT),
    "model_to_bytes": (_HANDLE, _OUT, _OUT),
    "model_card": (_HANDLE, _OUT),
    "model_inspect": (_HANDLE, _OUT),
    "model_fitted": (_HANDLE, _OUT),
    "model_forecast": (_HANDLE, _HANDLE, c_void_p, _OUT),
    "session_new": (_HANDLE, _HANDLE, _OUT),
    "session_forecast": (_HANDLE, _HANDLE, c_void_p, _OUT),
    "forecast_arrow_stream": (_HANDLE, c_int, c_void_p),
    "forecast_picture": (_HANDLE, _HANDLE, c_char_p),
    "evaluate": (_HANDLE, _HANDLE, c_char_p, _HANDLE, c_void_p, _OUT),
    "backtest": (_HANDLE, _HANDLE, _HANDLE, c_void_p, _OUT),
    "report": (_HANDLE, _HANDLE, c_char_p, c_void_p, _HANDLE, c_void_p, c_char_p),
}  # fmt: skip
_KINDS = ("error", "threads", "settings", "source", "rows", "model", "session", "forecast")


def _path() -> pathlib.Path:
    told = os.environ.get("PULSECAST_LIBRARY")
    return pathlib.Path(told) if told else pathlib.Path(__file__).parent / "libpulsecast_c.so"


@functools.cache
def library() -> Any:
    """The library, loaded and declared."""
    path = _path()
    try:
        loaded = ctypes.CDLL(str(path))
    except OSError as error:
        raise InputOutputError(f"the library {path} cannot be loaded: {error}") from None
    loaded.pulsecast_version.restype = c_char_p
    loaded.pulsecast_abi.restype = c_uint32
    if loaded.pulsecast_abi() != ABI:
        raise InputOutputError(f"the library {path} is of another version than this package")
    for name, takes in _CALLS.items():
        function = getattr(loaded, f"pulsecast_{name}")
        function.argtypes = [*takes, c_void_p]
        function.restype = c_int
    for kind in _KINDS:
        free = getattr(loaded, f"pulsecast_{kind}_free")
        free.argtypes = [c_void_p]
        free.restype = None
    loaded.pulsecast_text_free.argtypes = [c_void_p]
    loaded.pulsecast_text_free.restype = None
    loaded.pulsecast_error_json.argtypes = [c_void_p, c_int]
    loaded.pulsecast_error_json.restype = c_char_p
    loaded.pulsecast_rows_channels.argtypes = [c_void_p]
    loaded.pulsecast_rows_channels.restype = c_size_t
    loaded.pulsecast_forecast_series_count.argtypes = [c_void_p]
    loaded.pulsecast_forecast_series_count.restype = c_size_t
    return loaded
