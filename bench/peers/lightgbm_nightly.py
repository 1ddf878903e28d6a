"""The nightly job with mlforecast and LightGBM: read the rows, train on the usual lags, forecast.

    python lightgbm_nightly.py ROWS.csv OUT.csv
"""

import sys

import lightgbm
import pandas as pd
from mlforecast import MLForecast
from mlforecast.lag_transforms import RollingMean

HORIZON = 96

rows = pd.read_csv(sys.argv[1], parse_dates=["date"])
long = rows.melt(id_vars="date", var_name="unique_id", value_name="y").rename(columns={"date": "ds"})
job = MLForecast(
    models=[lightgbm.LGBMRegressor(n_jobs=2, verbosity=-1)],
    freq="h",
    lags=[1, 2, 3, 24, 48, 72, 168],
    lag_transforms={1: [RollingMean(24)], 24: [RollingMean(168)]},
    date_features=["hour", "dayofweek"],
    num_threads=2,
)
job.fit(long, static_features=[])
job.predict(HORIZON).to_csv(sys.argv[2], index=False)
