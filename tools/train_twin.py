#!/usr/bin/env python3
"""Trains the PyTorch twin on the paper's datasets under the paper's protocol.

    python tools/train_twin.py --recipes recipes.csv --data DIR --dataset ETTh1 \\
        --horizons 96 192 336 720 --seeds 2024 2025 2026 --out twin.jsonl

Appends one JSON line a run: settings, checksum of the data, losses, scores and seconds. A run that
the file already has is skipped, so a stopped series of runs goes on where it was.

Files are DIR/NAME.csv.gz with a column of stamps and then the channels. Validation is always the
full validation set, and its mean is over windows.
"""

import argparse
import csv
import dataclasses
import gzip
import hashlib
import io
import json
import os
import pathlib
import sys
import time

import numpy as np
import pandas as pd
import torch

from pulse_torch import Mix, Pulse, Settings, count_weights, width

MIXUP_CONCENTRATION = 0.15
EVALUATION_BATCH = 512

FEATURES = {
    "minute_of_hour": lambda t: t.minute / 59,
    "hour_of_day": lambda t: t.hour / 23,
    "day_of_week": lambda t: t.weekday / 6,
    "day_of_month": lambda t: (t.day - 1) / 30,
    "day_of_year": lambda t: (t.dayofyear - 1) / 365,
    "month_of_year": lambda t: (t.month - 1) / 11,
    "season_of_year": lambda t: (t.month // 3 + 3) % 4 / 3,
}


def split_rows(dataset, rows):
    """Rows of the train, validation and test split."""
    if dataset.startswith("ETT"):
        scale = 4 if dataset.startswith("ETTm") else 1
        return 8640 * scale, 2880 * scale, 2880 * scale
    train, test = 7 * rows // 10, 2 * rows // 10
    return train, rows - train - test, test


def window_ids(codes, length):
    """codes (n,) -> (n - length + 1,): equal ids where, and only where, the windows are equal.

    Ids of windows of twice a length are ids of pairs, so the lengths double; the last pair overlaps.
    """
    ids, covered = codes, 1
    while covered < length:
        step = min(covered, length - covered)
        ids = pair_ids(ids[: len(ids) - step], ids[step:])
        covered += step
    return ids


def pair_ids(a, b):
    return np.unique(a.astype(np.int64) * (int(b.max()) + 1) + b, return_inverse=True)[1]


class Windows:
    """Every window of a series, gathered by its first row. All splits start inside one series."""

    def __init__(self, values, features, T, H, W):
        """values (n, C), features (n, F)"""
        self.T = T
        self.values = torch.from_numpy(values).unfold(0, T + H, 1)  # (windows, C, T + H), a view
        self.features = torch.from_numpy(features).unfold(0, T + H, 1)
        self.phase = (torch.arange(len(self.values)) + T) % W
        codes = np.unique(features, axis=0, return_inverse=True)[1].reshape(-1)
        ids = pair_ids(window_ids(codes, T + H), self.phase.numpy())
        self.calendar = torch.from_numpy(ids)
        self.example = torch.from_numpy(np.unique(ids, return_index=True)[1])  # calendar -> window

    def gather(self, first):
        """first (B,) -> target (B, C, H) and the model's inputs, one row a distinct calendar."""
        distinct, calendar = torch.unique(self.calendar[first], return_inverse=True)
        example = self.example[distinct]
        values = self.values[first]
        features = self.features[example].transpose(1, 2)
        history, target = values[..., : self.T].contiguous(), values[..., self.T :].contiguous()
        past, future = features[:, : self.T], features[:, self.T :]
        return target, (history, self.phase[example], past, future, calendar)


class Dataset:
    """A file's values, scaled by the train rows, and its stamps."""

    def __init__(self, folder, name):
        found = [p for p in pathlib.Path(folder).glob("*.csv.gz") if p.name.lower() == f"{name}.csv.gz".lower()]
        if not found:
            sys.exit(f"there is no {name}.csv.gz in {folder}")
        text = gzip.decompress(found[0].read_bytes())
        self.name, self.sha256 = name, hashlib.sha256(text).hexdigest()
        table = pd.read_csv(io.BytesIO(text), encoding="latin-1")
        self.stamps = pd.DatetimeIndex(pd.to_datetime(table.iloc[:, 0]))
        values = table.iloc[:, 1:].to_numpy(np.float64)
        self.split = split_rows(name, len(values))
        train = values[: self.split[0]]
        deviation = train.std(axis=0)
        self.values = ((values - train.mean(axis=0)) / np.where(deviation == 0, 1, deviation)).astype(np.float32)

    def features(self, names):
        columns = [np.asarray(FEATURES[name](self.stamps)) - 0.5 for name in names]
        return np.stack(columns, axis=1).astype(np.float32)

    def first_rows(self, T, H):
        """The windows of the three splits, each as the rows where its windows start."""
        train, validation, test = self.split
        targets = ((T, train), (train, train + validation), (train + validation, train + validation + test))
        return [torch.arange(begin - T, end - T - H + 1) for begin, end in targets]


def read_recipes(path, dataset):
    with open(path, newline="") as file:
        return {int(row["horizon"]): row for row in csv.DictReader(file) if row["dataset"] == dataset}


def settings_of(recipe, channels, order):
    number = lambda name: int(recipe[name])
    return Settings(
        T=number("lookback"), H=number("horizon"), C=channels, F=len(recipe["time_features"].split("+")),
        W=number("period_W"), L=number("codebook_L"), P=number("patch_P"), d=number("router_d"),
        k=number("time_conv_kernel"), Ca=width(channels, number("time_shrink_a")),
        Cb=width(channels, number("time_shrink_b")), order=order,
    )  # fmt: skip


def reference_rate(rate, epoch):
    """Learning rate of an epoch, from 1: a first one at a 25th, three full ones, then 0.8 an epoch."""
    return rate / 25 if epoch == 1 else rate * 0.8 ** max(0, epoch - 4)


def train_epoch(model, optimiser, windows, first, batch, draw):
    """Mean loss over the batches; the last, partial one is dropped."""
    model.train()
    batch = min(batch, len(first))
    order = first[torch.from_numpy(draw.permutation(len(first)))]
    losses = []
    for rows in order[: len(order) // batch * batch].split(batch):
        target, inputs = windows.gather(rows)
        mix = Mix(draw.beta(MIXUP_CONCENTRATION, MIXUP_CONCENTRATION), torch.from_numpy(draw.permutation(batch)))
        optimiser.zero_grad()
        loss = model.loss(target, *inputs, mix=mix)
        loss.backward()
        optimiser.step()
        losses.append(loss.item())
    return float(np.mean(losses))


@torch.no_grad()
def scores(model, windows, first):
    """MSE and MAE over every window, step and channel."""
    model.eval()
    squared = absolute = count = 0.0
    for rows in first.split(EVALUATION_BATCH):
        target, inputs = windows.gather(rows)
        error = (model(*inputs) - target).double()
        squared += error.square().sum().item()
        absolute += error.abs().sum().item()
        count += error.numel()
    return squared / count, absolute / count


def run(dataset, recipe, order, seed):
    started = time.perf_counter()
    settings = settings_of(recipe, dataset.values.shape[1], order)
    features = dataset.features(recipe["time_features"].split("+"))
    windows = Windows(dataset.values, features, settings.T, settings.H, settings.W)
    train, validation, test = dataset.first_rows(settings.T, settings.H)
    torch.manual_seed(seed)
    draw = np.random.default_rng(seed)
    model = Pulse(settings)
    optimiser = torch.optim.Adam(model.parameters(), betas=(0.95, 0.999), eps=1e-8)

    losses, errors, train_seconds, best = [], [], 0.0, None
    for epoch in range(1, int(recipe["max_epochs"]) + 1):
        for group in optimiser.param_groups:
            group["lr"] = reference_rate(float(recipe["learning_rate"]), epoch)
        begun = time.perf_counter()
        losses.append(train_epoch(model, optimiser, windows, train, int(recipe["batch"]), draw))
        train_seconds += time.perf_counter() - begun
        errors.append(scores(model, windows, validation)[0])
        print(f"{dataset.name} {settings.H} seed {seed} epoch {epoch}: loss {losses[-1]:.4f}, "
              f"validation {errors[-1]:.4f}", file=sys.stderr)
        best_epoch = int(np.argmin(errors)) + 1
        if best_epoch == epoch:
            best = {name: value.clone() for name, value in model.state_dict().items()}
        elif epoch - best_epoch >= int(recipe["patience"]):
            break
    model.load_state_dict(best)
    mse, mae = scores(model, windows, test)
    return {
        "dataset": dataset.name, "horizon": settings.H, "order": order, "seed": seed,
        "test_mse": mse, "test_mae": mae, "epochs": len(losses), "best_epoch": best_epoch,
        "train_losses": losses, "validation_mses": errors,
        "train_windows": len(train), "validation_windows": len(validation), "test_windows": len(test),
        "weights": count_weights(model), "seconds": time.perf_counter() - started, "train_seconds": train_seconds,
        "threads": torch.get_num_threads(), "torch": torch.__version__, "data_sha256": dataset.sha256,
        "settings": dataclasses.asdict(settings),
    }  # fmt: skip


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--dataset", required=True)
    parser.add_argument("--data", required=True, help="folder with NAME.csv.gz")
    parser.add_argument("--recipes", required=True, help="settings a dataset and horizon, CSV")
    parser.add_argument("--horizons", type=int, nargs="+", help="default: all that have a recipe")
    parser.add_argument("--seeds", type=int, nargs="+", default=[2024])
    parser.add_argument("--order", choices=("reference", "calendar"), default="reference")
    parser.add_argument("--threads", type=int, default=int(os.environ.get("OMP_NUM_THREADS", 2)))
    parser.add_argument("--out", type=pathlib.Path, required=True, help="JSON lines, appended to")
    arguments = parser.parse_args()

    torch.set_num_threads(arguments.threads)
    key = lambda line: (line["dataset"], line["horizon"], line["order"], line["seed"])
    done = set()
    if arguments.out.exists():
        done = {key(json.loads(line)) for line in arguments.out.read_text().splitlines()}
    recipes = read_recipes(arguments.recipes, arguments.dataset)
    missing = set(arguments.horizons or []) - set(recipes)
    if missing or not recipes:
        sys.exit(f"{arguments.recipes} has no recipe for {arguments.dataset} {sorted(missing) or ''}")
    dataset = Dataset(arguments.data, arguments.dataset)
    for horizon in arguments.horizons or sorted(recipes):
        for seed in arguments.seeds:
            if (dataset.name, horizon, arguments.order, seed) in done:
                continue
            line = run(dataset, recipes[horizon], arguments.order, seed)
            with arguments.out.open("a") as out:
                out.write(json.dumps(line) + "\n")
            print(json.dumps(line), flush=True)


if __name__ == "__main__":
    main()
