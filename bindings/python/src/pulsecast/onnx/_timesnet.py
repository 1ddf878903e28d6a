"""TimesNet (`pulsecast/model/backbones/timesnet.cpp`): history and future as one series, folded by its
periods into pictures.

Which periods they are is fixed in a trained model, by the running mean of its spectrum, and so are the
shapes of the pictures. A window's own spectrum weighs them, of which no more is computed than the bins
of those periods.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy

from ._graph import Value
from ._model import Member
from ._token_backbones import positions
from ._window import Window

if TYPE_CHECKING:
    from numpy.typing import NDArray

_KERNELS = 6  # of 1, 3, ... 11 steps


def timesnet(member: Member, x: Value, window: Window) -> Value:
    lookback, steps = window.lookback, window.lookback + window.horizon
    series = _embedded(member, x, window).linear(*member.layer("backbone.extend"))
    for i in range(int(member.sizes["layers"])):
        seen = _block(member, f"backbone.blocks.{i}", series, steps)
        normal = seen.transpose(0, 2, 1).layer_norm(*member.layer("backbone.norm"))
        series = normal.transpose(0, 2, 1)
    future = series.cut(2, lookback, steps).transpose(0, 2, 1)
    return future.linear(*member.layer("backbone.project")).transpose(0, 2, 1)


def _embedded(member: Member, x: Value, window: Window) -> Value:
    """(batch, width, lookback): three steps of all channels, calendar and position."""
    last = window.lookback
    wrapped = x.graph.concat([x.cut(2, last - 1, last), x, x.cut(2, 0, 1)], 2)
    embedded = x.graph.add("Conv", wrapped, x.like(member.weights["backbone.embed.weight"]))
    if int(member["features"]) > 0:
        marks = window.history_features().linear(member.weights["backbone.marks.weight"][:, :, 0])
        embedded = embedded + marks.transpose(0, 2, 1)
    return embedded + positions(last, int(member.sizes["width"])).T


def _block(member: Member, name: str, x: Value, steps: int) -> Value:
    """x (batch, width, steps) -> the same."""
    width = int(member.sizes["width"])
    spectrum = member.weights[f"{name}.spectrum"]
    top = min(int(member.sizes["top_periods"]), steps // 2)
    bins = 1 + numpy.argsort(-spectrum[1:], kind="stable")[:top]
    shares = _strengths(x, bins, steps).softmax()  # (batch, top)
    total = x
    for i, period in enumerate(steps // bins):
        cycles = -(-steps // int(period))
        whole = x.pad_zeros(3, cycles * int(period) - steps)
        picture = whole.reshape(0, width, cycles, int(period))
        inside = _inception(member, f"{name}.first", picture).gelu()
        seen = _inception(member, f"{name}.second", inside)
        flat = seen.reshape(0, width, cycles * int(period)).cut(2, 0, steps)
        total = total + flat * shares.cut(1, i, i + 1).reshape(-1, 1, 1)
    return total


def _strengths(x: Value, bins: NDArray[Any], steps: int) -> Value:
    """Moduli of some bins of the transform, the mean over the width: (batch, bins)."""
    angles = 2 * numpy.pi * numpy.outer(numpy.arange(steps), bins) / steps
    real, imaginary = (x @ wave(angles) for wave in (numpy.cos, numpy.sin))
    moduli = (real * real + imaginary * imaginary).root()
    return moduli.mean(1).reshape(0, -1)


def _inception(member: Member, name: str, x: Value) -> Value:
    """The mean of its convolutions, which is one with the mean of the kernels."""
    layers = [member.layer(f"{name}.{i}") for i in range(_KERNELS)]
    sides = [_KERNELS - 1 - i for i in range(_KERNELS)]
    kernels = [
        numpy.pad(weight, ((0, 0), (0, 0), (side, side), (side, side)))
        for (weight, _), side in zip(layers, sides)
    ]
    weight = x.like(numpy.mean(kernels, axis=0))
    bias = x.like(numpy.mean([bias for _, bias in layers], axis=0))
    return x.graph.add("Conv", x, weight, bias, pads=[_KERNELS - 1] * 4)
