"""The anchor: a codebook read by phase, and encodings of the calendar (`pulsecast/model/phase_anchor.h`,
`time_encoder.h`)."""

from __future__ import annotations

import numpy

from ._graph import Value
from ._model import Member
from ._window import Window


def past_anchor(member: Member, window: Window) -> Value:
    """A_x (batch, channels, lookback)."""
    graph = window.history.graph
    codebook = graph.constant(member.weights["anchor.codebook"], numpy.float32)
    read = codebook.gather(_codebook_rows(member, window))
    return (read + encoding(member, "history", window.history_features())).transpose(0, 2, 1)


def _codebook_rows(member: Member, window: Window) -> Value:
    """(batch, lookback) of the codebook's rows, oldest step first."""
    steps = numpy.arange(window.lookback)[None]
    rows = int(member["codebook_rows"])
    if member["codebook_order"] == "reference":
        # Backwards from the phase just after the window, as the paper's authors run it.
        return ((window.next_phase() * -1 + steps) * -1) % rows
    return (window.next_phase() + (steps - window.lookback)) % int(member["period"]) % rows


def encoding(member: Member, side: str, features: Value) -> Value:
    """features (batch, steps, features) -> (batch, steps, channels).

    The steps are the channels of the convolution, and its kernel runs along the features.
    """
    name = f"{side}_encoder"
    first = features.linear(*member.layer(f"{name}.first"))
    first = first.layer_norm(*member.layer(f"{name}.first_norm")).gelu()
    second = first.linear(*member.layer(f"{name}.second"))
    second = second.layer_norm(*member.layer(f"{name}.second_norm")).gelu()
    kernel = int(member["time_kernel"])
    weights = [features.like(each) for each in member.layer(f"{name}.conv")]
    pads = [kernel // 2, kernel // 2]
    mixed = features.graph.add("Conv", second, *weights, kernel_shape=[kernel], pads=pads)
    return mixed.linear(*member.layer(f"{name}.output"))
