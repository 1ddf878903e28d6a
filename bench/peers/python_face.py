"""What the Python package costs: its import, its size, its calls and its memory.

    .wheel/test/bin/python bench/peers/python_face.py [--json] [--peer PYTHON] [--rows 30000000]

after ./dev wheel. --peer names a Python that has neuralforecast: its import and the size of what it
installs are measured beside ours, in turn.
"""

import argparse
import json
import pathlib
import statistics
import subprocess
import sys
import time

import numpy as np
import pandas as pd

import pulsecast
from pulsecast import Forecaster, _engine

STEPS = 96
ROWS = 480  # of each of many series


def median_of(call, times):
    """Seconds of a call that is warm."""
    call()
    taken = []
    for _ in range(times):
        started = time.perf_counter()
        call()
        taken.append(time.perf_counter() - started)
    return statistics.median(taken)


def long_rows(series, rows):
    hours = pd.date_range("2024-01-01", periods=rows, freq="h")
    values = 100 + 20 * np.sin(2 * np.pi * np.arange(rows) / 24)
    noise = np.random.default_rng(1).normal(0, 1, (series, rows))
    return pd.DataFrame(
        {
            "unique_id": np.repeat([f"series {i:05}" for i in range(series)], rows),
            "ds": np.tile(hours.to_numpy(), series),
            "y": (values + noise).ravel(),
        }
    )


def seconds_inside(call):
    """Seconds of a call, and of them those that the C library had."""
    inside = 0.0
    plain = _engine.call

    def timed(name, *arguments):
        nonlocal inside
        started = time.perf_counter()
        try:
            plain(name, *arguments)
        finally:
            inside += time.perf_counter() - started

    _engine.call = timed
    try:
        started = time.perf_counter()
        call()
        return time.perf_counter() - started, inside
    finally:
        _engine.call = plain


def calls():
    """Forecasts of one, a thousand and ten thousand series."""
    found = {}
    one = long_rows(1, 2000)[["ds", "y"]]
    settings = {"horizon": STEPS, "lookback": STEPS, "model": "linear"}
    forecaster = Forecaster(**settings).fit(one)
    newest = one[-STEPS:]
    found["predict_one_series_ms"] = 1e3 * median_of(lambda: forecaster.predict(newest), 300)
    found["predict_again_ms"] = 1e3 * median_of(forecaster.predict, 300)
    many = long_rows(10_000, ROWS)
    first = many[: 1000 * ROWS]
    panel = Forecaster(panel="series", threads=2, **settings).fit(first)
    found["predict_10000_series_s"] = median_of(lambda: panel.predict(many), 5)
    rounds = [seconds_inside(lambda: panel.predict(first)) for _ in range(9)][2:]
    found["predict_1000_series_ms"] = 1e3 * statistics.median(whole for whole, _ in rounds)
    found["cost_over_the_library"] = statistics.median(whole / inside - 1 for whole, inside in rounds)
    wide = first.pivot(index="ds", columns="unique_id", values="y")
    together = Forecaster(panel="series", threads=2, **settings).fit(wide)
    rounds = [seconds_inside(lambda: together.predict(wide)) for _ in range(9)][2:]
    found["predict_1000_columns_ms"] = 1e3 * statistics.median(whole for whole, _ in rounds)
    return found


MEMORY = """
import sys
import numpy as np, pandas as pd
from pulsecast._engine import new_settings
from pulsecast._pool import Pool
from pulsecast._rows import ReadRows, RowSource
rows, series = int(sys.argv[1]), 1000
each = rows // series
frame = pd.DataFrame({
    "unique_id": pd.Categorical.from_codes(np.repeat(np.arange(series), each), [f"s{i}" for i in range(series)]),
    "ds": np.tile(pd.date_range("2020-01-01", periods=each, freq="h").to_numpy(), series),
    "y": np.random.default_rng(1).random(each * series),
})
def resident(what):
    line = next(line for line in open("/proc/self/status") if line.startswith(what))
    return int(line.split()[1]) * 1024
with open("/proc/self/clear_refs", "w") as file:
    file.write("5")  # the peak begins here
before = resident("VmRSS")
read = ReadRows(RowSource(frame), new_settings({"panel": "series"}), None, {}, Pool(2))
print(8 * len(frame), resident("VmHWM") - before, resident("VmRSS") - before)
"""


def memory(rows):
    """Of reading a frame: bytes of its numbers, and what more the process needed at most and after."""
    numbers, most, after = map(
        int, subprocess.check_output([sys.executable, "-c", MEMORY, str(rows)]).split()
    )
    return {
        "rows": rows,
        "numbers_mb": numbers / 1e6,
        "peak_over_numbers": most / numbers,
        "kept_over_numbers": after / numbers,
    }


def import_seconds(python, package):
    text = f"import time; t = time.perf_counter(); import {package}; print(time.perf_counter() - t)"
    return float(subprocess.check_output([python, "-c", text], stderr=subprocess.DEVNULL))


def size_of(folder):
    return sum(path.stat().st_size for path in pathlib.Path(folder).rglob("*") if path.is_file()) / 1e6


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--peer", help="a Python with neuralforecast")
    parser.add_argument("--rows", type=int, default=30_000_000)
    arguments = parser.parse_args()
    ours, theirs = [], []
    for _ in range(7):
        ours.append(import_seconds(sys.executable, "pulsecast"))
        if arguments.peer:
            theirs.append(import_seconds(arguments.peer, "neuralforecast"))
    here = pathlib.Path(pulsecast.__file__).parent
    wheels = sorted(pathlib.Path(__file__).parents[2].glob("dist/*.whl"))
    found = {
        "version": pulsecast.version(),
        "import_ms": 1e3 * statistics.median(ours),
        "wheel_mb": wheels[-1].stat().st_size / 1e6 if wheels else None,
        "installed_mb": size_of(here) + sum(map(size_of, here.parent.glob("pulsecast.libs"))),
        **calls(),
        "memory": memory(arguments.rows),
    }
    if theirs:
        text = "import neuralforecast, pathlib; print(pathlib.Path(neuralforecast.__file__).parents[1])"
        packages = subprocess.check_output([arguments.peer, "-c", text], stderr=subprocess.DEVNULL)
        found["neuralforecast"] = {
            "import_ms": 1e3 * statistics.median(theirs),
            "installed_mb": size_of(packages.decode().strip()),
        }
    if arguments.json:
        print(json.dumps(found, indent=2))
        return
    for name, value in found.items():
        print(
            f"{name:<26} {value if isinstance(value, (str, dict)) or value is None else round(value, 3)}"
        )


if __name__ == "__main__":
    main()
