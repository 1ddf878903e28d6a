"""Backbones that are linear in the history (`pulsecast/model/backbones/`).

A map that all channels share is multiplied out, whatever it is made of: applied to each unit vector of
the history it becomes one matrix, and the graph one product.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Callable

import numpy

from ._graph import Value
from ._model import Member
from ._window import Window

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Rows = Callable[[NDArray[Any]], NDArray[Any]]


def _map(x: Value, linear: Rows, lookback: int) -> Value:
    """x (batch, channels, lookback) through `linear`, which maps rows of history to rows of future."""
    matrix: NDArray[Any] = linear(numpy.eye(lookback)).astype(numpy.float32)
    return x @ matrix


def linear(member: Member, x: Value, window: Window) -> Value:
    return x.linear(*member.layer("backbone.linear"))


def mlp(member: Member, x: Value, window: Window) -> Value:
    """Linear but for one GELU."""
    inside = x.linear(*member.layer("backbone.first")).gelu()
    return inside.linear(*member.layer("backbone.second"))


def dlinear(member: Member, x: Value, window: Window) -> Value:
    seasonal, trend = member.layer("backbone.seasonal"), member.layer("backbone.trend")
    size = int(member.sizes["moving_average"])

    def both(rows: NDArray[Any]) -> NDArray[Any]:
        slow = moving_average(rows, size)
        mapped: NDArray[Any] = (rows - slow) @ seasonal[0].T + slow @ trend[0].T
        return mapped

    bias: NDArray[Any] = seasonal[1] + trend[1]
    return _map(x, both, window.lookback) + bias


def moving_average(rows: NDArray[Any], size: int) -> NDArray[Any]:
    """The mean of `size` steps around each; beyond their ends rows go on with their outermost values.

    >>> moving_average(numpy.array([[3.0, 6.0, 9.0]]), 3).tolist()
    [[4.0, 6.0, 8.0]]
    """
    padded = numpy.pad(rows, ((0, 0), (size // 2, size // 2)), mode="edge")
    mean: NDArray[Any] = numpy.lib.stride_tricks.sliding_window_view(padded, size, axis=1).mean(axis=2)
    return mean


def sparsetsf(member: Member, x: Value, window: Window) -> Value:
    period = int(member.sizes.get("cycle", 0)) or int(member["period"])
    kernel = member.weights["backbone.smooth.weight"][0, 0].astype(numpy.float64)
    sparse = member.weights["backbone.sparse.weight"]

    def phases_apart(rows: NDArray[Any]) -> NDArray[Any]:
        half = len(kernel) // 2
        padded = numpy.pad(rows, ((0, 0), (half, half)))
        smooth = numpy.lib.stride_tricks.sliding_window_view(padded, len(kernel), axis=1) @ kernel
        whole = numpy.pad(smooth + rows, ((0, 0), (-rows.shape[1] % period, 0)), mode="edge")
        cycles = whole.reshape(len(rows), -1, period)
        future: NDArray[Any] = numpy.einsum("rnp,mn->rmp", cycles, sparse).reshape(len(rows), -1)
        return future[:, : window.horizon]

    return _map(x, phases_apart, window.lookback)


def cyclenet(member: Member, x: Value, window: Window) -> Value:
    rest = x - _cycle(member, x, window.history_phases())
    future = _cycle(member, x, window.future_phases())
    return rest.linear(*member.layer("backbone.linear")) + future


def _cycle(member: Member, x: Value, phases: Value) -> Value:
    """The level of each step: (batch, channels, steps)."""
    cycle = x.like(member.weights["backbone.cycle"])
    return cycle.gather(phases).transpose(0, 2, 1)


def channel_linear(member: Member, x: Value, window: Window) -> Value:
    """A map for each channel."""
    has_cycle = bool(member.weights["backbone.cycle"].any())
    rest = x - _cycle(member, x, window.history_phases()) if has_cycle else x
    apart = rest.transpose(1, 0, 2) @ member.weights["backbone.maps"]
    y = apart.transpose(1, 0, 2) + member.weights["backbone.constants"]
    return y + _cycle(member, x, window.future_phases()) if has_cycle else y
