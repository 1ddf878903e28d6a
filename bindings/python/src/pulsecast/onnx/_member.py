"""One member of a model: PULSE around a backbone, or the backbone alone (`pulsecast/model/pulse.h`)."""

from __future__ import annotations

from typing import Callable

from . import _linear_backbones as linear
from . import _token_backbones as tokens
from ._anchor import encoding, past_anchor
from ._graph import Value
from ._model import Member
from ._normaliser import Normaliser
from ._router import route
from ._timesnet import timesnet
from ._window import Window

# x (batch, channels, lookback) -> (batch, channels, horizon)
BACKBONES: dict[str, Callable[[Member, Value, Window], Value]] = {
    "mlp": linear.mlp,
    "linear": linear.linear,
    "channel_linear": linear.channel_linear,
    "dlinear": linear.dlinear,
    "sparsetsf": linear.sparsetsf,
    "cyclenet": linear.cyclenet,
    "patchtst": tokens.patchtst,
    "itransformer": tokens.itransformer,
    "timexer": tokens.timexer,
    "timesnet": timesnet,
}


def forecast(member: Member, window: Window) -> Value:
    """Y (batch, channels, horizon), scaled."""
    anchor = past_anchor(member, window) if member["anchor"] else None
    normaliser = Normaliser(member, window.history, anchor)
    raw = BACKBONES[member["backbone"]](member, normaliser.values, window)
    future = None
    if anchor is not None:
        future = encoding(member, "future", window.future_features()).transpose(0, 2, 1)
        if member["router"]:
            future = route(member, anchor, raw) + future
    return _with_companion(member, window.history, normaliser.back(raw, future))


def _with_companion(member: Member, history: Value, own: Value) -> Value:
    """A linear map shares in the forecast."""
    share = float(member.weights["companion.share"][0]) if member["companion"] else 0.0
    if share == 0.0:
        return own
    mean = history.mean()
    mapped = (history - mean).linear(*member.layer("companion")) + mean
    return own + (mapped - own) * share
