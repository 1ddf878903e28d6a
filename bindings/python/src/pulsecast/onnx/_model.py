"""The model file as the graph's makers read it.

Its bytes come from the library, which has checked them: a file of an older version is written anew, and
a damaged one never gets here. So this reads the newest version alone and compares nothing.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

import numpy

if TYPE_CHECKING:
    from numpy.typing import NDArray

_TYPES: dict[str, str] = {"F32": "<f4", "F64": "<f8"}
# Fields of a shape that files leave out where they are as always.
_USUAL = {"companion": False}


class Step:
    """The time from one row to the next: `count` of a unit.

    >>> Step("15min").unit, Step("15min").count
    ('ms', 900000)
    >>> Step("1q").unit, Step("1q").count
    ('month', 3)
    """

    _UNITS = {
        "ms": ("ms", 1),
        "s": ("ms", 1000),
        "min": ("ms", 60_000),
        "h": ("ms", 3_600_000),
        "d": ("day", 1),
        "w": ("day", 7),
        "b": ("business day", 1),
        "mo": ("month", 1),
        "q": ("month", 3),
        "y": ("month", 12),
        "me": ("month end", 1),
    }

    def __init__(self, text: str) -> None:
        told = re.fullmatch(r"(\d*)\s*([a-z]+)", text)
        if told is None or told[2] not in self._UNITS:
            raise ValueError(f"{text!r} is no step such as '15min', '1h' or '1mo'")
        self.text = text
        self.unit, units = self._UNITS[told[2]]
        self.count = int(told[1] or 1) * units


class Member:
    """One of the models that forecast together: its shape, its weights, its share."""

    def __init__(self, shape: dict[str, Any], weights: dict[str, NDArray[Any]], share: float) -> None:
        self.shape = {**_USUAL, **shape}
        self.sizes: dict[str, Any] = shape["backbone_sizes"]
        self.weights = weights
        self.share = share

    def __getitem__(self, field: str) -> Any:
        return self.shape[field]

    def layer(self, name: str) -> tuple[NDArray[Any], NDArray[Any]]:
        """Weight and bias."""
        return self.weights[f"{name}.weight"], self.weights[f"{name}.bias"]

    @property
    def title(self) -> str:
        backbone = str(self.shape["backbone"])
        return backbone if self.shape["alone"] else f"PULSE with {backbone}"


class Model:
    """What a model file says."""

    def __init__(self, file: bytes) -> None:
        self.tensors, metadata = _read(file)
        told = json.loads(metadata["pulsecast"])
        self.settings: dict[str, dict[str, list[str]]] = told["settings"]
        self.written_by: str = told["origin"]["written_by"]
        self.channels: list[dict[str, Any]] = told["channels"]
        self.time: dict[str, Any] = told["time"]
        self.step = Step(self.time["step"])
        self.statics: list[dict[str, Any]] = json.loads(metadata.get("pulsecast statics", "[]"))
        shares = [told.get("share", 1.0), *(other["share"] for other in told.get("others", ()))]
        shapes = [told["shape"], *(other["shape"] for other in told.get("others", ()))]
        self.members = [
            Member(shape, self._weights_of(i), share)
            for i, (shape, share) in enumerate(zip(shapes, shares))
        ]
        self.lookback = max(int(member["lookback"]) for member in self.members)
        self.horizon = int(shapes[0]["horizon"])

    def _weights_of(self, member: int) -> dict[str, NDArray[Any]]:
        prefix = f"other.{member}." if member else ""
        return {
            name[len(prefix) :]: tensor
            for name, tensor in self.tensors.items()
            if name.startswith(prefix)
        }

    def of_role(self, role: str) -> list[int]:
        """Places of the channels of a role."""
        return [i for i, channel in enumerate(self.channels) if channel["role"] == role]

    def names(self, role: str) -> list[str]:
        return [str(self.channels[i]["name"]) for i in self.of_role(role)]

    def setting(self, section: str, name: str) -> str:
        return self.settings[section].get(name, [""])[0]

    @property
    def is_panel(self) -> bool:
        return self.setting("data", "panel") == "series"

    @property
    def known_are_inputs(self) -> bool:
        return self.setting("model", "known-as") in ("features", "both")

    @property
    def has_effects(self) -> bool:
        return "effects.weights" in self.tensors

    @property
    def known_columns(self) -> list[str]:
        """Names of what is known of a window; in a panel each series has columns of its own by them."""
        names = self.names("known")
        columns = len(self.tensors["effects.columns"]) if self.has_effects else len(names)
        if columns == len(names):
            return names
        told = self.settings["data"].get("known", [])
        return told if len(told) == columns else names[:columns]

    @property
    def title(self) -> str:
        others = len(self.members) - 1
        behind = "" if others == 0 else f" and {others} other{'s' if others > 1 else ''}"
        return self.members[0].title + behind


def _read(file: bytes) -> tuple[dict[str, NDArray[Any]], dict[str, str]]:
    """Tensors and metadata of a safetensors file."""
    length = int.from_bytes(file[:8], "little")
    header = json.loads(file[8 : 8 + length])
    metadata: dict[str, str] = header.pop("__metadata__", {})
    data = memoryview(file)[8 + length :]
    tensors = {}
    for name, entry in header.items():
        begin, end = entry["data_offsets"]
        array = numpy.frombuffer(data[begin:end], dtype=_TYPES[entry["dtype"]])
        tensors[name] = array.reshape(entry["shape"])
    return tensors, metadata
