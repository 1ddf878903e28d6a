"""Would a correction by errors that have matured have helped a model?

    pulsecast backtest ROWS --model-file M --part validation --out validation.csv
    pulsecast backtest ROWS --model-file M --out test.csv
    python tools/matured_errors.py ROWS validation.csv test.csv

For every channel and step the mean of the errors whose truth was known by then, exponentially weighted, times a
share in [0, 1], is added to the forecast. Shares are fitted on the first half of the validation origins for every
channel and twelfth of the horizon, kept where they lower the error of the second half, and fitted again on both.
Errors are in units of each channel's deviation before the first origin. See docs/decisions/0042-matured-errors.md.
"""

import gzip
import sys

import numpy as np

RATES = (0.9, 0.98, 0.995, 0.999)
BANDS = 12


def read_rows(path):
    opened = gzip.open(path, "rt") if path.endswith(".gz") else open(path)
    with opened as file:
        names = next(file).strip().split(",")[1:]
        lines = [line.strip().split(",") for line in file]
    stamps = {}
    for row, line in enumerate(lines):
        text = line[0].replace("/", "-")
        stamps[text if len(text) > 10 else text + " 00:00:00"] = row
    return names, stamps, np.array([[float(cell) for cell in line[1:]] for line in lines])


def read_forecasts(path, names, stamps, rows):
    """Errors (origins, channels, steps) in original units, and the row of each origin's last value."""
    cutoffs, channels, values = [], [], []
    with open(path) as file:
        next(file)
        for line in file:
            channel, _, cutoff, value = line.split(",")[:4]
            if not cutoffs or cutoffs[-1] != cutoff:
                cutoffs.append(cutoff)
            if len(cutoffs) == 1 and channel not in channels:
                channels.append(channel)
            values.append(float(value))
    forecast = np.array(values).reshape(len(cutoffs), len(channels), -1)
    horizon = forecast.shape[2]
    columns = [names.index(channel) for channel in channels]
    last = [stamps[cutoff] for cutoff in cutoffs]
    truth = np.stack([rows[row + 1 : row + 1 + horizon, columns].T for row in last])
    return truth - forecast, last, columns


def matured_means(errors, rate):
    """At each origin the weighted mean of errors whose truth was known; origins are a row apart."""
    origins, channels, horizon = errors.shape
    means = np.zeros_like(errors)
    for step in range(horizon):
        total, weight = np.zeros(channels), 0.0
        for origin in range(step + 1, origins):
            total = rate * total + (1 - rate) * errors[origin - step - 1, :, step]
            weight = rate * weight + (1 - rate)
            means[origin, :, step] = total / weight
    return means


def share_of(errors, means):
    return float(np.clip((errors * means).sum() / max((means**2).sum(), 1e-12), 0.0, 1.0))


def fit_shares(errors, means):
    half = len(errors) // 2
    shares = np.zeros(errors.shape[1:])
    for channel in range(errors.shape[1]):
        for steps in np.array_split(np.arange(errors.shape[2]), BANDS):
            own, mean = errors[:, channel, steps], means[:, channel, steps]
            share = share_of(own[:half], mean[:half])
            if ((own[half:] - share * mean[half:]) ** 2).mean() < (own[half:] ** 2).mean():
                shares[channel, steps] = share_of(own, mean)
    return shares


def main(rows_path, validation_path, test_path):
    names, stamps, rows = read_rows(rows_path)
    validation, last, columns = read_forecasts(validation_path, names, stamps, rows)
    test, _, _ = read_forecasts(test_path, names, stamps, rows)
    scale = rows[: last[0] + 1, columns].std(axis=0)[None, :, None]
    validation, test = validation / scale, test / scale
    print(f"as it is      validation {np.mean(validation**2):.4f}  test {np.mean(test**2):.4f}")
    for rate in RATES:
        means = matured_means(np.concatenate([validation, test]), rate)
        known, later = means[: len(validation)], means[len(validation) :]
        shares = fit_shares(validation, known)
        print(
            f"rate {rate:<8} validation {np.mean((validation - shares * known) ** 2):.4f}  "
            f"test {np.mean((test - shares * later) ** 2):.4f}  mean share {shares.mean():.2f}"
        )


if __name__ == "__main__":
    main(*sys.argv[1:])
