"""A PyTorch user's forecast from a shell: start Python, load the model, read the rows, write a file.

    python torch_forecast.py --make JSON MODEL       an untrained model of that case
    python torch_forecast.py MODEL ROWS.csv OUT.csv  forecasts the steps after the last row
"""

import json
import pathlib
import sys

import numpy as np
import pandas as pd
import torch

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tools"))
from pulse_torch import Pulse, Settings  # noqa: E402

FEATURES = {
    "hour_of_day": lambda t: t.hour / 23,
    "day_of_week": lambda t: t.weekday / 6,
}


def make(case, path):
    settings = case["settings"]
    torch.save({"settings": settings, "features": case["features"], "mean": np.zeros(settings["C"]).tolist(),
                "deviation": np.ones(settings["C"]).tolist(), "weights": Pulse(Settings(**settings)).state_dict()},
               path)  # fmt: skip


def calendar(stamps, names):
    columns = [np.asarray(FEATURES[name](stamps), dtype=np.float32) - 0.5 for name in names]
    return torch.from_numpy(np.stack(columns, axis=1).astype(np.float32))[None]


def forecast(model_path, rows_path, out_path):
    torch.set_num_threads(2)
    saved = torch.load(model_path)
    settings = Settings(**saved["settings"])
    model = Pulse(settings)
    model.load_state_dict(saved["weights"])
    model.eval()
    table = pd.read_csv(rows_path, parse_dates=[0])
    stamps = pd.DatetimeIndex(table.iloc[:, 0])
    future = pd.date_range(stamps[-1], periods=settings.H + 1, freq=stamps[-1] - stamps[-2])[1:]
    mean, deviation = np.array(saved["mean"]), np.array(saved["deviation"])
    values = (table.iloc[-settings.T :, 1:].to_numpy() - mean) / deviation
    with torch.inference_mode():
        ahead = model(torch.from_numpy(values.T.astype(np.float32))[None], torch.tensor([len(table) % settings.W]),
                      calendar(stamps[-settings.T :], saved["features"]), calendar(future, saved["features"]))
    frame = pd.DataFrame(ahead[0].numpy().T * deviation + mean, columns=table.columns[1:], index=future)
    long = frame.reset_index(names="ds").melt(id_vars="ds", var_name="unique_id", value_name="yhat")
    long.to_csv(out_path, index=False)


if sys.argv[1] == "--make":
    make(json.loads(sys.argv[2]), sys.argv[3])
else:
    forecast(*sys.argv[1:4])
