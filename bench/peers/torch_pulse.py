"""PULSE in PyTorch, timed: the other side of ./dev bench peers.

Reads a line of JSON a request and answers with a line of JSON:

    {"case": {...}, "measure": "step", "as": "eager", "repeats": 5}   ->   {"seconds": [0.031, ...]}

Measures: step (forward, loss, backward and Adam on a batch that is there), epoch (batches gathered
by tensor indexing), evaluation (every test window), window (a forecast of one).
As: "eager"; "compiled" is torch.compile; "shared" is eager with time encodings computed once a
distinct calendar, the removal of repeats that our engine does; "onnx" is ONNX Runtime on the
exported model (windows alone). A case whose settings say "alone" is a backbone without PULSE, as
published; of it there are steps alone.

    python torch_pulse.py --memory JSON AS      trains some steps in a process of its own and prints
                                                the peak of its memory in bytes
"""

import json
import os
import pathlib
import resource
import sys
import time

import numpy as np
import pandas as pd
import torch

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tools"))
from backbones_torch import Alone, Context  # noqa: E402
from pulse_torch import Mix, Pulse, Settings  # noqa: E402
from train_twin import FEATURES, MIXUP_CONCENTRATION, Windows  # noqa: E402

THREADS = 2
torch.set_num_threads(THREADS)


class Plain:
    """Windows as a loader hands them out: every sample with its own calendar."""

    def __init__(self, windows):
        self.windows = windows

    def gather(self, first):
        w = self.windows
        values, features = w.values[first], w.features[first].transpose(1, 2)
        history, target = values[..., : w.T].contiguous(), values[..., w.T :].contiguous()
        return target, (history, w.phase[first], features[:, : w.T], features[:, w.T :], None)


class Case:
    def __init__(self, case, kind):
        self.settings = s = Settings(**case["settings"])
        self.batch, self.kind = case["batch"], kind
        draw = np.random.default_rng(1)
        values = draw.standard_normal((case["rows"], s.C), dtype=np.float32)
        stamps = pd.date_range("2016-07-01", periods=case["rows"], freq=pd.Timedelta(minutes=case["minutes"]))
        columns = [np.asarray(FEATURES[name](stamps), dtype=np.float32) - 0.5 for name in case["features"]]
        windows = Windows(values, np.stack(columns, axis=1).astype(np.float32), s.T, s.H, s.W)
        self.windows = windows if kind == "shared" else Plain(windows)
        self.train = torch.arange(0, case["train"] - s.T - s.H + 1)
        begin, end = case["test"]
        self.test = torch.arange(begin - s.T, end - s.T - s.H + 1)
        torch.manual_seed(1)
        self.model = Pulse(s)
        self.optimiser = torch.optim.Adam(self.model.parameters(), lr=1e-4, betas=(0.95, 0.999))
        self.loss = torch.compile(self.model.loss) if kind == "compiled" else self.model.loss
        self.predict = torch.compile(self.model) if kind == "compiled" else self.model
        self.draw = draw
        self.ready = None
        self.session = None

    def train_on(self, target, inputs):
        mix = Mix(self.draw.beta(MIXUP_CONCENTRATION, MIXUP_CONCENTRATION),
                  torch.from_numpy(self.draw.permutation(len(target))))
        if self.kind == "compiled":  # a weight that is a tensor is not compiled anew each step
            mix = Mix(torch.tensor(mix.weight, dtype=torch.float32), mix.partner)
        self.optimiser.zero_grad()
        loss = self.loss(target, *inputs, mix=mix)
        loss.backward()
        self.optimiser.step()
        return loss

    def step(self):
        if self.ready is None:
            self.model.train()
            first = torch.from_numpy(self.draw.permutation(len(self.train))[: self.batch])
            self.ready = self.windows.gather(self.train[first])
        self.train_on(*self.ready)

    def epoch(self):
        self.model.train()
        order = self.train[torch.from_numpy(self.draw.permutation(len(self.train)))]
        total = 0.0
        for first in order[: len(order) // self.batch * self.batch].split(self.batch):
            total += self.train_on(*self.windows.gather(first)).item()
        return total

    @torch.inference_mode()
    def evaluation(self):
        self.model.eval()
        squared = 0.0
        for first in self.test.split(512):
            target, inputs = self.windows.gather(first)
            squared += (self.predict(*inputs) - target).double().square().sum().item()
        return squared

    @torch.inference_mode()
    def window(self):
        if self.kind == "onnx":
            return self.onnx_window()
        self.model.eval()
        _, inputs = self.windows.gather(self.test[:1])
        return self.predict(*inputs).numpy()

    def onnx_window(self):
        _, (history, phase, past, future, _) = self.windows.gather(self.test[:1])
        if self.session is None:
            import io

            import onnxruntime

            self.model.eval()
            file = io.BytesIO()
            torch.onnx.export(self.model, (history, phase, past.contiguous(), future.contiguous()), file,
                              input_names=["history", "phase", "past", "future"], dynamo=False)
            options = onnxruntime.SessionOptions()
            options.intra_op_num_threads = THREADS
            self.session = onnxruntime.InferenceSession(file.getvalue(), options,
                                                        providers=["CPUExecutionProvider"])
            self.names = {i.name for i in self.session.get_inputs()}
        given = {"history": history.numpy(), "phase": phase.numpy(), "past": past.contiguous().numpy(),
                 "future": future.contiguous().numpy()}
        return self.session.run(None, {n: v for n, v in given.items() if n in self.names})[0]


class FastContext(Context):
    """PyTorch's own dropout, in place of draws that ours can be held against."""

    def drop(self, x):
        return torch.nn.functional.dropout(x, self.rate, self.training)

    drop_attention = drop

    def drop_segments(self, weights, samples, steps, rate):
        return torch.nn.functional.dropout(weights, rate, self.training)


class AloneCase(Case):
    def __init__(self, case, kind):
        super().__init__(case, kind)
        self.model = Alone(self.settings).train()
        self.optimiser = torch.optim.Adam(self.model.parameters(), lr=1e-4)
        self.run = torch.compile(self.model) if kind == "compiled" else self.model

    def train_on(self, target, inputs):
        s = self.settings
        history, phase, past, future, _ = inputs
        steps = lambda first, count: (phase[:, None] + first + torch.arange(count)) % s.W
        self.model.backbone.context = FastContext(
            marks=past.transpose(1, 2), future_marks=future.transpose(1, 2), history_phase=steps(-s.T, s.T), future_phase=steps(0, s.H),
            training=True, rate=s.backbone_rate, seed=0, epoch=0, step=0)
        self.optimiser.zero_grad()
        loss = torch.nn.functional.mse_loss(self.run(history), target)
        loss.backward()
        self.optimiser.step()
        return loss


def make(case, kind):
    return (AloneCase if case["settings"].get("alone") else Case)(case, kind)


def memory(case, kind):
    run = make(case, kind)
    for _ in range(20):
        run.ready = None
        run.step()
    print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024)


def main():
    if sys.argv[1:2] == ["--memory"]:
        return memory(json.loads(sys.argv[2]), sys.argv[3])
    # An exporter that talks, also from below Python, must not answer for us.
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "w")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    print(f"PyTorch {torch.__version__}, {torch.get_num_threads()} threads", file=answers, flush=True)
    key, run = None, None
    for line in sys.stdin:
        request = json.loads(line)
        try:
            if key != (request["case"]["name"], request["as"]):
                run = None  # the memory of the last one first
                key, run = (request["case"]["name"], request["as"]), make(request["case"], request["as"])
                getattr(run, request["measure"])()  # once unmeasured: caches, compilation
                if request["as"] == "compiled":
                    getattr(run, request["measure"])()
            seconds = []
            for _ in range(request["repeats"]):
                start = time.perf_counter()
                getattr(run, request["measure"])()
                seconds.append(time.perf_counter() - start)
            answer = {"seconds": seconds}
        except Exception as problem:  # the caller says what its peer could not do
            answer, key = {"problem": f"{type(problem).__name__}: {problem}".splitlines()[0][:200]}, None
        print(json.dumps(answer), file=answers, flush=True)


if __name__ == "__main__":
    main()
