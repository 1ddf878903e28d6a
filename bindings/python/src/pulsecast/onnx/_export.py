"""The whole forecast as one graph: rows in original units in, a forecast in original units out."""

from __future__ import annotations

import json
from typing import Any

import numpy

from .._errors import Remedy, UsageError
from ._calendar import Calendar
from ._effects import effects, known_columns, profile
from ._graph import Graph, Value
from ._member import BACKBONES, forecast
from ._model import Model
from ._package import package
from ._window import Window

METADATA = "pulsecast"  # the key of the model's metadata, whose value is a JSON text

_FARTHEST = 1e15  # scales from the mean that the engine computes with
_LARGEST_FILE = 2**31 - 2**24  # bytes: what protocol buffers hold, and room for nodes


def graph_of(model: Model) -> Any:
    """The ONNX model of a model. Throws UsageError that says why there is none."""
    onnx = package()
    _require_exportable(model)
    graph = Graph(onnx)
    calendar = Calendar(graph, model)
    values = _values(graph, model)
    mean, scale = _scaler(graph, model)
    scaled = (values - mean) / scale
    there = scaled.absolute().is_at_most(_FARTHEST).all(2)  # (batch, channels, 1)
    moved = _moved(graph, model, calendar)
    seen = scaled if moved is None else scaled - moved.cut(2, 0, model.lookback)
    # The zeros keep a gap from what other channels are told.
    history = there.where(seen.cast(numpy.float32), 0.0)
    future = _blend(model, history, calendar, _known_inputs(graph, model)).cast(numpy.float64)
    if moved is not None:
        future = future + moved.cut(2, model.lookback, model.lookback + model.horizon)
    original = _still_constant(model, values, future * scale + mean)
    result = there.where(original, numpy.nan).transpose(0, 2, 1)
    sizes = ("batch", model.horizon, _channels(model))
    about = json.dumps(describe_model(model, graph.described), ensure_ascii=False)
    return graph.finish(result, sizes, {METADATA: about})


def _channels(model: Model) -> int:
    return 1 if model.is_panel else len(model.of_role("target"))


def _values(graph: Graph, model: Model) -> Value:
    """(batch, channels, lookback)"""
    what = "a series" if model.is_panel else "each of `channels`"
    meaning = f"the newest {model.lookback} rows of {what}, oldest first, in original units"
    sizes = ("batch", model.lookback, _channels(model))
    return graph.input("values", numpy.float64, sizes, meaning).transpose(0, 2, 1)


def _scaler(graph: Graph, model: Model) -> tuple[Value, Value]:
    """Mean and scale of each channel: (channels, 1); of each series of a panel: (batch, 1, 1)."""
    if model.is_panel:
        where = "of each series, as the metadata has it for those of training (`series`)"
        both = (
            graph.input("mean", numpy.float64, ("batch",), f"mean {where}"),
            graph.input("scale", numpy.float64, ("batch",), f"scale {where}"),
        )
        return both[0].reshape(-1, 1, 1), both[1].reshape(-1, 1, 1)
    targets = model.of_role("target")
    mean, scale = (
        graph.constant(model.tensors[f"scaler.{name}"][targets][:, None], numpy.float64)
        for name in ("mean", "scale")
    )
    return mean, scale


def _moved(graph: Graph, model: Model, calendar: Calendar) -> Value | None:
    """What is taken off the history and put onto the forecast, in scales: (batch, channels, steps)."""
    parts = [effects(graph, model, calendar)] if model.has_effects else []
    if model.statics:
        parts.append(profile(graph, model, calendar))
    if not parts:
        return None
    return parts[0] if len(parts) == 1 else parts[0] + parts[1]


def _known_inputs(graph: Graph, model: Model) -> Value | None:
    """Known columns that models read beside the calendar, scaled: (batch, steps, columns)."""
    known = model.of_role("known")
    if not model.known_are_inputs or not known:
        return None
    mean, scale = (model.tensors[f"scaler.{name}"][known] for name in ("mean", "scale"))
    return ((known_columns(graph, model) - mean) / scale).cast(numpy.float32)


def _blend(model: Model, history: Value, calendar: Calendar, known: Value | None) -> Value:
    """The members' forecasts by their shares."""
    said = []
    for member in model.members:
        own = forecast(member, Window(member, history, calendar, known, model.lookback))
        said.append(own if member.share == 1.0 else own * member.share)
    total = said[0]
    for own in said[1:]:
        total = total + own
    return total


def _still_constant(model: Model, values: Value, original: Value) -> Value:
    """A channel that had one value in training, and has it still, goes on with it."""
    targets = model.of_role("target")
    flags = [bool(model.channels[i].get("constant")) for i in targets]
    if model.is_panel or not any(flags):
        return original
    mean = model.tensors["scaler.mean"][targets][:, None]
    is_still = values.equals(mean).all(2)
    of_training = values.graph.constant(numpy.array(flags)[:, None], bool)
    is_it = values.graph.add("And", is_still, of_training)
    return is_it.where(original * 0.0 + mean, original)


def describe_model(model: Model, inputs: dict[str, str]) -> dict[str, Any]:
    """What users of the file want to know of it."""
    about: dict[str, Any] = {
        "title": model.title,
        "written_by": model.written_by,
        "step": model.step.text,
        "zone": model.time["zone"],
        "lookback": model.lookback,
        "horizon": model.horizon,
        "period": model.members[0]["period"],
        "inputs": inputs,
    }
    if not model.is_panel:
        about["channels"] = model.names("target")
    else:
        targets = model.of_role("target")
        mean, scale = (model.tensors[f"scaler.{name}"][targets] for name in ("mean", "scale"))
        about["series"] = dict(zip(model.names("target"), zip(mean.tolist(), scale.tolist())))
    if "row" in inputs:
        about["first_row"] = model.time["phase_origin"]  # milliseconds of UTC
    if "known" in inputs:
        about["known"] = model.known_columns
    if model.statics:
        about["statics"] = model.statics
        about["profiles"] = model.tensors["statics.profiles"].tolist()
    return about


def _require_exportable(model: Model) -> None:
    for member in model.members:
        backbone = member["backbone"]
        if backbone not in BACKBONES:
            raise UsageError(
                f"a model with the backbone '{backbone}' cannot be written as ONNX: what is written are "
                + ", ".join(BACKBONES),
                remedies=(Remedy({"backbone": "mlp"}, "train with backbone='mlp'"),),
                advice="forecast with the model file, from Python, C or the program",
            )
        if member.shape.get("past"):
            raise UsageError(
                "a model that reads columns seen up to now only cannot be written as ONNX",
                remedies=(Remedy({"ignore": ",".join(model.names("past"))}, "train with them in ignore="),),
                advice="forecast with the model file, from Python, C or the program",
            )
    if model.is_panel and model.known_are_inputs and model.of_role("known"):
        raise UsageError(
            "a panel whose known columns are features of its model cannot be written as ONNX",
            remedies=(Remedy({"known_as": "effects"}, "train with known_as='effects'"),),
        )
    if model.has_effects and not model.is_panel:
        columns, known = len(model.tensors["effects.columns"]), len(model.of_role("known"))
        if columns != known:
            raise UsageError(
                "series that are forecast together, with known columns that are each series' own, "
                "cannot be written as ONNX",
                remedies=(Remedy({"panel": "series"}, "train with panel='series'"),),
            )
    size = sum(tensor.nbytes for tensor in model.tensors.values())
    if size > _LARGEST_FILE:
        raise UsageError(
            f"the model's weights take {size >> 20} MiB, and a file of ONNX holds less than 2048",
            advice="forecast with the model file, from Python, C or the program",
        )
