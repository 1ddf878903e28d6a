"""sktime's own conformance suite, and forecasts of its kind of data."""

from __future__ import annotations

import pathlib

import numpy as np
import pandas as pd
import pytest

pytest.importorskip("sktime")

from pages import run_blocks, run_docstrings  # noqa: E402
from sktime.forecasting.model_evaluation import evaluate  # noqa: E402
from sktime.split import ExpandingWindowSplitter  # noqa: E402
from sktime.utils.estimator_checks import check_estimator  # noqa: E402

from pulsecast import Forecaster  # noqa: E402
from pulsecast.sktime import PulsecastForecaster  # noqa: E402


def test_the_contract() -> None:
    results = check_estimator(PulsecastForecaster, verbose=False)
    failed = {name: result for name, result in results.items() if result != "PASSED"}
    assert len(results) > 100 and not failed, failed


def load(rows: int = 480) -> tuple[pd.Series, pd.DataFrame]:
    hours = pd.period_range("2024-01-01", periods=rows, freq="h")
    promotion = pd.DataFrame({"promotion": np.arange(rows) % 50 < 5}, index=hours).astype(float)
    noise = np.random.default_rng(0).normal(0, 1, rows)
    y = 100 + 20 * np.sin(2 * np.pi * np.arange(rows) / 24) + noise + 30 * promotion["promotion"]
    return y.rename("load"), promotion


def test_it_says_what_a_forecaster_says() -> None:
    y, _ = load()
    made = PulsecastForecaster(lookback=48, threads=1).fit(y, fh=range(1, 13)).predict()
    rows = {"ds": y.index.to_timestamp().to_numpy(), "load": y.to_numpy()}
    expected = Forecaster(12, model="linear", lookback=48).fit(rows).predict()["load"]
    np.testing.assert_array_equal(made.to_numpy(), expected)
    assert made.index[0] == y.index[-1] + 1 and made.name == "load"


def test_columns_that_are_known_in_advance() -> None:
    y, X = load(460)  # rows 450 to 454 have a promotion
    forecaster = PulsecastForecaster(lookback=48, threads=1).fit(y[:448], X[:448], fh=range(1, 13))
    made = forecaster.predict(X=X[448:])
    rows = {"ds": y.index.to_timestamp().to_numpy(), "y": y.to_numpy(), "x": X["promotion"].to_numpy()}
    past = {name: values[:448] for name, values in rows.items()}
    alone = Forecaster(12, model="linear", lookback=48, known="x", target="y").fit(past)
    expected = alone.predict({**rows, "y": np.append(past["y"], [np.nan] * 12)})["y"]
    np.testing.assert_array_equal(made.to_numpy(), expected)
    # Steps that are not asked for need not be known.
    some = PulsecastForecaster(lookback=48, threads=1).fit(y[:448], X[:448], fh=[1, 5, 8])
    assert some.predict(X=X[448:456]).index.equals(y.index[[448, 452, 455]])


def test_what_is_remembered_is_its_own() -> None:
    """Newer versions of sktime keep no rows for a forecaster."""
    y, _ = load()
    forecaster = PulsecastForecaster(lookback=48).set_config(remember_data=False)
    forecaster.fit(y[:400], fh=[1, 2]).update(y[400:450], update_params=False)
    assert forecaster.predict().index.equals(y.index[450:452])


def test_it_is_evaluated_and_updated() -> None:
    y, _ = load()
    splitter = ExpandingWindowSplitter(fh=range(1, 13), initial_window=400, step_length=20)
    for strategy in ("refit", "no-update_params", "update"):
        scores = evaluate(
            PulsecastForecaster(lookback=48), splitter, y, strategy=strategy, error_score="raise"
        )
        assert scores.iloc[:, 0].max() < 0.2


def test_what_the_documents_say(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run_blocks("sktime", tmp_path, monkeypatch)
    run_docstrings("pulsecast.sktime")
