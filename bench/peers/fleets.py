"""What a fleet costs beside one process: forecasts of many series, and models a group, by size.

    .wheel/fleets/bin/python bench/peers/fleets.py [--engines dask,ray,spark] [--json]

after ./dev extras fleets. Both have the same CPUs: a cluster on this machine, and one process with as
many threads. Frames lie in the cluster already; what comes out is collected. From the seconds by size
follow those that a fleet takes whatever the size, those a million rows, and from how many rows on how
many such machines it would be done sooner than one process, were the network free. "whole" is of frames
whose pieces hold whole series, so that nothing is moved.
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
MACHINES = (1, 2, 4, 8, 16, 64)


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
    counts, taken = [], {"one process": [], "fleet": [], "fleet, whole": []}
    for series in sizes:
        rows = shop_rows(series, DAYS)
        spread = cluster.held(cluster.spread(rows, 4))
        pieces = cluster.held(cluster.in_pieces(rows, "unique_id", 4))

        def fleet(frame, whole):
            return lambda: cluster.frame(distributed.predict(forecaster, frame, whole=whole))

        found = in_turn(
            {
                "one process": lambda rows=rows: forecaster.predict(rows),
                "fleet": fleet(spread, False),
                "fleet, whole": fleet(pieces, True),
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

    counts, taken = [], {"one process": [], "fleet": []}
    for series in sizes:
        rows = shop_rows(series, DAYS)
        spread = cluster.held(cluster.spread(rows, 4))

        def locally(rows=rows):
            parts = [part for _, part in rows.groupby("unique_id")]
            with concurrent.futures.ThreadPoolExecutor(THREADS) as threads:
                return list(threads.map(fit, parts))

        found = in_turn(
            {"one process": locally, "fleet": lambda s=spread: distributed.fit_groups(prototype, s)},
            times,
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
    parser.add_argument("--models", default="linear,pulse")
    parser.add_argument("--times", type=int, default=3)
    parser.add_argument("--json", action="store_true")
    told = parser.parse_args()
    sizes = [int(size) for size in told.sizes.split(",")]
    groups = [int(size) for size in told.groups.split(",")]
    for kind in (Dask, Ray, Spark):
        if kind.name not in told.engines.split(","):
            continue
        cluster = kind()
        jobs = {f"forecasts, {model}": lambda m=model: forecasts(cluster, m, sizes, told.times)
                for model in told.models.split(",") if model}  # fmt: skip
        jobs["a model a series, linear"] = lambda: group_fits(cluster, groups, told.times)
        for job, run in jobs.items():
            rows, taken = run()
            cost = {name: line_through(rows, times) for name, times in taken.items()}
            pays = {
                name: {machines: pays_from(cost["one process"], line, machines) for machines in MACHINES}
                for name, line in cost.items()
                if name != "one process"
            }
            found = {"engine": cluster.name, "job": job, "rows": rows, "seconds": taken,
                     "fixed_and_a_million_rows": cost, "pays_from_million_rows": pays,
                     "load": os.getloadavg()[0]}  # fmt: skip
            print(json.dumps(found) if told.json else in_words(found), flush=True)
        cluster.end()


def in_words(found):
    lines = [f"{found['engine']}, {found['job']} (load {found['load']:.0f})"]
    for name, times in found["seconds"].items():
        by_size = ", ".join(f"{rows}: {time:.2f}" for rows, time in zip(found["rows"], times))
        fixed, each = found["fixed_and_a_million_rows"][name]
        lines.append(f"  {name}, seconds by rows: {by_size}; {fixed:.2f} s and {each:.2f} s a million")
    for name, sizes in found["pays_from_million_rows"].items():
        pays = (f"{n}: {'never' if rows is None else f'{rows:.1f}'}" for n, rows in sizes.items())
        lines.append(f"  {name}, pays from so many million rows, by machines: {', '.join(pays)}")
    return "\n".join(lines)


if __name__ == "__main__":
    main()
