"""Columns from NumPy arrays and from lists, and back."""

from __future__ import annotations

import array
import ctypes
import datetime
import math
import re
from collections.abc import Sequence
from typing import Any

from .._arrow import Column
from .._errors import DataError
from .._stamps import EPOCH

# Arrow's letters for NumPy's kinds and widths; what is in neither is made float64.
_NUMBERS = {
    "f8": "g", "f4": "f", "i8": "l", "i4": "i", "i2": "s", "i1": "c",
    "u1": "C", "u2": "S", "u4": "I", "u8": "L",
}  # fmt: skip
_UNITS = {"s": "tss:", "ms": "tsm:", "us": "tsu:", "ns": "tsn:"}
_ONE_SECOND = {"tss": 1, "tsm": 10**3, "tsu": 10**6, "tsn": 10**9}

_ONE_MICROSECOND = datetime.timedelta(microseconds=1)


def refuse(name: str, what: str, advice: str) -> DataError:
    """The error for a column that cannot be read, in the form of the engine's own."""
    return DataError(f"column {name!r} holds {what}", advice=advice)


def address_of(values: Any) -> int:
    """Where the memory of a NumPy array begins."""
    return int(values.__array_interface__["data"][0])


def numbers(name: str, values: Any) -> Column:
    """Of a NumPy array of one dimension; a copy only where it has strides or a width of its own."""
    import numpy

    if values.dtype.kind == "b":
        values = values.view("u1")
    if values.dtype.str[1:] not in _NUMBERS or not values.dtype.isnative:
        values = values.astype("f8")
    values = numpy.ascontiguousarray(values)
    format = _NUMBERS[values.dtype.str[1:]]
    return Column(name, format, len(values), (None, address_of(values)), values)


def stamps(name: str, values: Any, zone: str = "") -> Column:
    """Of a NumPy array of datetime64; those of `zone` are instants of UTC."""
    import numpy

    unit, count = numpy.datetime_data(values.dtype)
    if unit not in _UNITS or count != 1 or not values.dtype.isnative:
        if unit not in _UNITS:
            unit = "ns" if unit in ("ps", "fs", "as") else "s"
        values = values.astype(f"M8[{unit}]")
    values = numpy.ascontiguousarray(values)
    missing = numpy.isnat(values)
    count = int(missing.sum())
    present = numpy.packbits(~missing, bitorder="little") if count else None
    validity = None if present is None else address_of(present)
    return Column(
        name, _UNITS[unit] + zone, len(values), (validity, address_of(values)), (values, present),
        nulls=count,
    )  # fmt: skip


def texts(name: str, values: Sequence[str | None]) -> Column:
    """Of strings; None where there is none."""
    encoded = [b"" if value is None else value.encode("utf-8", "surrogatepass") for value in values]
    data = b"".join(encoded)
    ends = array.array("q", [0])
    total = 0
    for one in encoded:
        total += len(one)
        ends.append(total)
    held = ctypes.c_char_p(data)
    validity, missing = _validity([value is not None for value in values])
    return Column(
        name,
        "U",
        len(values),
        (_begin(validity), ends.buffer_info()[0], ctypes.cast(held, ctypes.c_void_p).value),
        (data, held, ends, validity),
        nulls=missing,
    )


def categories(name: str, codes: Any, words: Sequence[str]) -> Column:
    """Of numbers into a list of words; -1 is none of them."""
    import numpy

    codes = numpy.ascontiguousarray(codes)
    missing = codes < 0
    count = int(missing.sum())
    present = numpy.packbits(~missing, bitorder="little") if count else None
    validity = None if present is None else address_of(present)
    return Column(
        name, _NUMBERS[codes.dtype.str[1:]], len(codes), (validity, address_of(codes)),
        (codes, present), nulls=count, dictionary=texts(name, words),
    )  # fmt: skip


def plain(name: str, values: Sequence[Any]) -> Column:
    """Of a list of numbers, texts or datetimes; None and NaN are missing."""
    values = [None if _is_missing(value) else value for value in values]
    known = [value for value in values if value is not None]
    if all(isinstance(value, str) for value in known) and known:
        return texts(name, values)
    if all(isinstance(value, datetime.date) for value in known) and known:
        return _datetimes(name, values)
    doubles = array.array("d", bytes(8 * len(values)))
    for row, value in enumerate(values):
        doubles[row] = _number(name, row, value)
    return Column(name, "g", len(values), (None, doubles.buffer_info()[0]), doubles)


def _is_missing(value: Any) -> bool:
    """None, NaN, or NaT, which is a datetime that is not itself."""
    return value is None or (isinstance(value, (float, datetime.date)) and value != value)


def nothing(name: str, length: int) -> Column:
    """A column that is there and says nothing."""
    return Column(name, "n", length, (), None, nulls=length)


def integers(name: str, values: Sequence[int]) -> Column:
    held = array.array("q", values)
    return Column(name, "l", len(values), (None, held.buffer_info()[0]), held)


def _number(name: str, row: int, value: Any) -> float:
    if value is None:
        return math.nan
    if isinstance(value, (str, bytes)):
        raise refuse(name, f"text among numbers, in row {row}: {value!r}", "give one kind of values")
    try:
        return float(value)
    except OverflowError:
        raise refuse(
            name, f"a number beyond 1e308, in row {row}", "give numbers that a float holds"
        ) from None
    except (TypeError, ValueError):
        raise refuse(
            name,
            f"what is no number, in row {row}: {type(value).__name__}",
            "give numbers, texts or datetimes",
        ) from None


def _datetimes(name: str, values: Sequence[datetime.date | None]) -> Column:
    zones = {getattr(value, "tzinfo", None) is not None for value in values if value is not None}
    if len(zones) > 1:
        raise refuse(name, "stamps with a zone and stamps without", "give all of them a zone, or none")
    micros = array.array("q", bytes(8 * len(values)))
    for row, value in enumerate(values):
        if value is not None:
            micros[row] = _microseconds(value)
    validity, missing = _validity([value is not None for value in values])
    zone = _shared_zone(values) if True in zones else ""
    return Column(
        name, "tsu:" + zone, len(values), (_begin(validity), micros.buffer_info()[0]),
        (micros, validity), nulls=missing,
    )  # fmt: skip


def _shared_zone(values: Sequence[Any]) -> str:
    """The IANA name that datetimes share, or UTC: they are instants either way."""
    names = {name_of_zone(value.tzinfo) for value in values if value is not None}
    return names.pop() if len(names) == 1 else "UTC"


def name_of_zone(zone: Any) -> str:
    """The IANA name that zoneinfo or pytz gave it; UTC of offsets and of others without one."""
    return str(getattr(zone, "key", None) or getattr(zone, "zone", None) or "UTC")


def names_zone(stamp: Any) -> bool:
    """Whether text of a stamp ends with Z or an offset."""
    return isinstance(stamp, str) and re.search(r"\d(Z|[+-]\d\d:?\d\d)$", stamp) is not None


def _microseconds(value: datetime.date) -> int:
    if not isinstance(value, datetime.datetime):
        value = datetime.datetime(value.year, value.month, value.day)
    if value.tzinfo is None:
        value = value.replace(tzinfo=datetime.timezone.utc)
    return (value - EPOCH) // _ONE_MICROSECOND


def _validity(is_there: Sequence[bool]) -> tuple[bytearray | None, int]:
    missing = len(is_there) - sum(is_there)
    if missing == 0:
        return None, 0
    bits = bytearray((len(is_there) + 7) // 8)
    for row, there in enumerate(is_there):
        if there:
            bits[row // 8] |= 1 << (row % 8)
    return bits, missing


def _begin(bits: bytearray | None) -> int | None:
    return None if bits is None else ctypes.addressof(ctypes.c_char.from_buffer(bits))


# Back


_WIDTHS: dict[str, tuple[Any, str]] = {
    "g": (ctypes.c_double, "f8"),
    "f": (ctypes.c_float, "f4"),
    "l": (ctypes.c_int64, "i8"),
    "i": (ctypes.c_int32, "i4"),
    "I": (ctypes.c_uint32, "u4"),
    "L": (ctypes.c_uint64, "u8"),
    "s": (ctypes.c_int16, "i2"),
    "c": (ctypes.c_int8, "i1"),
}


def raw_values(column: Column) -> Any:
    """The values as a ctypes array, which holds their memory."""
    kind = ctypes.c_int64 if column.is_stamp() else _WIDTHS[column.format][0]
    if column.length == 0:
        return (kind * 0)()
    start = (column.buffers[1] or 0) + column.offset * ctypes.sizeof(kind)
    raw: Any = (kind * column.length).from_address(start)
    raw._keep = column.keep
    return raw


def to_numpy(column: Column) -> Any:
    """Numbers and stamps in the memory of the column, texts as objects."""
    import numpy

    if column.is_text():
        if column.dictionary is not None:
            words = numpy.array(to_list(column.dictionary), dtype=object)
            return words[_view(column)]
        return numpy.array(to_list(column), dtype=object)
    if column.format == "b":
        return numpy.array(to_list(column), dtype=bool)
    values = _view(column)
    if column.is_stamp():
        unit = {"s": "s", "m": "ms", "u": "us", "n": "ns"}[column.format[2]]
        return values.view(f"M8[{unit}]")
    if column.nulls:
        values = values.astype("f8")
        values[~numpy.array(_is_there(column), dtype=bool)] = numpy.nan
    return values


def codes(column: Column) -> Any:
    """Of a column with a dictionary, the number of each row's word."""
    return _view(column)


def _view(column: Column) -> Any:
    import numpy

    if column.length == 0:
        return numpy.empty(0, "i8" if column.is_stamp() else _WIDTHS[column.format][1])
    return numpy.ctypeslib.as_array(raw_values(column))


def to_list(column: Column) -> list[Any]:
    """Python values; None where there is none, datetimes of UTC or naive."""
    if column.dictionary is not None:
        words = to_list(column.dictionary)
        values: list[Any] = [words[code] for code in raw_values(column)]
    elif column.is_text():
        values = _strings(column)
    elif column.format == "b":
        bits = ctypes.string_at(column.buffers[1] or 0, (column.offset + column.length + 7) // 8)
        rows = range(column.offset, column.offset + column.length)
        values = [bool(bits[row // 8] >> (row % 8) & 1) for row in rows]
    elif column.is_stamp():
        second = _ONE_SECOND[column.format[:3]]
        zone = datetime.timezone.utc if column.format[4:] else None
        base = EPOCH.replace(tzinfo=zone)
        values = [
            base + datetime.timedelta(seconds=raw // second, microseconds=raw % second * 10**6 // second)
            for raw in raw_values(column)
        ]
    else:
        values = list(raw_values(column))
    if column.nulls:
        values = [value if there else None for value, there in zip(values, _is_there(column))]
    return values


def _is_there(column: Column) -> list[bool]:
    if not column.buffers[0]:
        return [True] * column.length
    bits = ctypes.string_at(column.buffers[0], (column.offset + column.length + 7) // 8)
    rows = range(column.offset, column.offset + column.length)
    return [bool(bits[row // 8] >> (row % 8) & 1) for row in rows]


def _strings(column: Column) -> list[Any]:
    kind = ctypes.c_int64 if column.format == "U" else ctypes.c_int32
    if column.length == 0:
        return []
    start = (column.buffers[1] or 0) + column.offset * ctypes.sizeof(kind)
    ends = (kind * (column.length + 1)).from_address(start)
    data = ctypes.string_at(column.buffers[2] or 0, ends[column.length])
    return [
        data[first:last].decode("utf-8", "surrogatepass") for first, last in zip(ends[:-1], ends[1:])
    ]
