"""One job in Pulsecast or in neuralforecast: import, fit, predict, with seconds, error and memory.

    .wheel/test/bin/python bench/peers/neuralforecast_face.py pulsecast [--data ETTh1.csv.gz]
    PEER/bin/python bench/peers/neuralforecast_face.py nhits [--data ETTh1.csv.gz] [--steps 500]
    PEER/bin/python bench/peers/neuralforecast_face.py dlinear ...

To be run in turn, two threads each. The last fifth of the rows of the file are not trained on; the error is the mean
squared one over all windows of --stride rows there, in units of each channel's deviation. Without
--data: 100 made series of 2000 hours. A line of JSON each.
"""

import argparse
import json
import os
import resource
import time

os.environ.setdefault("OMP_NUM_THREADS", "2")

import numpy as np
import pandas as pd

HORIZON = 96


def rows_of(path):
    if path is None:
        hours = np.arange(2000)
        chance = np.random.default_rng(1)
        made = {
            f"series {i}": 100 + 20 * np.sin(2 * np.pi * hours / 24 + i) + chance.normal(0, 3, 2000)
            for i in range(100)
        }
        return pd.DataFrame({"ds": pd.date_range("2024-01-01", periods=2000, freq="h"), **made})
    rows = pd.read_csv(path)
    rows = rows.rename(columns={rows.columns[0]: "ds"})
    rows["ds"] = pd.to_datetime(rows["ds"])
    return rows


def pulsecast_job(steps):
    from pulsecast import Forecaster

    class Job:
        def fit(self, rows):
            budget = {} if steps is None else {"budget": f"{steps}steps"}
            self.forecaster = Forecaster(HORIZON, threads=2, **budget).fit(rows)

        def predict(self, rows):
            return self.forecaster.predict(rows)

    return Job()


def neuralforecast_job(model, steps):
    import torch
    from neuralforecast import NeuralForecast
    from neuralforecast.models import NHITS, DLinear

    torch.set_num_threads(2)

    class Job:
        def fit(self, rows):
            kind = {"nhits": NHITS, "dlinear": DLinear}[model]
            made = kind(
                h=HORIZON,
                input_size=HORIZON,
                max_steps=steps or 500,
                scaler_type="standard",
                accelerator="cpu",
                logger=False,
                enable_progress_bar=False,
                enable_checkpointing=False,
            )
            self.forecaster = NeuralForecast(models=[made], freq="h")
            self.forecaster.fit(long(rows))

        def predict(self, rows):
            found = self.forecaster.predict(long(rows))
            value = [name for name in found if name not in ("unique_id", "ds")][0]
            return found.pivot(index="ds", columns="unique_id", values=value).reset_index()

    def long(rows):
        return rows.melt(id_vars="ds", var_name="unique_id", value_name="y")

    return Job()


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("who", choices=("pulsecast", "nhits", "dlinear"))
    parser.add_argument("--data")
    parser.add_argument("--steps", type=int)
    parser.add_argument("--stride", type=int, default=96)
    arguments = parser.parse_args()
    rows = rows_of(arguments.data)
    train = len(rows) * 4 // 5
    started = time.perf_counter()
    ours = arguments.who == "pulsecast"
    job = pulsecast_job(arguments.steps) if ours else neuralforecast_job(arguments.who, arguments.steps)
    imported = time.perf_counter()
    job.fit(rows[:train])
    fitted = time.perf_counter()
    names = [name for name in rows if name != "ds"]
    deviations = rows[names][:train].std().to_numpy()
    errors, predicting = [], []
    for origin in range(train, len(rows) - HORIZON + 1, arguments.stride):
        past = rows[max(0, origin - 8 * HORIZON) : origin]
        begun = time.perf_counter()
        made = job.predict(past)
        predicting.append(time.perf_counter() - begun)
        truth = rows[names][origin : origin + HORIZON].to_numpy()
        errors.append((((made[names].to_numpy() - truth) / deviations) ** 2).mean())
    print(
        json.dumps(
            {
                "who": arguments.who,
                "import_s": imported - started,
                "fit_s": fitted - imported,
                "mse": float(np.mean(errors)),
                "windows": len(errors),
                "predict_ms": 1e3 * float(np.median(predicting)),
                "peak_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
            }
        )
    )


if __name__ == "__main__":
    main()
