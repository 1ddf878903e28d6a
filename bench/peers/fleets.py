"""What a fleet costs beside one process: forecasts of many series, and models a group, by size.

    .wheel/fleets/bin/python bench/peers/fleets.py [--engines dask,ray,spark] [--json]

after ./dev extras fleets. Both have the same CPUs: a cluster on this machine, and one process with as
many threads. Frames lie in the cluster already; what comes out is collected. From the seconds by size
follow those that a fleet takes whatever the size, those a million rows, and from how many rows on how
many such machines it would be done sooner than one process, were the network free.
"""

import argparse
import concurrent.futures
import json
import os
import pathlib
import statistics
import sys
import time

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "bindings/python/extras"))
from clusters import Dask, Ray, Spark, shop_rows  # noqa: E402

from pulsecast import Forecaster, distributed  # noqa: E402

SETTINGS = {"horizon": 14, "lookback": 56, "panel": "series", "step": "1d", "progress": False}
MODELS = {"linear": {"model": "linear"}, "pulse": {"backbone": "mlp", "epochs": 1, "epoch_steps": 20}}
DAYS = 240
THREADS = 2


def seconds(call):
    started = time.perf_counter()
    call()
    return time.perf_counter() - started


def line_through(sizes, times):
    """Seconds whatever the size, and a million rows: by least squares of relative errors."""
    sizes, times = np.array(sizes, float), np.array(times)
    weights = 1 / times
    rows = np.column_stack([np.ones(len(sizes)), sizes / 1e6]) * weights[:, None]
    fixed, each = np.linalg.lstsq(rows, np.ones(len(sizes)), rcond=None)[0]
    return max(0.0, fixed), max(0.0, each)


def pays_from(local, fleet, machines):
    """Millions of rows from which so many machines are sooner done than one process; None: never."""
    gain = local[1] - fleet[1] / machines
    return max(0.0, fleet[0] - local[0]) / gain if gain > 0 else None


def in_turn(calls, times):
    """Median seconds of each of several calls, one after the other and again."""
    taken = {name: [] for name in calls}
    for turn in range(times + 1):
        for name, call in calls.items():
            spent = seconds(call)
            if turn > 0:  # the first warms up
                taken[name].append(spent)
    return {name: statistics.median(values) for name, values in taken.items()}


def forecasts(cluster, model, sizes, times):
    forecaster = Forecaster(threads=THREADS, **SETTINGS, **MODELS[model]).fit(shop_rows(500, DAYS))
    counts, taken = [], {"local": [], cluster.name: []}
    for series in sizes:
        rows = shop_rows(series, DAYS)
        spread = cluster.held(rows)
        found = in_turn(
            {
                "local": lambda: forecaster.predict(rows),
                cluster.name: lambda: cluster.frame(distributed.predict(forecaster, spread)),
            },
            times,
        )
        counts.append(len(rows))
        for name, value in found.items():
            taken[name].append(value)
    return counts, taken


def group_fits(cluster, sizes, times):
    prototype = Forecaster(threads=1, **SETTINGS, model="linear")

    def fit(part):
        return Forecaster(threads=1, **SETTINGS, model="linear").fit(part).to_bytes()

    counts, taken = [], {"local": [], cluster.name: []}
    for series in sizes:
        rows = shop_rows(series, DAYS)
        spread = cluster.held(rows)

        def locally(rows=rows):
            parts = [part for _, part in rows.groupby("unique_id")]
            with concurrent.futures.ThreadPoolExecutor(THREADS) as threads:
                return list(threads.map(fit, parts))

        found = in_turn(
            {"local": locally, cluster.name: lambda s=spread: distributed.fit_groups(prototype, s)}, times
        )
        counts.append(len(rows))
        for name, value in found.items():
            taken[name].append(value)
    return counts, taken


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--engines", default="dask,ray,spark")
    parser.add_argument("--sizes", default="100,1000,10000,30000")
    parser.add_argument("--groups", default="20,200,1000")
    parser.add_argument("--times", type=int, default=3)
    parser.add_argument("--json", action="store_true")
    told = parser.parse_args()
    sizes = [int(size) for size in told.sizes.split(",")]
    groups = [int(size) for size in told.groups.split(",")]
    report = []
    for kind in (Dask, Ray, Spark):
        if kind.name not in told.engines.split(","):
            continue
        cluster = kind()
        jobs = {f"forecasts, {model}": lambda m=model: forecasts(cluster, m, sizes, told.times)
                for model in MODELS}  # fmt: skip
        jobs["a model a series, linear"] = lambda: group_fits(cluster, groups, told.times)
        for job, run in jobs.items():
            rows, taken = run()
            local, fleet = (line_through(rows, taken[name]) for name in ("local", cluster.name))
            pays = {machines: pays_from(local, fleet, machines) for machines in (1, 2, 4, 8, 16, 64)}
            report.append({"engine": cluster.name, "job": job, "rows": rows, "seconds": taken,
                           "fixed_seconds": [local[0], fleet[0]],
                           "seconds_a_million_rows": [local[1], fleet[1]],
                           "pays_from_million_rows": pays, "load": os.getloadavg()[0]})  # fmt: skip
            print(json.dumps(report[-1]) if told.json else in_words(report[-1]), flush=True)
        cluster.end()


def in_words(found):
    name = found["engine"]
    by_size = ", ".join(
        f"{rows} rows {local:.2f} and {fleet:.2f} s"
        for rows, local, fleet in zip(found["rows"], found["seconds"]["local"], found["seconds"][name])
    )
    pays = ", ".join(
        f"{machines}: {'never' if rows is None else f'{rows:.1f}'}"
        for machines, rows in found["pays_from_million_rows"].items()
    )
    local, fleet = zip(found["fixed_seconds"], found["seconds_a_million_rows"])
    return (
        f"{name}, {found['job']}: one process and the fleet: {by_size}\n"
        f"  one process {local[0]:.3f} s and {local[1]:.3f} s a million rows, "
        f"the fleet {fleet[0]:.2f} s and {fleet[1]:.2f} s\n"
        f"  pays from so many million rows, by machines: {pays}"
    )


if __name__ == "__main__":
    main()
