"""What the package does to the process that it runs in."""

from __future__ import annotations

import concurrent.futures
import os
import pathlib
import signal
import subprocess
import sys
import threading
import time
from typing import Any

import numpy as np
import pandas as pd
import psutil
import pytest
from conftest import SETTINGS, load_values

import pulsecast
from pulsecast import Forecaster


def run_python(text: str, **options: Any) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", text], capture_output=True, text=True, check=False, timeout=120, **options
    )


def test_an_import_brings_nothing_along_and_starts_no_thread() -> None:
    done = run_python(
        "import sys, os, pulsecast\n"
        "print([m for m in ('numpy', 'pandas', 'pyarrow', 'polars') if m in sys.modules])\n"
        "print(len(os.listdir('/proc/self/task')))"
    )
    assert done.stdout.split("\n")[:2] == ["[]", "1"], done.stderr


def test_an_import_is_quick() -> None:
    text = "import time; t = time.process_time(); import pulsecast; print(time.process_time() - t)"
    assert min(float(run_python(text).stdout) for _ in range(5)) < 0.1


def test_it_works_without_numpy() -> None:
    text = (
        "import sys\n"
        "for name in ('numpy', 'pandas', 'pyarrow', 'polars'): sys.modules[name] = None\n"
        "import pulsecast\n"
        "rows = {'ds': [f'2024-01-{1 + h // 24:02} {h % 24:02}:00' for h in range(480)],\n"
        "        'y': [float(h % 24) for h in range(480)]}\n"
        "print(len(pulsecast.Forecaster(3, model='linear', lookback=48).fit(rows).predict()['y']))"
    )
    done = run_python(text)
    assert done.stdout == "3\n", done.stderr


def test_many_calls_leave_memory_as_it_was(wide: pd.DataFrame) -> None:
    calls = int(os.environ.get("PULSECAST_LEAK_CALLS", "4000"))
    forecaster = Forecaster(level=[80], **SETTINGS).fit(wide)
    newest = wide[-100:]
    process = psutil.Process()

    def work(times: int) -> None:
        for _ in range(times):
            forecaster.predict(newest)
            with pytest.raises(pulsecast.UsageError):
                Forecaster(lookbak=1)
            with pytest.raises(pulsecast.DataError):
                forecaster.predict({"ds": ["no stamp"], "load": [1.0]})

    work(calls // 4)
    before = process.memory_info().rss
    work(calls)
    grown = process.memory_info().rss - before
    assert grown < 4 << 20, f"{grown} bytes in {calls} rounds"


def test_threads_share_a_forecaster(wide: pd.DataFrame) -> None:
    forecaster = Forecaster(**SETTINGS).fit(wide)
    starts = range(0, 600, 20)
    alone = [forecaster.predict(wide[i : i + 100])["load"].to_numpy() for i in starts]
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        together = list(
            pool.map(lambda i: forecaster.predict(wide[i : i + 100])["load"].to_numpy(), starts)
        )
    np.testing.assert_array_equal(alone, together)


def test_calls_release_the_interpreter_lock() -> None:
    """A thread of Python goes on counting while another trains."""
    frame = {
        "ds": pd.date_range("2024-01-01", periods=4000, freq="h").to_numpy(),
        "y": load_values(4000),
    }
    counted, stop = [0], threading.Event()

    def count() -> None:
        while not stop.is_set():
            counted[0] += 1
            time.sleep(0.001)

    counter = threading.Thread(target=count)
    counter.start()
    started = time.monotonic()
    Forecaster(horizon=24, model="mlp", epochs=3, threads=1).fit(frame)
    seconds = time.monotonic() - started
    stop.set()
    counter.join()
    assert counted[0] > 0.2 * seconds / 0.001 or seconds < 0.05


@pytest.mark.parametrize("threads", [1, 2])
def test_it_works_after_a_fork(threads: int) -> None:
    text = f"""
import os, pandas as pd, numpy as np, pulsecast
frame = pd.DataFrame({{"ds": pd.date_range("2024-01-01", periods=400, freq="h")}})
for i in range(100): frame[f"s{{i}}"] = np.sin(np.arange(400) * 0.26) * (i + 1)
f = pulsecast.Forecaster(6, model="linear", lookback=24, threads={threads}).fit(frame)
expected = f.predict()
child = os.fork()
again = f.predict(frame)
fresh = pulsecast.Forecaster(6, model="linear", lookback=24, threads={threads}).fit(frame).predict()
good = again.equals(expected) and fresh.equals(expected)
del f
if child == 0: os._exit(0 if good else 3)
print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), good)
"""
    done = run_python(text)
    assert done.stdout == "0 True\n", done.stderr


def test_ctrl_c_stops_a_training() -> None:
    text = """
import pandas as pd, numpy as np, pulsecast
stamps = pd.date_range("2020-01-01", periods=20000, freq="h")
frame = pd.DataFrame({"ds": stamps, "y": np.random.rand(20000)})
print("ready", flush=True)
try:
    pulsecast.Forecaster(24, budget="5m").fit(frame)
except KeyboardInterrupt:
    print("stopped", flush=True)
import signal
print(signal.getsignal(signal.SIGINT) is signal.default_int_handler)
"""
    with subprocess.Popen([sys.executable, "-c", text], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        time.sleep(1.5)
        process.send_signal(signal.SIGINT)
        asked = time.monotonic()
        out, _ = process.communicate(timeout=30)
        assert out == "stopped\nTrue\n"
        assert time.monotonic() - asked < 5


def test_a_callback_that_throws_ends_the_call(wide: pd.DataFrame) -> None:
    class Enough(Exception):
        pass

    def stop(stage: str, done: int, total: int) -> None:
        raise Enough(stage)

    with pytest.raises(Enough):
        Forecaster(progress=stop, **{**SETTINGS, "model": "mlp", "epochs": 3}).fit(wide)


def test_progress_is_told_and_silent_by_default(wide: pd.DataFrame, capfd: Any) -> None:
    told: list[str] = []
    settings = {**SETTINGS, "model": "mlp", "epochs": 2}
    Forecaster(progress=lambda stage, done, total: told.append(stage), **settings).fit(wide)
    assert "training" in told
    Forecaster(**settings).fit(wide)
    assert capfd.readouterr() == ("", "")


def test_threads_change_no_bit(wide: pd.DataFrame) -> None:
    settings = {**SETTINGS, "model": "mlp", "epochs": 1}
    one = Forecaster(**{**settings, "threads": 1}).fit(wide).predict()
    two = Forecaster(**{**settings, "threads": 2}).fit(wide).predict()
    pd.testing.assert_frame_equal(one, two, check_exact=True)


def test_a_run_that_was_stopped_goes_on(wide: pd.DataFrame, tmp_path: pathlib.Path) -> None:
    settings = {**SETTINGS, "model": "mlp", "epochs": 6}
    whole = Forecaster(**settings).fit(wide).to_bytes()
    seen: list[int] = []

    class Stop(Exception):
        pass

    def stop(stage: str, done: int, total: int) -> None:
        if stage == "training":
            seen.append(done)
            if done > total // 2:
                raise Stop

    path = tmp_path / "run.checkpoint"
    with pytest.raises(Stop):
        Forecaster(progress=stop, **settings).fit(wide, checkpoint=path)
    assert Forecaster(**settings).fit(wide, checkpoint=path, resume=True).to_bytes() == whole
