#!/usr/bin/env python3
"""Outputs and gradients of every backbone's PyTorch twin, inside PULSE and alone.

    ./dev fixtures          (or: python tools/make_backbone_fixtures.py tests/fixtures [CASE...])

Needs PyTorch 2.13.0. Writes backbones.safetensors, laid out as make_model_fixtures.py says. NAME is
the backbone inside PULSE, with mixup, dropout and the frequency loss; NAME_alone is the backbone with
its own normalisation, with dropout and the mean squared error.
"""

import copy
import dataclasses

import torch
from torch.nn import functional as F

from backbones_torch import BACKBONES, Alone, Context
from fixture_files import write_fixtures
from make_model_fixtures import EPOCH, SEED, STEP, Draws, check_precision, describe, dropout_masks, inputs, stored
from pulse_torch import Mix, Settings

# As small as every part allows: nothing divides anything, and there is a known column.
SMALL = Settings(T=13, H=5, C=2, F=2, W=4, L=3, P=3, d=4, k=3, Ca=3, Cb=3, K=1, width=6, heads=2, layers=1,
                 inner=5, patch=4, stride=3, average=5, top=2, graph=2, skip=3, routers=2)  # fmt: skip
WEIGHT_GAIN = 2  # fresh attention is all but uniform, and its gradients too small to prove anything
# Its tokens begin with deviation 1 and go through five norms: more would be all rounding.
GAIN_OF = {"crossformer": 1}


def cases():
    for name in BACKBONES:
        # Six kernels a convolution make TimesNet large for its width.
        s = dataclasses.replace(SMALL, width=3, inner=1) if name == "timesnet" else SMALL
        yield name, dataclasses.replace(s, backbone=name)
        yield f"{name}_alone", dataclasses.replace(
            s, backbone=name, layers=2, alone=True, anchor=False, router=False, mixup="none")
    yield "msgnet_of_batch", dataclasses.replace(
        SMALL, backbone="msgnet", alone=True, anchor=False, router=False, mixup="none", periods="batch")


def backbone_context(s, batch, dtype, training):
    _, phase, features, future = inputs(batch, dtype)
    steps = lambda first, count: (phase[:, None] + first + torch.arange(count)) % s.W
    return Context(marks=features.transpose(1, 2), future_marks=future.transpose(1, 2), history_phase=steps(-s.T, s.T), future_phase=steps(0, s.H),
                   training=training, rate=s.backbone_rate, seed=SEED, epoch=EPOCH, step=STEP)  # fmt: skip


def float_buffers(model):
    return [(name, buffer) for name, buffer in model.named_buffers() if buffer.is_floating_point()]


def results(model, s, batch):
    """forecast, loss and grad/NAME; of buffers after/NAME, their values after the training pass."""
    dtype = next(model.parameters()).dtype
    arguments = inputs(batch, dtype)[:1] if s.alone else inputs(batch, dtype)
    target = batch["target"].to(dtype)
    with torch.no_grad():
        model.backbone.context = backbone_context(s, batch, dtype, training=False)
        forecast = model.eval()(*arguments)
    model.train().backbone.context = backbone_context(s, batch, dtype, training=True)
    if s.alone:
        loss = F.mse_loss(model(*arguments), target)
    else:
        mix = Mix(batch["lambda"].item(), batch["permutation"])
        masks = [mask.to(dtype) for mask in dropout_masks(s, STEP)]
        loss = model.loss(target, *arguments, mix=mix, masks=masks)
    loss.backward()
    out = {"forecast": forecast, "loss": loss.detach()[None]}
    for name, parameter in model.named_parameters():
        out[f"grad/{name}"] = parameter.grad
    for name, buffer in float_buffers(model):
        out[f"grad/{name}"] = torch.zeros_like(buffer)
        out[f"after/{name}"] = buffer
    return out


def make(is_wanted):
    tensors, metadata = {}, {}
    for number, (case, s) in enumerate(cases()):
        if not is_wanted(case):
            continue
        draws = Draws(300 + number)
        model = draws.model(s, Alone) if s.alone else draws.model(s)
        with torch.no_grad():
            for parameter in model.backbone.parameters():
                parameter.mul_(GAIN_OF.get(s.backbone, WEIGHT_GAIN)).add_(0.1 * draws.normal(*parameter.shape))
            for _, buffer in float_buffers(model.backbone):
                buffer.add_(0.5 * draws.normal(*buffer.shape).abs())
        batch = draws.batch(s, weight=0.3)
        found = results(copy.deepcopy(model), s, batch)
        check_precision(case, found, results(copy.deepcopy(model).double(), s, batch))
        metadata[case] = describe(s, step=STEP)
        weights = {name: value for name, value in model.state_dict().items() if value.is_floating_point()}
        for name, value in stored(weights, batch, found).items():
            tensors[f"{case}/{name}"] = value.numpy()
    return tensors, metadata


if __name__ == "__main__":
    write_fixtures(__doc__, {"backbones.safetensors": make})
