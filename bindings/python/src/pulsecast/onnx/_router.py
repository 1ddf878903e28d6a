"""The router, layer by layer (`pulsecast/model/phase_router.h`).

The engine multiplies its weights out (decision 16); here they stand as they were trained.
"""

from __future__ import annotations

import math

from ._graph import Value
from ._model import Member


def route(member: Member, anchor: Value, forecast: Value) -> Value:
    """anchor A_x (batch, channels, lookback), forecast Y0 (batch, channels, horizon) -> as Y0."""
    patch = int(member["patch"])
    lookback, horizon = int(member["lookback"]), int(member["horizon"])
    past = _tokens(anchor.pad_edges(3, -lookback % patch, 0), _whole(lookback, patch), patch)
    future = _tokens(forecast.pad_edges(3, 0, -horizon % patch), _whole(horizon, patch), patch)
    past = past.linear(*member.layer("router.history"))
    future = future.linear(*member.layer("router.future"))
    sent = _attention(member, "router.sender", past, future)
    received = _attention(member, "router.receiver", future, sent)
    inside = received.linear(*member.layer("router.expand")).gelu()
    patches = inside.linear(*member.layer("router.contract"))  # (rows, patch, patches)
    together = patches.transpose(0, 2, 1).reshape(-1, int(member["channels"]), _whole(horizon, patch))
    return together.cut(2, 0, horizon)


def _whole(steps: int, patch: int) -> int:
    return steps + -steps % patch


def _tokens(rows: Value, length: int, patch: int) -> Value:
    """(batch, channels, length) -> (batch * channels, patch, patches).

    A token is a place in a patch, and the patches are its features.
    """
    return rows.reshape(-1, length // patch, patch).transpose(0, 2, 1)


def _attention(member: Member, name: str, queries: Value, keys: Value) -> Value:
    query = queries.linear(*member.layer(f"{name}.query"))
    key = keys.linear(*member.layer(f"{name}.key"))
    value = keys.linear(*member.layer(f"{name}.value"))
    scores = (query @ key.transpose(0, 2, 1)) * (1.0 / math.sqrt(int(member["router_width"])))
    return (scores.softmax() @ value).linear(*member.layer(f"{name}.output"))
