#!/usr/bin/env python3
"""The paper's proposition and theorem put to numbers: where their assumptions hold, and where not.

    python tools/theory_check.py [ETTh1.csv.gz]

Prints the tables of docs/theory.md. Needs NumPy alone; the file adds a table of real windows.
"""

import csv
import gzip
import sys

import numpy as np

STEPS = 96
PERIOD = 24
EPSILON = 1e-5  # beside a variance, in the program
MIXUP_ALPHA = 0.15


def unit(x):
    """Mean 0, deviation 1."""
    return (x - x.mean()) / x.std()


def anchor(deviation):
    return deviation * unit(np.sin(2 * np.pi * np.arange(STEPS) / PERIOD))


def noise(deviation, seed, away_from=None):
    """An autoregression; without covariance with another series, if one is given."""
    draw = np.random.default_rng(seed).standard_normal(STEPS)
    x = np.zeros(STEPS)
    for t in range(STEPS):
        x[t] = 0.6 * x[t - 1] * (t > 0) + draw[t]
    x = unit(x)
    if away_from is not None and away_from.std() > 0:
        x = unit(x - (x @ unit(away_from)) / STEPS * unit(away_from))
    return deviation * x


def jacobian(function, x):
    """By central differences, (outputs, inputs)."""
    step = 1e-6 * max(x.std(), 1e-12)
    columns = []
    for i in range(len(x)):
        moved = np.zeros(len(x))
        moved[i] = step
        columns.append((function(x + moved) - function(x - moved)) / (2 * step))
    return np.stack(columns, axis=1)


def norm(matrix):
    return np.linalg.norm(matrix, 2)


def gradients(a, r):
    """Spectral norms of the gradients of both normalisations with respect to the residual."""
    return norm(jacobian(lambda x: unit(a + x), r)), norm(jacobian(lambda x: unit(x) + a, r))


def proposition():
    print("Proposition, under its assumptions: sigma_R 0.1, no covariance")
    print("| sigma_A / sigma_R | norm of standard x sigma_A | norm of ours x sigma_R | ratio of the norms |")
    print("|---|---|---|---|")
    for ratio in (1, 3, 10, 30, 100):
        a = anchor(0.1 * ratio)
        r = noise(0.1, 1, away_from=a)
        standard, ours = gradients(a, r)
        print(f"| {ratio} | {standard * a.std():.3f} | {ours * r.std():.3f} | {ours / standard:.2f} |")

    a, r = anchor(1.0), noise(0.1, 1, away_from=anchor(1.0))
    x = a + r
    centred = (x - x.mean())[:, None]
    first = (np.eye(STEPS) - 1 / STEPS) / x.std()
    second = centred @ centred.T / (STEPS * x.std() ** 3)
    print(f"\nThe proof's two terms at sigma_A 1: {norm(first):.4f} and {norm(second):.4f}; "
          f"together {norm(first - second):.4f}")
    print(f"Moved along the window itself: {np.linalg.norm((first - second) @ centred / np.linalg.norm(centred)):.1e}")

    print("\nProposition, assumptions broken")
    print("| what | sigma_A | sigma_R | norm of standard | norm of ours | ratio |")
    print("|---|---|---|---|---|---|")
    base = noise(0.1, 1, away_from=anchor(1.0))
    for what, a, r in (
        ("the anchor does not dominate", anchor(0.01), noise(0.1, 1)),
        ("the residual undoes nine tenths of the anchor", anchor(1.0), -0.9 * anchor(1.0) + base),
        ("the residual undoes all of it but noise", anchor(1.0), -anchor(1.0) + base),
    ):
        standard, ours = gradients(a, r)
        print(f"| {what} | {a.std():.2f} | {r.std():.2f} | {standard:.2f} | {ours:.2f} | {ours / standard:.2f} |")

    print("\nWith the way back: gradient of a linear forecast with respect to the residual, and what its weights see")
    print("| sigma_A | standard | ours | residual's share of the weights' gradient, standard | ours |")
    print("|---|---|---|---|---|")
    weights = np.random.default_rng(3).standard_normal((STEPS, STEPS)) / np.sqrt(STEPS)
    for deviation in (0.3, 1.0, 10.0, 100.0):
        a, r = anchor(deviation), noise(0.1, 1, away_from=anchor(1.0))
        standard = norm(jacobian(lambda x: weights @ unit(a + x) * (a + x).std() + (a + x).mean(), r))
        ours = norm(jacobian(lambda x: weights @ (unit(x) + a) * x.std() + x.mean(), r))
        # dY/dW is the input times the deviation that the way back multiplies by.
        shares = [r.std() / (a + r).std(), 1 / np.hypot(1, a.std())]
        print(f"| {deviation:g} | {standard:.2f} | {ours:.2f} | {shares[0]:.3f} | {shares[1]:.3f} |")


def pair(correlation, seed=5):
    """Two residuals of deviation 1 and 0.5 with that correlation."""
    first = noise(1.0, seed)
    other = noise(1.0, seed + 1, away_from=first)
    return first, 0.5 * (correlation * first + np.sqrt(max(0.0, 1 - correlation**2)) * other)


def theorem():
    print("\nTheorem, under its assumptions: sigma_i 1, sigma_j 0.5")
    grid = np.linspace(0.001, 0.999, 999)
    print("| correlation | least naive / ours over lambda | at lambda | largest error of the formula | least ours |")
    print("|---|---|---|---|---|")
    for correlation in (0.9, 0.0, -0.5, -0.9, -0.99, -0.9999, -1.0):
        i, j = pair(correlation)
        naive = np.array([(w * i + (1 - w) * j).std() for w in grid])
        ours = grid * i.std() + (1 - grid) * j.std()
        formula = 1 - 2 * grid * (1 - grid) * i.std() * j.std() * (1 - correlation) / ours**2
        error = np.abs((naive / ours) ** 2 - formula).max()
        least = (naive / ours).argmin()
        print(f"| {correlation:g} | {(naive / ours)[least]:.4f} | {grid[least]:.3f} | {error:.0e} | {ours.min():.3f} |")

    print("\nTheorem, assumptions broken or left out")
    draws = np.random.default_rng(7).beta(MIXUP_ALPHA, MIXUP_ALPHA, 1_000_000)
    i, j = pair(-1.0)
    naive, ours = np.abs(draws * i.std() - (1 - draws) * j.std()), draws * i.std() + (1 - draws) * j.std()
    for share in (0.5, 0.1, 0.01):
        print(f"lambda of mixup, correlation -1: the naive scale is below {share} of ours in "
              f"{100 * np.mean(naive < share * ours):.1f} % of draws")
    print(f"a window without variance beside one of deviation 1, lambda 0.01: ours is {0.01 * 1.0:.2f}, "
          f"with the program's epsilon {0.01 + 0.99 * np.sqrt(EPSILON):.4f}, the naive one {np.sqrt(1e-4 + EPSILON):.4f}")
    target_i, target_j = noise(1.0, 11), noise(0.5, 12)
    print("\n| correlation | largest value that the backbone must give, futures apart | futures that go on in anti-phase |")
    print("|---|---|---|")
    weight = j.std() / (i.std() + j.std())
    for correlation in (0.0, -0.9, -0.9999, -1.0):
        i, j = pair(correlation)
        naive = np.sqrt((weight * i + (1 - weight) * j).var() + EPSILON)
        apart = np.abs(weight * target_i + (1 - weight) * target_j).max() / naive
        on = np.abs(weight * i + (1 - weight) * j).max() / naive
        print(f"| {correlation:g} | {apart:.1f} | {on:.1f} |")


def rows_of(path):
    with gzip.open(path, "rt", newline="") as file:
        rows = list(csv.reader(file))[1:]
    values = np.array([row[1:] for row in rows], dtype=np.float64)[:8640]
    return (values - values.mean(0)) / values.std(0)


def real(path):
    values = rows_of(path)
    phases = np.arange(len(values)) % PERIOD
    cycle = np.stack([values[phases == p].mean(0) for p in range(PERIOD)])
    residual = values - cycle[phases]
    draw = np.random.default_rng(9)
    first, second = (draw.integers(0, len(values) - STEPS, 20000) for _ in range(2))
    channel = draw.integers(0, values.shape[1], 20000)
    window = lambda x, at: np.stack([x[a : a + STEPS, c] for a, c in zip(at, channel)])
    i, j = window(residual, first), window(residual, second)
    centre = lambda x: x - x.mean(1, keepdims=True)
    i, j = centre(i), centre(j)
    correlation = (i * j).mean(1) / (i.std(1) * j.std(1))
    weight = draw.beta(MIXUP_ALPHA, MIXUP_ALPHA, len(i))
    ours = weight * i.std(1) + (1 - weight) * j.std(1)
    ratio = (weight[:, None] * i + (1 - weight[:, None]) * j).std(1) / ours
    print(f"\nReal windows: {path.split('/')[-1]}, training rows, residual to the mean day, 20000 pairs of windows of {STEPS}")
    print(f"sigma of windows / of their residuals, median: "
          f"{np.median(window(values, first).std(1)):.2f} / {np.median(i.std(1)):.2f}; of the mean day: {cycle.std(0).mean():.2f}")
    print("correlation of two residuals: " + ", ".join(
        f"{q} %: {np.percentile(correlation, q):.2f}" for q in (1, 5, 50, 95, 99)))
    print("naive scale / ours, lambda of mixup: " + ", ".join(
        f"{q} %: {np.percentile(ratio, q):.2f}" for q in (0.1, 1, 5, 50)) + f"; least {ratio.min():.2f}")


if __name__ == "__main__":
    proposition()
    theorem()
    if len(sys.argv) > 1:
        real(sys.argv[1])
