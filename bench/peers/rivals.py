r"""Pulsecast with nothing told but the horizon, beside what a user would pick instead.

    .peers-nightly/bin/python bench/peers/rivals.py --program build/release/bin/pulsecast --data DIR \
        [--files ETTh1,...] [--own FILE,FREQUENCY,ROWS ...] [--budget 2000steps] [--threads 2] [--origins 60] --out rivals.jsonl

The newest fifth of every file is held out. `pulsecast train` sees the rest and no settings but the
horizon, and columns and repairs where the file needs them; a ridge of the last 336 values (fitted by
the same program, on the same rows), LightGBM by mlforecast with lags of the day and the week,
repeating the last day and the last week see the same rows. All forecast from the same origins.
Errors are of values divided by the deviation of the rows before the held-out ones, a mean over
channels. Seconds are of CPU, children included. A line of JSON a file; files that are there are not
done again.

A file of your own is given by its path, the frequency that pandas calls it by and the rows of its
shorter cycle, 24 of hours and 7 of days: --own sales.csv,D,7.
"""

import argparse
import json
import os
import resource
import subprocess
import tempfile
from pathlib import Path

import lightgbm
import numpy as np
import pandas as pd
from mlforecast import MLForecast
from mlforecast.lag_transforms import RollingMean
from mlforecast.target_transforms import LocalStandardScaler

HORIZON = 96

# name: (file or None where it is made, pandas frequency, rows of a day, flags of the program)
FILES = {
    "ETTh1": ("ETTh1.csv.gz", "h", 24, []),
    "ETTh2": ("ETTh2.csv.gz", "h", 24, []),
    "ETTm1": ("ETTm1.csv.gz", "15min", 96, []),
    "ETTm2": ("ETTm2.csv.gz", "15min", 96, []),
    "weather": ("weather.csv.gz", "10min", 144, []),
    "AQShunyi": ("AQShunyi.csv.gz", "h", 24, []),
    "bike": ("bike_sharing.csv.gz", "h", 24, ["--known", "tmin,tmax,pn"]),
    "weekly": (None, "h", 24, []),
    "nightly": (None, "h", 24, []),
    "known": (None, "D", 7, ["--known", "price,holiday"]),
}
MADE = {
    "weekly": ["--rows", "12000", "--channels", "6", "--weekly", "0.5", "--daily", "0.5", "--noise", "0.1", "--seed", "7"],
    "nightly": ["--rows", "26280", "--channels", "300", "--noise", "0.2", "--seed", "1"],
    "known": ["--rows", "3000", "--channels", "2", "--step", "1d", "--price", "0.6", "--holiday", "0.8", "--noise", "0.05",
              "--seed", "7"],
}


def cpu_seconds():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN), resource.getrusage(resource.RUSAGE_SELF)
    return sum(u.ru_utime + u.ru_stime for u in usage)


def timed(work):
    before = cpu_seconds()
    result = work()
    return result, cpu_seconds() - before


def load(name, options, folder):
    """The rows, filled, as a frame of a column `ds` and others; and the names of targets and known."""
    file, frequency, _, flags = FILES[name]
    if file is None:
        path = folder / "made.csv"
        subprocess.run([options.program, "data", "make", path, *MADE[name], "--quiet"], check=True)
    else:
        path = Path(options.data or ".") / file
    rows = pd.read_csv(path, encoding="latin-1")
    stamp = "ts" if "ts" in rows else rows.columns[0]
    rows = rows.rename(columns={"y": "value"}).rename(columns={stamp: "ds"})  # y is what mlforecast calls targets
    rows["ds"] = pd.to_datetime(rows["ds"])
    rows = rows.drop_duplicates("ds").set_index("ds").select_dtypes("number").asfreq(frequency)
    rows = rows.interpolate(limit_direction="both").reset_index()
    known = flags[1].split(",") if flags else []
    return rows, [c for c in rows.columns if c not in ("ds", *known)], known


def ours(options, folder, flags, train_flags):
    """Forecasts of a model that the program trains on head.csv; the CPU seconds of that."""
    model, out = folder / "a.model", folder / "past.csv"
    quiet = ["--quiet", "--threads", str(options.threads)]
    command = [options.program, "train", folder / "head.csv", "--horizon", str(HORIZON), *flags, *train_flags,
               "--force", "--out", model, *quiet]
    done, seconds = timed(lambda: subprocess.run(command, capture_output=True, text=True))
    if done.returncode not in (0, 1):
        raise SystemExit(done.stderr)
    stride = max(1, options.held_out // options.origins)
    subprocess.run([options.program, "backtest", folder / "all.csv", "--model-file", model, "--stride", str(stride),
                    "--origins", str(options.origins), "--out", out, *quiet], check=True, capture_output=True)
    past = pd.read_csv(out, parse_dates=["ds", "cutoff"])
    past["ds"] = past["ds"].dt.tz_localize(None)
    past["cutoff"] = past["cutoff"].dt.tz_localize(None)
    return past.set_index(["unique_id", "ds", "cutoff"])["yhat"], seconds


def lightgbm_of(name, rows, targets, known, cutoffs, step, options):
    """mlforecast with LightGBM, trained on the rows before the first cutoff."""
    _, frequency, day, _ = FILES[name]
    week = 7 * day if day != 7 else 7
    long = rows.melt(id_vars=["ds", *known], value_vars=targets, var_name="unique_id", value_name="y")
    job = MLForecast(
        models={"yhat": lightgbm.LGBMRegressor(n_jobs=options.threads, verbosity=-1)},
        freq=frequency,
        lags=sorted({1, 2, 3, day, 2 * day, 3 * day, week}),
        lag_transforms={1: [RollingMean(day)], day: [RollingMean(week)]},
        date_features=["hour", "dayofweek"] + (["minute"] if "min" in frequency else []) if frequency != "D"
        else ["dayofweek", "month"],
        target_transforms=[LocalStandardScaler()],
        num_threads=options.threads,
    )
    parts = []

    def work():
        first = cutoffs[0]
        job.fit(long[long.ds <= first], static_features=[])
        for cutoff in cutoffs:
            newest = long[(long.ds <= cutoff) & (long.ds > cutoff - (3 * week) * step)]
            future = long[(long.ds > cutoff) & (long.ds <= cutoff + HORIZON * step)]
            extra = {"X_df": future.drop(columns="y")} if known else {}
            parts.append(job.predict(HORIZON, new_df=newest, **extra).assign(cutoff=cutoff))

    _, seconds = timed(work)
    return pd.concat(parts).set_index(["unique_id", "ds", "cutoff"])["yhat"], seconds


def measure(name, options):
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        rows, targets, known = load(name, options, folder)
        head = len(rows) * 4 // 5
        options.held_out = len(rows) - head - HORIZON
        rows.iloc[:head].to_csv(folder / "head.csv", index=False)
        rows.to_csv(folder / "all.csv", index=False)
        flags = FILES[name][3]
        forecasts, seconds = {}, {}
        budget = ["--budget", options.budget] if options.budget else []
        forecasts["pulsecast"], seconds["pulsecast"] = ours(options, folder, flags, budget)
        ridge = ["--model", "linear"] + (["--lookback", "336"] if head > 4000 else [])
        forecasts["ridge"], seconds["ridge"] = ours(options, folder, flags, ridge)
        index = forecasts["pulsecast"].index
        cutoffs = sorted(index.get_level_values("cutoff").unique())
        step = rows.ds[1] - rows.ds[0]
        forecasts["lightgbm"], seconds["lightgbm"] = lightgbm_of(name, rows, targets, known, cutoffs, step, options)
    table = rows.set_index("ds")[targets]
    truth = table.stack().rename_axis(["ds", "unique_id"])
    frame = index.to_frame(index=False)
    key = pd.MultiIndex.from_frame(frame[["ds", "unique_id"]])
    actual = truth.reindex(key).to_numpy()
    day = FILES[name][2]
    ahead = ((frame.ds - frame.cutoff) / step).round().astype(int) - 1
    for label, period in (("last day", day), ("last week", 7 * day if day != 7 else 7)):
        back = frame.cutoff - (period - 1 - ahead % period) * step
        forecasts[label] = pd.Series(
            truth.reindex(pd.MultiIndex.from_arrays([back, frame.unique_id])).to_numpy(), index=index)
        seconds[label] = 0.0
    deviation = frame.unique_id.map(table.iloc[:head].std()).to_numpy()
    result = {"file": name, "origins": len(cutoffs), "channels": len(targets)}
    for label, forecast in forecasts.items():
        error = (forecast.reindex(index).to_numpy() - actual) / deviation
        result[label] = {"mse": float(np.mean(error**2)), "mae": float(np.mean(np.abs(error))),
                         "cpu_seconds": round(seconds[label], 1)}
    return result


def show(results):
    print("| file | pulsecast MSE / MAE, CPU s | ridge | LightGBM | last day | last week | ours / best: MSE | MAE |")
    print("|---|---|---|---|---|---|---|---|")
    ratios = []
    rivals = ("ridge", "lightgbm", "last day", "last week")
    for r in results:
        cells = [f"{r[n]['mse']:.4f} / {r[n]['mae']:.4f}" + (f", {r[n]['cpu_seconds']:.0f}" if r[n]["cpu_seconds"] else "")
                 for n in ("pulsecast", *rivals)]
        ratio = [r["pulsecast"][m] / min(r[n][m] for n in rivals) for m in ("mse", "mae")]
        ratios.append(ratio)
        print(f"| {r['file']} | " + " | ".join(cells) + f" | {ratio[0]:.3f} | {ratio[1]:.3f} |")
    mean = np.exp(np.mean(np.log(ratios), axis=0))
    print(f"\ngeometric mean of ours / best: MSE {mean[0]:.3f}, MAE {mean[1]:.3f}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True)
    parser.add_argument("--data", help="the folder of --files that are not made")
    parser.add_argument("--files", default="")
    parser.add_argument("--own", action="append", default=[], metavar="FILE,FREQUENCY,ROWS")
    parser.add_argument("--budget", default="")
    parser.add_argument("--origins", type=int, default=60, help="of each file, over what is held out")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--out", required=True)
    options = parser.parse_args()
    options.program = os.path.abspath(options.program)
    out = Path(options.out)
    results = [json.loads(line) for line in out.read_text().splitlines()] if out.exists() else []
    names = options.files.split(",") if options.files else [] if options.own else list(FILES)
    for own in options.own:
        path, frequency, day = own.rsplit(",", 2)
        names.append(Path(path).name.split(".")[0])
        FILES[names[-1]] = (os.path.abspath(path), frequency, int(day), [])
    for name in names:
        if name in {r["file"] for r in results}:
            continue
        results.append(measure(name, options))
        with out.open("a") as log:
            log.write(json.dumps(results[-1]) + "\n")
    show(results)


if __name__ == "__main__":
    main()
