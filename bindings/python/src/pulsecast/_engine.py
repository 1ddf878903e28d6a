"""Handles of the library, and its calls with Python's errors."""

from __future__ import annotations

import ctypes
import json
import os
from ctypes import byref, c_char_p, c_void_p
from typing import Any

from ._arrow import ArrowArray, ArrowArrayStream, ArrowSchema, Column, Owned, columns_of
from ._errors import UsageError, from_document
from ._library import PYTHON_WORDS, ForecastOptions, library


def call(name: str, *arguments: Any) -> None:
    """A call that can fail. Handles among the arguments live as long as it lasts."""
    lib = library()
    error = c_void_p()
    plain = [one.pointer if isinstance(one, Handle) else one for one in arguments]
    status = getattr(lib, f"pulsecast_{name}")(*plain, byref(error))
    if status == 0:
        return
    try:
        document = json.loads(lib.pulsecast_error_json(error, PYTHON_WORDS) or b"{}")
    finally:
        lib.pulsecast_error_free(error)
    raise from_document(status, document)


class Handle:
    """What the library made; freed with its last reference, by the process that made it.

    A child of a fork has none of the threads that its parent's handles may count on, so there they
    are left alone.
    """

    __slots__ = ("_free", "_process", "pointer")

    def __init__(self, kind: str, pointer: c_void_p) -> None:
        self.pointer = pointer
        self._free = getattr(library(), f"pulsecast_{kind}_free")
        self._process = os.getpid()

    def __del__(self) -> None:
        pointer, self.pointer = self.pointer, c_void_p()
        if pointer and self._process == os.getpid():
            self._free(pointer)


def made(kind: str, name: str, *arguments: Any) -> Handle:
    """What a call makes."""
    pointer = c_void_p()
    call(name, *arguments, byref(pointer))
    return Handle(kind, pointer)


def document(name: str, *arguments: Any) -> Any:
    """What a call says as JSON."""
    text = c_void_p()
    call(name, *arguments, byref(text))
    try:
        return json.loads(ctypes.string_at(text.value or 0))
    finally:
        library().pulsecast_text_free(text)


def path_bytes(path: str | os.PathLike[str]) -> bytes:
    encoded = os.fsencode(path)
    if b"\0" in encoded:
        raise UsageError("a path has a null character in it")
    return encoded


def text_bytes(text: str, what: str) -> bytes:
    encoded = text.encode("utf-8", "surrogatepass")
    if b"\0" in encoded:
        raise UsageError(f"{what} has a null character in it")
    return encoded


# Settings


def _text(name: str, value: Any) -> bytes:
    if isinstance(value, bool):
        return b"true" if value else b"false"
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return str(int(value)).encode()
    if isinstance(value, (str, int, float, os.PathLike)) or hasattr(value, "__index__"):
        return text_bytes(str(value), f"the value of {name}")
    raise UsageError(
        f"{name}={value!r} is a {type(value).__name__}", advice="give text, a number or a list of them"
    )


def set_all(settings: Handle, told: dict[str, Any]) -> None:
    """Sets keywords; None leaves one open."""
    for keyword, value in told.items():
        if value is None:
            continue
        name = text_bytes(keyword.replace("_", "-"), "a setting")
        if isinstance(value, (list, tuple, set)):
            words = [_text(keyword, one) for one in value]
            array = (c_char_p * max(1, len(words)))(*words)
            call("settings_set_list", settings, name, array, len(words))
        else:
            call("settings_set", settings, name, _text(keyword, value))


def new_settings(told: dict[str, Any]) -> Handle:
    settings = made("settings", "settings_new")
    set_all(settings, told)
    return settings


# Sources


def source_of(stream: ArrowArrayStream, name: str) -> Handle:
    return made("source", "source_arrow_stream", byref(stream), text_bytes(name, "a name"))


# Forecasts


def forecast_options(
    levels: list[float],
    quantiles: list[float],
    at: int | None,
    low: float | None,
    high: float | None,
    include_ended: bool,
) -> ForecastOptions:
    def doubles(values: list[float]) -> Any:
        return (ctypes.c_double * len(values))(*values) if values else None

    def one(kind: Any, value: Any) -> Any:
        return None if value is None else ctypes.pointer(kind(value))

    options = ForecastOptions(size=ctypes.sizeof(ForecastOptions))
    options.levels, options.level_count = doubles(levels), len(levels)
    options.quantiles, options.quantile_count = doubles(quantiles), len(quantiles)
    options.at = one(ctypes.c_int64, at)
    options.min, options.max = one(ctypes.c_double, low), one(ctypes.c_double, high)
    options.include_ended = include_ended
    return options


def columns_of_forecast(forecast: Handle, flags: int) -> list[Column]:
    """A row a series and step, in the memory of the forecast."""
    stream = ArrowArrayStream()
    call("forecast_arrow_stream", forecast, flags, byref(stream))
    address = ctypes.addressof(stream)
    get = ctypes.CFUNCTYPE(ctypes.c_int, c_void_p, c_void_p)
    schema, array = ArrowSchema(), ArrowArray()
    try:
        get(stream.get_schema)(address, byref(schema))
        get(stream.get_next)(address, byref(array))
    finally:
        ctypes.CFUNCTYPE(None, c_void_p)(stream.release)(address)
    return columns_of(Owned(schema, array))


# Models as bytes


def bytes_of_model(model: Handle) -> bytes:
    bytes_at, size = c_void_p(), ctypes.c_size_t()
    call("model_to_bytes", model, byref(bytes_at), byref(size))
    try:
        return ctypes.string_at(bytes_at.value or 0, size.value)
    finally:
        library().pulsecast_text_free(bytes_at)


def model_of_bytes(content: bytes) -> Handle:
    return made("model", "model_from_bytes", content, len(content))
