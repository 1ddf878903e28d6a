"""Forecasting for people who run on CPUs: one small package over a native engine.

>>> import pulsecast
>>> hours = [f"2024-01-{1 + h // 24:02} {h % 24:02}:00" for h in range(24 * 20)]
>>> frame = {"ds": hours, "load": [100 + 20 * (h % 24 > 8) for h in range(24 * 20)]}
>>> forecaster = pulsecast.Forecaster(horizon=24, model="linear", lookback=48).fit(frame)
>>> len(forecaster.predict()["load"])
24

Nothing is imported that you have not: frames of pandas, polars, pyarrow and NumPy are known by what
they are. No thread is started before the first call that needs one.
"""

from ._doctor import check, check_document, settings, version
from ._errors import (
    DataError,
    InputOutputError,
    InterruptedCall,
    ModelFileError,
    PulsecastError,
    Remedy,
    TrainingError,
    UsageError,
)
from ._picture import Picture
from .forecaster import Forecaster, PulsecastWarning

__version__ = "0.1.0"

__all__ = [
    "DataError",
    "Forecaster",
    "InputOutputError",
    "InterruptedCall",
    "ModelFileError",
    "Picture",
    "PulsecastError",
    "PulsecastWarning",
    "Remedy",
    "TrainingError",
    "UsageError",
    "check",
    "check_document",
    "settings",
    "version",
]
