"""Backbones of tokens and attention (`pulsecast/model/backbones/`, `encoder_layer.h`).

Tokens are (rows, tokens, width); a row is a channel of a sample, or a sample.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy

from ._graph import NORM_EPSILON, Value
from ._model import Member
from ._window import Window

if TYPE_CHECKING:
    from numpy.typing import NDArray


def patchtst(member: Member, x: Value, window: Window) -> Value:
    """Overlapping patches of a channel are tokens."""
    patch, stride = int(member.sizes["patch"]), int(member.sizes["stride"])
    patches = 1 if window.lookback < patch else (window.lookback - patch) // stride + 2
    places = numpy.arange(patches)[:, None] * stride + numpy.arange(patch)
    cut = x.gather(numpy.minimum(places, window.lookback - 1), axis=2)
    tokens = cut.linear(member.weights["backbone.embed.weight"])
    tokens = tokens + positions(patches, _width(member))
    seen = _encoder(member, tokens.reshape(-1, patches, _width(member)))
    mean = member.weights["backbone.norm.running_mean"]
    gamma, beta = member.layer("backbone.norm")
    factor = gamma / numpy.sqrt(member.weights["backbone.norm.running_var"] + NORM_EPSILON)
    normal = (seen - mean) * factor + beta
    flat = normal.reshape(-1, int(member["channels"]), patches * _width(member))
    return flat.linear(*member.layer("backbone.head"))


def itransformer(member: Member, x: Value, window: Window) -> Value:
    """The whole history of a channel is a token; calendar and known columns are tokens beside them."""
    tokens = _series(member, x, window).linear(*member.layer("backbone.embed"))
    own = _encoder(member, tokens).cut(1, 0, int(member["channels"]))
    own = own.layer_norm(*member.layer("backbone.norm"))
    return own.linear(*member.layer("backbone.project"))


def timexer(member: Member, x: Value, window: Window) -> Value:
    """A channel's patches are tokens, with one for the channel, which asks all histories."""
    channels, width, patch = int(member["channels"]), _width(member), int(member.sizes["patch"])
    missing = -window.lookback % patch
    patches = (window.lookback + missing) // patch
    cut = x.pad_edges(3, missing, 0).reshape(0, 0, patches, patch)
    placed = cut.linear(member.weights["backbone.embed.weight"]) + positions(patches, width)
    # (batch, channels, 1, width): the same in every sample.
    nothing = placed.cut(2, 0, 1) * 0.0
    own = nothing + member.weights["backbone.channel"][:, None]
    tokens = x.graph.concat([placed, own], 2).reshape(-1, patches + 1, width)
    series = _series(member, x, window).linear(*member.layer("backbone.exogenous"))
    for i in range(int(member.sizes["layers"])):
        tokens = _cross_layer(member, f"backbone.encoder.{i}", tokens, series, patches)
    normal = tokens.layer_norm(*member.layer("backbone.norm"))
    flat = normal.reshape(-1, channels, (patches + 1) * width)
    return flat.linear(*member.layer("backbone.head"))


def _cross_layer(member: Member, name: str, x: Value, series: Value, patches: int) -> Value:
    channels, width = int(member["channels"]), _width(member)
    seen = x + _heads(member, f"{name}.attention", x, x)
    tokens = seen.layer_norm(*member.layer(f"{name}.attention_norm"))
    own = tokens.cut(1, patches, patches + 1).reshape(-1, channels, width)
    told = own + _heads(member, f"{name}.cross", own, series)
    asked = told.layer_norm(*member.layer(f"{name}.cross_norm")).reshape(-1, 1, width)
    joined = x.graph.concat([tokens.cut(1, 0, patches), asked], 1)
    return _fed_forward(member, name, joined)


def _series(member: Member, x: Value, window: Window) -> Value:
    """(batch, channels + features, lookback)."""
    if int(member["features"]) == 0:
        return x
    return x.graph.concat([x, window.history_features().transpose(0, 2, 1)], 1)


def _encoder(member: Member, tokens: Value) -> Value:
    for i in range(int(member.sizes["layers"])):
        name = f"backbone.encoder.{i}"
        seen = tokens + _heads(member, f"{name}.attention", tokens, tokens)
        joined = seen.layer_norm(*member.layer(f"{name}.attention_norm"))
        tokens = _fed_forward(member, name, joined)
    return tokens


def _fed_forward(member: Member, name: str, x: Value) -> Value:
    inside = x.linear(*member.layer(f"{name}.feed_forward.expand")).gelu()
    mapped = inside.linear(*member.layer(f"{name}.feed_forward.contract"))
    return (x + mapped).layer_norm(*member.layer(f"{name}.feed_forward_norm"))


def _heads(member: Member, name: str, queries: Value, keys: Value) -> Value:
    """Attention in heads, each of its part of the width."""
    heads, width = int(member.sizes["heads"]), _width(member)

    def apart(x: Value, layer: str) -> Value:
        mapped = x.linear(*member.layer(f"{name}.{layer}"))
        return mapped.reshape(0, 0, heads, width // heads).transpose(0, 2, 1, 3)

    query, key, value = apart(queries, "query"), apart(keys, "key"), apart(keys, "value")
    scores = (query @ key.transpose(0, 1, 3, 2)) * (1.0 / math.sqrt(width // heads))
    together = (scores.softmax() @ value).transpose(0, 2, 1, 3).reshape(0, 0, width)
    return together.linear(*member.layer(f"{name}.output"))


def _width(member: Member) -> int:
    return int(member.sizes["width"])


def positions(count: int, width: int) -> NDArray[Any]:
    """Sines and cosines by which a token knows its place.

    >>> positions(2, 2).astype(float).round(3).tolist()
    [[0.0, 1.0], [0.841, 0.54]]
    """
    columns = numpy.arange(width)
    rates = numpy.exp(-math.log(10000.0) * (columns - columns % 2) / width)
    angles = numpy.arange(count)[:, None] * rates
    return numpy.where(columns % 2 == 0, numpy.sin(angles), numpy.cos(angles)).astype(numpy.float32)
