"""Rows through the Arrow C data interface, without an Arrow library.

A `Column` says where the buffers of a column lie and holds what owns them. `stream_of` hands columns
to whoever reads the interface; `columns_of` looks at a batch that came through it. Neither
copies a value.

The layouts are those of https://arrow.apache.org/docs/format/CDataInterface.html.
"""

from __future__ import annotations

import ctypes
import itertools
from collections.abc import Sequence
from typing import Any, Optional

_Address = Optional[int]


class ArrowSchema(ctypes.Structure):
    """What a column is."""


class ArrowArray(ctypes.Structure):
    """The buffers of a column."""


class ArrowArrayStream(ctypes.Structure):
    """Batches of the same columns, one after the other."""


ArrowSchema._fields_ = [
    ("format", ctypes.c_char_p),
    ("name", ctypes.c_char_p),
    ("metadata", ctypes.c_char_p),
    ("flags", ctypes.c_int64),
    ("n_children", ctypes.c_int64),
    ("children", ctypes.POINTER(ctypes.c_void_p)),
    ("dictionary", ctypes.c_void_p),
    ("release", ctypes.c_void_p),
    ("private_data", ctypes.c_void_p),
]
ArrowArray._fields_ = [
    ("length", ctypes.c_int64),
    ("null_count", ctypes.c_int64),
    ("offset", ctypes.c_int64),
    ("n_buffers", ctypes.c_int64),
    ("n_children", ctypes.c_int64),
    ("buffers", ctypes.POINTER(ctypes.c_void_p)),
    ("children", ctypes.POINTER(ctypes.c_void_p)),
    ("dictionary", ctypes.c_void_p),
    ("release", ctypes.c_void_p),
    ("private_data", ctypes.c_void_p),
]
ArrowArrayStream._fields_ = [
    ("get_schema", ctypes.c_void_p),
    ("get_next", ctypes.c_void_p),
    ("get_last_error", ctypes.c_void_p),
    ("release", ctypes.c_void_p),
    ("private_data", ctypes.c_void_p),
]

_NULLABLE = 2

# What exported structures point to, until whoever has them releases them.
_kept: dict[int, object] = {}
_tokens = itertools.count(1)
_RELEASE = ctypes.CFUNCTYPE(None, ctypes.c_void_p)


def _release_in(kind: Any) -> Any:
    """The `release` of structures of that kind: its children's, then what they point to."""

    def release(address: int) -> None:
        one = kind.from_address(address)
        below = [one.children[i] for i in range(one.n_children)]
        if one.dictionary:
            below.append(one.dictionary)
        for child_address in below:
            child = kind.from_address(child_address)
            if child.release:
                _RELEASE(child.release)(child_address)
        one.release = None
        _kept.pop(one.private_data, None)

    return _RELEASE(release)


_release_schema = _release_in(ArrowSchema)
_release_array = _release_in(ArrowArray)


def _own(structure: Any, release: Any, *kept: object) -> Any:
    token = next(_tokens)
    _kept[token] = (structure, *kept)
    structure.private_data = token
    structure.release = ctypes.cast(release, ctypes.c_void_p).value
    return structure


def _addresses(structures: Sequence[Any]) -> Any:
    return (ctypes.c_void_p * max(1, len(structures)))(*map(ctypes.addressof, structures))


class Column:
    """Values of one column: an Arrow format, the addresses of its buffers, and who owns them."""

    __slots__ = ("buffers", "dictionary", "format", "keep", "length", "name", "nulls", "offset")

    def __init__(
        self,
        name: str,
        format: str,
        length: int,
        buffers: Sequence[_Address],
        keep: object,
        nulls: int = 0,
        offset: int = 0,
        dictionary: Column | None = None,
    ) -> None:
        self.name = name
        self.format = format
        self.length = length
        self.buffers = tuple(buffers)  # validity first
        self.keep = keep
        self.nulls = nulls  # -1: not counted
        self.offset = offset
        self.dictionary = dictionary

    def renamed(self, name: str) -> Column:
        return Column(
            name, self.format, self.length, self.buffers, self.keep, self.nulls, self.offset,
            self.dictionary,
        )  # fmt: skip

    def part(self, first: int, length: int) -> Column:
        """Some of the rows, in the same memory."""
        return Column(
            self.name, self.format, length, self.buffers, self.keep, -1 if self.nulls else 0,
            self.offset + first, self.dictionary,
        )  # fmt: skip

    def schema(self) -> ArrowSchema:
        below = self.dictionary.schema() if self.dictionary is not None else None
        schema = ArrowSchema(format=self.format.encode(), name=self.name.encode(), flags=_NULLABLE)
        schema.dictionary = None if below is None else ctypes.addressof(below)
        return _own(schema, _release_schema, below)  # type: ignore[no-any-return]

    def array(self) -> ArrowArray:
        below = self.dictionary.array() if self.dictionary is not None else None
        pointers = (ctypes.c_void_p * len(self.buffers))(*self.buffers)
        array = ArrowArray(
            length=self.length, null_count=self.nulls, offset=self.offset,
            n_buffers=len(self.buffers), buffers=pointers,
        )  # fmt: skip
        array.dictionary = None if below is None else ctypes.addressof(below)
        return _own(array, _release_array, pointers, self.keep, below)  # type: ignore[no-any-return]

    def is_text(self) -> bool:
        return (self.dictionary or self).format in ("u", "U", "vu")

    def is_stamp(self) -> bool:
        return self.format.startswith("ts")


class ForeignColumn:
    """A column of another library, as the two capsules of its `__arrow_c_array__`."""

    def __init__(self, name: str, capsules: tuple[object, object]) -> None:
        self.name = name
        self.capsules = capsules

    def schema(self) -> ArrowSchema:
        theirs = _pointer(ArrowSchema, self.capsules[0], b"arrow_schema")
        named = ArrowSchema.from_buffer_copy(theirs)
        name = self.name.encode()
        named.name = name
        named.release = None  # the capsule's to release
        return _own(named, _BORROWED_SCHEMA, self.capsules[0], name)  # type: ignore[no-any-return]

    def array(self) -> ArrowArray:
        theirs = _pointer(ArrowArray, self.capsules[1], b"arrow_array")
        borrowed = ArrowArray.from_buffer_copy(theirs)
        return _own(borrowed, _BORROWED_ARRAY, self.capsules[1])  # type: ignore[no-any-return]


def _borrowed_in(kind: Any) -> Any:
    """The `release` of what has nothing below it that is ours to release."""

    def release(address: int) -> None:
        one = kind.from_address(address)
        one.release = None
        _kept.pop(one.private_data, None)

    return _RELEASE(release)


_BORROWED_SCHEMA = _borrowed_in(ArrowSchema)
_BORROWED_ARRAY = _borrowed_in(ArrowArray)


def batch_schema(columns: Sequence[Column | ForeignColumn]) -> ArrowSchema:
    """What a batch of columns is, as a struct; whoever takes it releases it."""
    below = [column.schema() for column in columns]
    children = _addresses(below)
    schema = ArrowSchema(format=b"+s", name=b"", n_children=len(below), children=children)
    return _own(schema, _release_schema, below, children)  # type: ignore[no-any-return]


def batch_array(columns: Sequence[Column | ForeignColumn]) -> ArrowArray:
    """The rows of such a batch."""
    below = [column.array() for column in columns]
    children = _addresses(below)
    no_buffers = (ctypes.c_void_p * 1)(None)
    array = ArrowArray(
        length=below[0].length if below else 0,
        n_buffers=1,
        buffers=no_buffers,
        n_children=len(below),
        children=children,
    )
    return _own(array, _release_array, below, children, no_buffers)  # type: ignore[no-any-return]


def release(structure: Any) -> None:
    """Gives back a structure that nobody took."""
    if structure.release:
        _RELEASE(structure.release)(ctypes.addressof(structure))


# Streams


_GET = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)
_ERROR = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p)


def _move(structure: Any, to: int) -> None:
    ctypes.memmove(to, ctypes.addressof(structure), ctypes.sizeof(structure))


class _OneBatch:
    """What a stream of ours gives: its columns, once."""

    def __init__(self, columns: Sequence[Column | ForeignColumn]) -> None:
        self.columns = columns
        self.is_given = False


def _batch_of(address: int) -> _OneBatch:
    kept = _kept[ArrowArrayStream.from_address(address).private_data]
    return kept[1]  # type: ignore[index,no-any-return]


def _get_schema(address: int, out: int) -> int:
    _move(batch_schema(_batch_of(address).columns), out)
    return 0


def _get_next(address: int, out: int) -> int:
    batch = _batch_of(address)
    if batch.is_given:
        ctypes.memset(out, 0, ctypes.sizeof(ArrowArray))
        return 0
    batch.is_given = True
    _move(batch_array(batch.columns), out)
    return 0


# These live as long as the module: none may be freed while it runs.
_STREAM_CALLS = {
    "get_schema": _GET(_get_schema),
    "get_next": _GET(_get_next),
    "get_last_error": _ERROR(lambda _: None),
}
_release_stream = _borrowed_in(ArrowArrayStream)


def stream_of(columns: Sequence[Column | ForeignColumn]) -> ArrowArrayStream:
    """A stream of one batch."""
    stream = ArrowArrayStream()
    for field, call in _STREAM_CALLS.items():
        setattr(stream, field, ctypes.cast(call, ctypes.c_void_p).value)
    return _own(stream, _release_stream, _OneBatch(columns))  # type: ignore[no-any-return]


# Capsules: how Python libraries pass these structures to each other


_api = ctypes.pythonapi
_api.PyCapsule_New.restype = ctypes.py_object
_api.PyCapsule_New.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
# The capsule as an address: its destructor must not make a new reference to it.
_api.PyCapsule_GetPointer.restype = ctypes.c_void_p
_api.PyCapsule_GetPointer.argtypes = [ctypes.c_void_p, ctypes.c_char_p]


def _pointer(kind: Any, capsule: object, name: bytes) -> Any:
    return kind.from_address(_api.PyCapsule_GetPointer(id(capsule), name))


def stream_behind(table: Any) -> tuple[ArrowArrayStream, object]:
    """The stream of an object with `__arrow_c_stream__`, and the capsule that owns it."""
    capsule = table.__arrow_c_stream__()
    return _pointer(ArrowArrayStream, capsule, b"arrow_array_stream"), capsule


def _capsule(structure: Any, name: bytes, destructor: Any) -> object:
    token = structure.private_data
    address = ctypes.addressof(structure)
    assert token in _kept
    return _api.PyCapsule_New(address, name, ctypes.cast(destructor, ctypes.c_void_p))


def _destructor(kind: Any, name: bytes) -> Any:
    def destroy(capsule: int) -> None:
        address = _api.PyCapsule_GetPointer(capsule, name)
        structure = kind.from_address(address)
        if structure.release:
            _RELEASE(structure.release)(address)
        _handed_out.pop(address, None)

    return ctypes.CFUNCTYPE(None, ctypes.c_void_p)(destroy)


# Structures in capsules: whoever takes one moves it and leaves its memory to us.
_handed_out: dict[int, object] = {}
_DESTROY_STREAM = _destructor(ArrowArrayStream, b"arrow_array_stream")


class Batch:
    """Columns as an object that pyarrow, polars and pandas read."""

    def __init__(self, columns: Sequence[Column]) -> None:
        self.columns = columns

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        stream = stream_of(self.columns)
        _handed_out[ctypes.addressof(stream)] = stream
        return _capsule(stream, b"arrow_array_stream", _DESTROY_STREAM)


# What comes in


class Owned:
    """A batch that came through the interface; released with the last column that looks at it."""

    def __init__(self, schema: ArrowSchema, array: ArrowArray) -> None:
        self.schema = schema
        self.array = array

    def __del__(self) -> None:
        release(self.array)
        release(self.schema)


def columns_of(owned: Owned) -> list[Column]:
    """The columns of a batch, in its memory."""
    schema, array = owned.schema, owned.array
    return [
        _column(
            ArrowSchema.from_address(schema.children[i]),
            ArrowArray.from_address(array.children[i]),
            owned,
        )
        for i in range(schema.n_children)
    ]


def _column(schema: ArrowSchema, array: ArrowArray, keep: object) -> Column:
    dictionary = None
    if schema.dictionary:
        dictionary = _column(
            ArrowSchema.from_address(schema.dictionary),
            ArrowArray.from_address(array.dictionary),
            keep,
        )
    return Column(
        (schema.name or b"").decode(),
        schema.format.decode(),
        array.length,
        [array.buffers[i] for i in range(array.n_buffers)],
        keep,
        array.null_count,
        array.offset,
        dictionary,
    )
