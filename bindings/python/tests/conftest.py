"""Rows that every test makes for itself, of the shape that people have."""

from __future__ import annotations

import math
import os
import subprocess
from typing import Any, Callable

import numpy as np
import pandas as pd
import pytest

SETTINGS: dict[str, Any] = {"horizon": 12, "model": "linear", "lookback": 48, "threads": 1}


def load_values(rows: int, seed: int = 0, level: float = 100.0) -> np.ndarray:
    """A daily shape with noise."""
    hours = np.arange(rows)
    noise = np.random.default_rng(seed).normal(0.0, 1.0, rows)
    return level + 20 * np.sin(2 * math.pi * hours / 24) + noise


def wide_frame(rows: int = 800) -> pd.DataFrame:
    return pd.DataFrame(
        {
            "ds": pd.date_range("2024-01-01", periods=rows, freq="h"),
            "load": load_values(rows),
            "heat": load_values(rows, 1, 50.0),
        }
    )


def long_frame(rows: int = 600, series: int = 3) -> pd.DataFrame:
    parts = [
        pd.DataFrame(
            {
                "unique_id": f"shop {i}",
                "ds": pd.date_range("2024-01-01", periods=rows, freq="h"),
                "y": load_values(rows, i, 100.0 * (i + 1)),
            }
        )
        for i in range(series)
    ]
    return pd.concat(parts, ignore_index=True)


@pytest.fixture
def wide() -> pd.DataFrame:
    return wide_frame()


@pytest.fixture
def long() -> pd.DataFrame:
    return long_frame()


@pytest.fixture
def program() -> Callable[..., str]:
    """The command line program; tests that need it are skipped where PULSECAST_PROGRAM names none."""
    path = os.environ.get("PULSECAST_PROGRAM")
    if not path:
        pytest.skip("PULSECAST_PROGRAM names no program")

    def run(*arguments: object) -> str:
        done = subprocess.run([path, *map(str, arguments)], capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return done.stdout

    return run
