"""What of scikit-learn's contract applies to rows that are steps of time."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("sklearn")

from conftest import load_values  # noqa: E402
from sklearn.base import clone  # noqa: E402
from sklearn.model_selection import GridSearchCV, TimeSeriesSplit  # noqa: E402
from sklearn.pipeline import make_pipeline  # noqa: E402
from sklearn.preprocessing import StandardScaler  # noqa: E402
from sklearn.utils.estimator_checks import parametrize_with_checks  # noqa: E402

from pulsecast.sklearn import PulsecastRegressor  # noqa: E402

# Checks that shuffle rows, or predict the rows of `fit` again and compare: here a row of X stands for
# the step that follows, so its forecast depends on its place.
ORDER = "a forecast belongs to the step that its row stands for"
IN_SAMPLE = "predict(X) forecasts the rows after those of fit, not those again"
DOES_NOT_APPLY = {
    "check_methods_subset_invariance": ORDER,
    "check_methods_sample_order_invariance": ORDER,
    "check_regressors_train": IN_SAMPLE,
}


@parametrize_with_checks([PulsecastRegressor()], expected_failed_checks=lambda _: DOES_NOT_APPLY)
def test_the_contract(estimator: PulsecastRegressor, check: object) -> None:
    check(estimator)  # type: ignore[operator]


def rows(count: int = 480) -> tuple[np.ndarray, np.ndarray]:
    promotion = (np.arange(count) % 50 < 5).astype(float)
    return promotion[:, None], load_values(count) + 30 * promotion


def test_it_forecasts_what_follows() -> None:
    X, y = rows()
    made = PulsecastRegressor(horizon=24, lookback=72).fit(X[:-48], y[:-48]).predict(X[-48:])
    assert made.shape == (48,)
    assert np.abs(made - y[-48:]).mean() < 3


def test_it_goes_into_pipelines_and_searches() -> None:
    X, y = rows()
    pipeline = make_pipeline(StandardScaler(), PulsecastRegressor(horizon=24))
    search = GridSearchCV(
        pipeline,
        {"pulsecastregressor__lookback": [24, 72]},
        cv=TimeSeriesSplit(2, test_size=24),
        scoring="neg_mean_absolute_error",
        error_score="raise",
    )
    assert search.fit(X, y).best_score_ > -5
    assert clone(pipeline).get_params()["pulsecastregressor__horizon"] == 24
