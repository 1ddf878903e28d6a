"""The look-back of adapters, whose callers have few rows and say only how far to forecast."""

from __future__ import annotations


def usual_lookback(horizon: int, rows: int) -> int:
    """Four horizons, at most a quarter of the rows."""
    return max(1, min(4 * horizon, rows // 4))
