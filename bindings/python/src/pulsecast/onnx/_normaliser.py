"""Normalisation of a window's history and its way back (`pulsecast/model/normaliser.h`).

Statistics are in double, as the engine's sums are: a level far from where the scaler left it costs no
digits.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy

from ._graph import NORM_EPSILON, Value
from ._model import Member

if TYPE_CHECKING:
    from numpy.typing import NDArray

# What a backbone alone was published with; PULSE has "affine".
ALONE = {
    "mlp": "unbiased",
    "dlinear": "none",
    "sparsetsf": "mean",
    "cyclenet": "unbiased",
    "linear": "mean",
    "channel_linear": "mean",
    "patchtst": "population",
    "itransformer": "population",
    "timexer": "population",
    "timesnet": "population",
}
_SMALLEST_GAMMA = 1e-6


class Normaliser:
    """Of one window: what its history becomes, and what its forecast comes back by."""

    def __init__(self, member: Member, history: Value, anchor: Value | None) -> None:
        kind = ALONE[member["backbone"]] if member["alone"] else "affine"
        self._mean: Value | None = None
        self._deviation: Value | None = None
        self._gamma: NDArray[Any] | None = None
        self._beta: NDArray[Any] | None = None
        self.values = history  # (batch, channels, lookback)
        if kind == "none":
            return
        rest = (history if anchor is None else history - anchor).cast(numpy.float64)
        mean = rest.mean()
        centred = rest - mean
        self._mean = mean.cast(numpy.float32)
        if kind != "mean":
            variance = (centred * centred).mean()
            lookback = int(member["lookback"])
            if kind != "population":
                variance = variance * (lookback / (lookback - 1))
            deviation = (variance + NORM_EPSILON).root()
            centred = centred / deviation
            self._deviation = deviation.cast(numpy.float32)
        self.values = centred.cast(numpy.float32)
        if kind != "affine":
            return
        gamma = member.weights["revin.gamma"]
        self._beta = member.weights["revin.beta"][:, None]
        self.values = self.values * gamma[:, None] + self._beta
        self._gamma = numpy.copysign(numpy.maximum(numpy.abs(gamma), _SMALLEST_GAMMA), gamma)[:, None]
        if anchor is not None:
            self.values = self.values + anchor

    def back(self, forecast: Value, anchor: Value | None) -> Value:
        """Y0 (batch, channels, horizon) and A_y -> Y."""
        rest = forecast if anchor is None else forecast - anchor
        if self._gamma is not None and self._beta is not None:
            rest = (rest - self._beta) / self._gamma
        if self._deviation is not None:
            rest = rest * self._deviation
        if self._mean is not None:
            rest = rest + self._mean
        return rest if anchor is None else rest + anchor
