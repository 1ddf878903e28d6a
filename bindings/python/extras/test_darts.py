"""What darts asks of a forecasting model: it has no suite to install, so this is its contract."""

from __future__ import annotations

import pathlib

import numpy as np
import pandas as pd
import pytest

pytest.importorskip("darts")

from darts import TimeSeries, concatenate  # noqa: E402
from darts.dataprocessing.transformers import Scaler  # noqa: E402
from darts.metrics import mae  # noqa: E402
from darts.models import NaiveEnsembleModel  # noqa: E402
from pages import run_blocks, run_docstrings  # noqa: E402

from pulsecast import Forecaster  # noqa: E402
from pulsecast.darts import PulsecastModel  # noqa: E402


def promotion(rows: int = 600) -> TimeSeries:
    return TimeSeries.from_times_and_values(
        pd.date_range("2024-01-01", periods=rows, freq="h"),
        (np.random.default_rng(99).random(2000)[:rows] < 0.15).astype(float),
    )


def load(rows: int = 480, seed: int = 0, level: float = 100.0, effect: float = 0.0) -> TimeSeries:
    noise = np.random.default_rng(seed).normal(0, 1, rows)
    values = level + 20 * np.sin(2 * np.pi * np.arange(rows) / 24) + noise
    values += effect * promotion(rows).values()[:, 0]
    hours = pd.date_range("2024-01-01", periods=rows, freq="h")
    return TimeSeries.from_times_and_values(hours, values, columns=["load"])


def model(**told: object) -> PulsecastModel:
    return PulsecastModel(48, 12, threads=1, **told)


def test_fit_and_predict() -> None:
    train, test = load().split_before(456)
    fitted = model().fit(train)
    made = fitted.predict(24)
    assert made.time_index.equals(test.time_index) and list(made.components) == ["load"]
    assert mae(test, made) < 3
    assert made == fitted.predict(24, series=train)
    assert made[:5] == fitted.predict(5)


def test_several_series_of_several_components() -> None:
    pairs = [load(480, i).stack(load(480, 9 + i, 50.0)) for i in range(3)]
    fitted = model().fit([one[:456] for one in pairs])
    made = fitted.predict(12, series=[one[:456] for one in pairs])
    assert len(model().fit([pairs[0], pairs[0]]).predict(12, series=[pairs[0]] * 2)) == 2
    assert len(made) == 3 and all(one.width == 2 for one in made)
    assert max(mae([one[456:468] for one in pairs], made)) < 3
    assert made[1] == fitted.predict(12, series=pairs[1][:456])
    with pytest.raises(ValueError, match="several series"):
        fitted.predict(12)


def test_series_of_other_lengths_and_that_it_has_not_seen() -> None:
    fitted = model().fit([load(480, 0), load(300, 1, 30.0)])
    other = load(400, 5, 900.0)
    assert mae(other[380:], fitted.predict(20, series=other[:380])) < 3


def test_an_index_of_numbers() -> None:
    series = TimeSeries.from_values(load().values())
    made = model().fit(series[:456]).predict(24)
    assert list(made.time_index) == list(range(456, 480))
    assert mae(series[456:], made) < 3


def test_future_covariates() -> None:
    series, covariates = load(1960, effect=30.0), promotion(2000)
    train = series[:1924]
    with_covariates = model().fit(train, future_covariates=covariates)
    assert with_covariates.uses_future_covariates
    without = model().fit(train).predict(36)
    assert mae(series[1924:], with_covariates.predict(36)) < 0.5 * mae(series[1924:], without)
    made = with_covariates.predict(36, series=train, future_covariates=covariates)
    assert made == with_covariates.predict(36)
    with pytest.raises(ValueError, match="future covariates"):
        with_covariates.predict(12, series=train)
    with pytest.raises(ValueError, match="end 30 steps too early"):
        with_covariates.predict(36, series=train, future_covariates=promotion(1930))


def test_past_covariates_are_refused() -> None:
    assert not model().supports_past_covariates
    with pytest.raises(ValueError, match="past covariates"):
        model().fit(load(), past_covariates=promotion())


def test_covariates_of_several_series() -> None:
    many, covariates = [load(960, i, effect=30.0) for i in range(3)], [promotion(1000)] * 3
    fitted = model().fit([one[:924] for one in many], future_covariates=covariates)
    made = fitted.predict(36, series=[one[:924] for one in many], future_covariates=covariates)
    assert made[2] == fitted.predict(36, series=many[2][:924], future_covariates=covariates[2])
    assert max(mae([one[924:] for one in many], made)) < 2
    twice = fitted.predict(36, series=[many[2][:900], many[2][:924]], future_covariates=covariates[:2])
    assert twice[1] == made[2] and twice[0] != made[2]
    with pytest.raises(ValueError, match="3 series came with 1 future_covariates"):
        model().fit(many, future_covariates=covariates[:1])


def test_encoders() -> None:
    encoded = model(add_encoders={"cyclic": {"future": ["dayofweek"]}}).fit(load()[:456])
    assert mae(load()[456:], encoded.predict(24)) < 3


@pytest.mark.parametrize("retrain", [True, False])
def test_historical_forecasts_and_backtests(retrain: bool) -> None:
    series = load(effect=30.0)
    covariates = promotion()
    fitted = model().fit(series[:400], future_covariates=covariates)
    told = {
        "future_covariates": covariates, "start": 400, "start_format": "position",
        "forecast_horizon": 12, "stride": 12, "retrain": retrain,
    }  # fmt: skip
    past = fitted.historical_forecasts(series, last_points_only=False, **told)
    assert len(past) == 6
    cut = series.get_index_at_point(past[2].start_time())
    if retrain:
        again = model().fit(series[:cut], future_covariates=covariates).predict(12)
    else:
        again = fitted.predict(12, series=series[:cut], future_covariates=covariates)
    assert past[2] == again
    assert fitted.backtest(series, metric=mae, **told) < 4
    assert mae(series, concatenate(past)) < 4
    residuals = fitted.residuals(series, last_points_only=True, **told)
    assert len(residuals) == 6


def test_a_model_that_was_not_trained() -> None:
    past = model().historical_forecasts(load(), start=0.8, forecast_horizon=12, stride=24, retrain=True)
    assert mae(load(), past) < 4


def test_the_shortest_series_is_learnt_from() -> None:
    shortest = model().min_train_series_length
    assert len(model().fit(load(shortest)).predict(12)) == 12


def test_it_is_searched_saved_and_loaded(tmp_path: pathlib.Path) -> None:
    series = load()
    best, told, score = PulsecastModel.gridsearch(
        {"input_chunk_length": [6, 48], "output_chunk_length": [12]}, series, forecast_horizon=12,
        start=0.9, stride=12, metric=mae,
    )  # fmt: skip
    assert told["input_chunk_length"] == 48 and score < 3
    fitted = best.fit(series)
    for clean in (False, True):
        fitted.save(str(tmp_path / "model.pkl"), clean=clean)
        loaded = PulsecastModel.load(str(tmp_path / "model.pkl"), trusted=True)
        assert loaded.predict(12, series=series) == fitted.predict(12)
    assert fitted.untrained_model().model_params == fitted.model_params
    fitted.to_model_file(tmp_path / "file.model")
    assert Forecaster.load(tmp_path / "file.model").horizon_ == 12


def test_it_goes_into_ensembles_and_behind_scalers() -> None:
    scaler = Scaler()
    scaled = scaler.fit_transform(load()[:456])
    ensemble = NaiveEnsembleModel([model(), PulsecastModel(24, 12)])
    made = scaler.inverse_transform(ensemble.fit(scaled).predict(24))
    assert mae(load()[456:], made) < 3


@pytest.mark.parametrize("freq", ["D", "W", "MS", "QS", "B", "15min"])
def test_frequencies(freq: str) -> None:
    rows = 200
    stamps = pd.date_range("1990-01-01", periods=rows, freq=freq)
    values = 10 + np.arange(rows) % 4 + np.random.default_rng(0).normal(0, 0.1, rows)
    series = TimeSeries.from_times_and_values(stamps, values)
    made = PulsecastModel(16, 4).fit(series[:-4]).predict(4)
    assert made.time_index.equals(series[-4:].time_index)
    assert mae(series[-4:], made) < 1


def test_what_the_documents_say(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run_blocks("darts", tmp_path, monkeypatch)
    run_docstrings("pulsecast.darts")
