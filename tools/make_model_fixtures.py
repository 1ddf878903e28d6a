#!/usr/bin/env python3
"""Outputs, gradients and a training trace of the PyTorch twin, for the model's tests.

    ./dev fixtures          (or: python tools/make_model_fixtures.py tests/fixtures [CASE...])

Needs PyTorch 2.13.0. Writes pulse.safetensors. Its header has the settings of every case as JSON;
CASE/weights/NAME are the weights, CASE/history and so on the inputs, CASE/forecast (B, C, H) is
inference, CASE/loss (1) a training step's loss with mixup and dropout, CASE/gradients its
gradients, one after the other in the order of the weights (a name each would be half of the file). `trace` starts from even/weights and keeps the losses of ten Adam steps.

Float32 throughout, as a user would run it; every number is recomputed in float64, and a case where
the two disagree by more than float32's rounding explains is refused.
"""

import copy
import dataclasses
import json
import sys

import numpy as np
import torch

from fixture_files import write_fixtures
from philox import PURPOSE_ATTENTION_DROPOUT, dropout_scale
from pulse_torch import Mix, Pulse, Settings

BATCH = 6
SEED, EPOCH, STEP = 11, 1, 3
CALENDAR_CYCLE = 84  # rows after which the made-up calendar of calendar_features repeats
ROUTER_GAIN = 2
TRACE_STEPS = 10
TOLERANCE = 1e-5
ABSOLUTE_FLOOR = 1e-6  # of the largest gradient: some gradients are zero but for rounding

EVEN = Settings(T=24, H=12, C=3, F=2, W=12, L=8, P=6, d=8, k=3, Ca=3, Cb=3, hidden=16)
SMALL = dataclasses.replace(EVEN, T=18, H=6, P=3)
CASES = {
    "even": EVEN,
    "calendar": dataclasses.replace(EVEN, order="calendar", L=12),
    "odd": Settings(T=25, H=13, C=2, F=1, W=7, L=5, P=6, d=8, k=5, Ca=1, Cb=2, hidden=16),
    "one": Settings(T=2, H=1, C=1, F=1, W=2, L=3, P=1, d=4, k=3, Ca=1, Cb=1, hidden=16),
    "no_anchor": dataclasses.replace(SMALL, anchor=False, router=False),
    "no_router": dataclasses.replace(SMALL, router=False),
    "plain_mixup": dataclasses.replace(SMALL, mixup="plain"),
    "no_mixup": dataclasses.replace(SMALL, mixup="none"),
    "known": dataclasses.replace(SMALL, K=2),
}


def calendar_features(rows, features):
    """Row numbers (...) -> (..., features): an hour of twelve, and a day of seven."""
    hour, day = rows % 12 / 11 - 0.5, rows // 12 % 7 / 6 - 0.5
    return torch.stack([hour, day][:features], dim=-1)


class Draws:
    """Batches of a made-up series, as a dictionary of the tensors that a fixture stores."""

    def __init__(self, seed):
        self.generator = torch.Generator().manual_seed(seed)

    def normal(self, *shape):
        return torch.randn(shape, generator=self.generator)

    def batch(self, s, weight):
        # Three places in the calendar for six samples: some share theirs.
        place = torch.tensor([5, 40, 5, 7, 40, 5])
        turn = torch.randint(0, 9, (BATCH,), generator=self.generator)
        start = place + CALENDAR_CYCLE * turn
        past = start[:, None] + torch.arange(s.T)
        future = start[:, None] + torch.arange(s.T, s.T + s.H)
        level, swing = 2 * self.normal(BATCH, s.C, 1), 1 + self.normal(BATCH, s.C, 1).abs()
        series = lambda rows: level + swing * (
            torch.sin(rows[:, None] * (2 * torch.pi / 12)) + 0.5 * self.normal(BATCH, s.C, rows.shape[1]))
        batch = {
            "history": series(past),
            "target": series(future),
            "history_features": calendar_features(past, s.F),
            "future_features": calendar_features(future, s.F),
            "phase": (start + s.T) % s.W,
            "lambda": torch.tensor([weight]),
            "permutation": torch.randperm(BATCH, generator=self.generator),
        }
        if s.K:
            batch["known_history"] = self.normal(BATCH, s.K, s.T)
            batch["known_future"] = self.normal(BATCH, s.K, s.H)
            for known in (batch["known_history"], batch["known_future"]):
                known[2] = known[0]  # one pair shares everything, the rest the calendar at most
        return batch

    def model(self, settings, make=Pulse):
        """One with fresh weights, but an affine map that matters and a router that is not timid.

        At its initial weights attention is all but uniform, and the gradients of queries and keys
        are so small that the tests' absolute floor would hide an error in them.
        """
        torch.manual_seed(int(torch.randint(0, 2**31, (1,), generator=self.generator)))
        model = make(settings)
        with torch.no_grad():
            for name, weight in model.named_parameters():
                if name.startswith("revin."):
                    weight.add_(0.2 * self.normal(*weight.shape))
                if name.startswith("router."):
                    weight.mul_(ROUTER_GAIN)
        return model


def dropout_masks(s, step):
    """The sender's and the receiver's (B, C, P, P). The receiver draws as rows after the sender's."""
    rows = BATCH * s.C
    masks = []
    for first_row in (0, rows):
        mask_rows = np.arange(first_row * s.P, (first_row + rows) * s.P)
        scale = dropout_scale(SEED, PURPOSE_ATTENTION_DROPOUT, EPOCH, step, mask_rows, s.P, s.rate)
        masks.append(torch.from_numpy(scale.reshape(BATCH, s.C, s.P, s.P)))
    return masks


def with_known(features, known):
    """(B, steps, F) and (B, K, steps), or None -> (B, steps, F + K)"""
    return features if known is None else torch.cat([features, known.transpose(1, 2)], dim=-1)


def inputs(batch, dtype):
    real = lambda name: batch[name].to(dtype) if name in batch else None
    return (
        real("history"),
        batch["phase"],
        with_known(real("history_features"), real("known_history")),
        with_known(real("future_features"), real("known_future")),
    )


def training_loss(model, batch, step):
    dtype = model.revin.gamma.dtype
    mix = Mix(batch["lambda"].item(), batch["permutation"])
    masks = [mask.to(dtype) for mask in dropout_masks(model.settings, step)]
    return model.loss(batch["target"].to(dtype), *inputs(batch, dtype), mix=mix, masks=masks)


def results(model, batch):
    """forecast, loss and grad/NAME."""
    with torch.no_grad():
        forecast = model.eval()(*inputs(batch, model.revin.gamma.dtype))
    loss = training_loss(model.train(), batch, STEP)
    loss.backward()
    out = {"forecast": forecast, "loss": loss.detach()[None]}
    for name, parameter in model.named_parameters():
        out[f"grad/{name}"] = parameter.grad
    return out


def trace(model, batches):
    """Losses of Adam's steps (TRACE_STEPS,)."""
    optimiser = torch.optim.Adam(model.train().parameters(), lr=0.005, betas=(0.95, 0.999), eps=1e-8)
    losses = []
    for step, batch in enumerate(batches):
        optimiser.zero_grad()
        loss = training_loss(model, batch, step)
        loss.backward()
        optimiser.step()
        losses.append(loss.detach())
    return torch.stack(losses)


def stored(weights, batch, found):
    """Everything of a case under its name, with the gradients joined."""
    rest = {name: value for name, value in found.items() if not name.startswith("grad/")}
    joined = torch.cat([found[f"grad/{name}"].flatten() for name in weights])
    named = {f"weights/{name}": value for name, value in weights.items()}
    return {**named, **batch, **rest, "gradients": joined}


def check_precision(case, single, double):
    """Refuses float32 results that rounding does not explain; says how close the worst came."""
    largest = max((v.abs().max().item() for k, v in double.items() if k.startswith("grad/")), default=0.0)
    ratios = {}
    for name, value in double.items():
        floor = ABSOLUTE_FLOOR * largest if name.startswith("grad/") else 0.0
        error = (single[name].double() - value).abs().max().item()
        ratios[name] = error / (TOLERANCE * value.abs().max().item() + floor)
    worst = max(ratios, key=ratios.get)
    print(f"{case:12} float32 to float64: {ratios[worst]:.2f} of the tolerance, {worst}", file=sys.stderr)
    if ratios[worst] > 1:
        sys.exit("that is more than rounding explains")


def describe(s, **more):
    return json.dumps({**dataclasses.asdict(s), "B": BATCH, "seed": SEED, "epoch": EPOCH, **more})


def make(_):
    tensors, metadata = {}, {}
    for number, (case, s) in enumerate(CASES.items()):
        draws = Draws(100 + number)
        model, batch = draws.model(s), draws.batch(s, weight=0.3)
        found = results(copy.deepcopy(model), batch)
        check_precision(case, found, results(copy.deepcopy(model).double(), batch))
        metadata[case] = describe(s, step=STEP)
        for name, value in stored(model.state_dict(), batch, found).items():
            tensors[f"{case}/{name}"] = value.numpy()
        if case == "even":
            start = model

    draws = Draws(7)
    batches = [draws.batch(EVEN, weight=(0.3, 0.97, 0.02, 0.5, 1.0)[i % 5]) for i in range(TRACE_STEPS)]
    losses = trace(copy.deepcopy(start), batches)
    check_precision("trace", {"losses": losses}, {"losses": trace(copy.deepcopy(start).double(), batches)})
    metadata["trace"] = describe(EVEN, weights="even", first_step=0, steps=TRACE_STEPS)
    for name in batches[0]:
        tensors[f"trace/{name}"] = torch.stack([batch[name] for batch in batches]).numpy()
    tensors["trace/losses"] = losses.numpy()
    return tensors, metadata


if __name__ == "__main__":
    write_fixtures(__doc__, {"pulse.safetensors": make})
