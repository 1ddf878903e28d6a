"""What known columns and static ones do to targets: taken off the history and put onto the forecast
(`pulsecast/data/effects`, `pulsecast/data/statics`)."""

from __future__ import annotations

import numpy

from ._calendar import Calendar
from ._graph import Graph, Value
from ._model import Model

_LINEAR, _HINGE, _PRODUCT = 0, 1, 2


def known_columns(graph: Graph, model: Model) -> Value:
    """(batch, lookback + horizon, known columns) in their own units."""
    meaning = "each of `known`, at each row of values and then each step to forecast, in its own units"
    sizes = ("batch", model.lookback + model.horizon, len(model.known_columns))
    return graph.input("known", numpy.float64, sizes, meaning)


def effects(graph: Graph, model: Model, calendar: Calendar) -> Value:
    """Of known columns, in scales of their channels: (batch, channels or 1, lookback + horizon)."""
    weights = model.tensors["effects.weights"]  # (sets, groups, terms)
    terms = _terms(known_columns(graph, model), model)
    groups = weights.shape[1]
    if groups == 1:
        return (terms @ weights[:, 0].T).transpose(0, 2, 1)
    # A matrix (terms, sets) for each row, by its group.
    own = graph.constant(weights.transpose(1, 2, 0), numpy.float64).gather(calendar.groups(groups))
    steps = model.lookback + model.horizon
    rows = terms.reshape(0, 0, 1, -1) @ own
    return rows.reshape(-1, steps, weights.shape[0]).transpose(0, 2, 1)


def _terms(known: Value, model: Model) -> Value:
    """Columns, hinges of them and products of two: (batch, steps, terms)."""
    columns = model.tensors["effects.columns"]
    table = model.tensors["effects.terms"]
    kind, column, other = (table[:, i].astype(numpy.int64) for i in range(3))
    knot, centre, spread = (table[:, i] for i in range(3, 6))
    standard = (known - columns[:, 0]) / columns[:, 1]
    own = standard.gather(column, axis=2)
    terms = own
    if (kind == _HINGE).any():
        hinge = known.graph.constant(kind == _HINGE, bool)
        terms = hinge.where((own - knot).or_more(0.0), terms)
    if (kind == _PRODUCT).any():
        product = known.graph.constant(kind == _PRODUCT, bool)
        terms = product.where(own * standard.gather(other, axis=2), terms)
    return (terms - centre) / spread


def profile(graph: Graph, model: Model, calendar: Calendar) -> Value:
    """Of static columns, in scales of the series: (batch, 1, lookback + horizon)."""
    period = model.tensors["statics.profiles"].shape[1]
    meaning = (
        "what the static columns of each series do at each phase of their period, in its scale "
        "(pulsecast.onnx.profile_of): zeros where nothing is known"
    )
    values = graph.input("profile", numpy.float64, ("batch", period), meaning)
    phases = calendar.phases(period)
    return graph.add("GatherElements", values, phases, axis=1).reshape(0, 1, -1)
