#!/usr/bin/env python3
"""Outputs, gradients and training traces of PyTorch, for the tests to hold ours against.

    ./dev fixtures          (or: python tools/make_fixtures.py tests/fixtures [CASE...])

Needs PyTorch 2.13.0. Writes small safetensors files: operations.safetensors has, for every case,
its inputs, its output, the gradient that was sent back and the gradient of every input;
training.safetensors has the start and the losses of two models trained for ten steps of Adam.
"""

import math

import numpy as np
import torch
from torch.nn import functional as F

from fixture_files import write_fixtures
from philox import PURPOSE_ATTENTION_DROPOUT, PURPOSE_DROPOUT, dropout_scale

DROPOUT = {"seed": 11, "epoch": 1, "step": 3, "first_row": 40, "rate": 0.1}


class Cases:
    """Collects operation cases; every input is drawn standard normal unless given."""

    def __init__(self):
        self.tensors = {}
        self.generator = torch.Generator().manual_seed(2024)

    def draw(self, *shape, scale=1.0):
        return torch.randn(shape, generator=self.generator) * scale

    def add(self, name, function, **inputs):
        leaves = {key: value.clone().requires_grad_() for key, value in inputs.items()}
        outputs = function(**leaves)
        if not isinstance(outputs, tuple):
            outputs = (outputs,)
        sent = [self.draw(*output.shape) for output in outputs]
        torch.autograd.backward(outputs, sent)
        for key, leaf in leaves.items():
            self.tensors[f"{name}/{key}"] = leaf.detach().numpy()
            # An input that only serves as a target gets no gradient.
            if leaf.grad is not None:
                self.tensors[f"{name}/{key}.grad"] = leaf.grad.numpy()
        for i, (output, gradient) in enumerate(zip(outputs, sent)):
            self.tensors[f"{name}/out{i}"] = output.detach().numpy()
            self.tensors[f"{name}/out{i}.grad"] = gradient.numpy()


def attention_masks(rows, heads, queries, keys):
    """(rows, heads, queries, keys), drawn as pulsecast/kernels/attention.h says."""
    first = DROPOUT["first_row"] * heads * queries
    mask_rows = np.arange(first, first + rows * heads * queries)
    masks = dropout_scale(
        DROPOUT["seed"],
        PURPOSE_ATTENTION_DROPOUT,
        DROPOUT["epoch"],
        DROPOUT["step"],
        mask_rows,
        keys,
        DROPOUT["rate"],
    )
    return torch.from_numpy(masks.reshape(rows, heads, queries, keys))


def attention(q, k, v, heads, masks=None):
    split = lambda x: x.unflatten(2, (heads, -1)).transpose(1, 2)
    q, k, v = split(q), split(k), split(v)
    weights = torch.softmax(q @ k.transpose(2, 3) / math.sqrt(q.shape[-1]), dim=-1)
    if masks is not None:
        weights = weights * masks
    return (weights @ v).transpose(1, 2).flatten(2)


def segment_attention(q, k, v, heads, lengths):
    """(samples, steps, token): causal inside segments, as pulsecast/autodiff/operations/attention.h says."""
    samples, steps, _ = q.shape
    split = lambda x: x.unflatten(1, (heads, -1)).transpose(0, 1)
    rows = []
    for sample, length in enumerate(lengths):
        for begin in range(0, steps, length):
            piece = slice(begin, min(begin + length, steps))
            q1, k1, v1 = (split(x[sample, piece]) for x in (q, k, v))
            own = q1.shape[1]
            scores = q1 @ k1.transpose(1, 2) / math.sqrt(q1.shape[-1])
            scores = scores.masked_fill(torch.ones(own, own).triu(1).bool(), -math.inf)
            first = heads * ((DROPOUT["first_row"] + sample) * steps + begin)
            masks = dropout_scale(DROPOUT["seed"], PURPOSE_ATTENTION_DROPOUT, DROPOUT["epoch"], DROPOUT["step"],
                                  np.arange(first, first + heads * own), own, DROPOUT["rate"])
            weights = torch.softmax(scores, dim=-1) * torch.from_numpy(masks.reshape(heads, own, own))
            rows.append((weights @ v1).transpose(0, 1).flatten(1))
    return torch.cat(rows).reshape(q.shape)


def blend(x_q, x, map, masks):
    """As pulsecast/kernels/blend.h says, of tokens and a map without zeros behind."""
    queries = x_q[..., : len(map) - 1] @ map[:-1] + map[-1]
    matched = x[..., : map.shape[1]]
    weights = torch.softmax(0.3 * queries @ matched.transpose(1, 2), dim=-1) * masks[:, 0]
    return tokens(weights @ x, x.shape[-1] + 2)


def tokens(patches, width):
    behind = torch.zeros(*patches.shape[:-1], width - patches.shape[-1])
    behind[..., :1] = 1.0
    return torch.cat([patches, behind], dim=-1)


def attention_block(x_q, x_kv, p, masks):
    q = F.linear(x_q, p["wq"], p["bq"])
    k = F.linear(x_kv, p["wk"], p["bk"])
    v = F.linear(x_kv, p["wv"], p["bv"])
    return F.linear(attention(q, k, v, 1, masks), p["wo"], p["bo"])


def patches(x, patch, left):
    """(rows, length) -> (rows, patch, patches), padded with the outermost value."""
    pad = -x.shape[1] % patch
    x = F.pad(x, (pad, 0) if left else (0, pad), mode="replicate") if pad else x
    return x.unflatten(1, (-1, patch)).transpose(1, 2)


def strided_patches(x, patch, stride):
    """(rows, length) -> (rows, patches, patch); a row shorter than a patch is filled up to one."""
    x = F.pad(x, (0, max(stride, patch - x.shape[1])), mode="replicate")
    return x.unfold(1, patch, stride) if x.shape[1] > patch else x[:, None]


def moving_average(x, window):
    return F.avg_pool1d(F.pad(x, (window // 2, window // 2), mode="replicate"), window, stride=1)


def standardise(x):
    mean = x.mean(dim=1)
    deviation = torch.sqrt(x.var(dim=1, unbiased=True) + 1e-5)
    return (x - mean[:, None]) / deviation[:, None], mean, deviation


def revin(x, gamma, beta, anchor=0.0):
    unit, mean, deviation = standardise(x - anchor)
    return unit * channelwise(gamma, len(x)) + channelwise(beta, len(x)) + anchor, mean, deviation


def revin_back(x, gamma, beta, mean, deviation, anchor=0.0):
    plain = (x - anchor - channelwise(beta, len(x))) / channelwise(gamma, len(x))
    return plain * deviation[:, None] + mean[:, None] + anchor


def channelwise(parameter, rows):
    return parameter.repeat(rows // len(parameter))[:, None]


def quantile_error(y, target):
    p = torch.tensor([0.05, 0.3, 0.5, 0.9, 0.975])
    above = target[:, None] - y
    return torch.maximum(p * above, (p - 1) * above).mean()


def spectral_error(y, target):
    return torch.fft.fft(y - target, dim=1).abs().mean()


def couple(a, s, t, gain):
    return a * torch.exp(torch.clamp(gain * s, -5, 5)) + t


def away_from(bend, x):
    """Nowhere closer than 0.1 to either sign of a place where a slope jumps."""
    for place in (bend, -bend):
        x = torch.where((x - place).abs() < 0.1, x + 0.25, x)
    return x


def block_parameters(cases, token):
    return {
        name + side: cases.draw(*shape, scale=1 / math.sqrt(token))
        for side in "qkvo"
        for name, shape in (("w", (token, token)), ("b", (token,)))
    }


def operation_cases(_):
    c = Cases()
    d = c.draw
    c.add("linear", lambda x, weight, bias: F.linear(x, weight, bias), x=d(13, 10), weight=d(7, 10), bias=d(7))
    c.add("linear_no_bias", lambda x, weight: F.linear(x, weight), x=d(2, 5, 10), weight=d(7, 10))
    c.add("linear_gelu", lambda x, weight, bias: F.gelu(F.linear(x, weight, bias)),
          x=d(13, 10), weight=d(7, 10), bias=d(7))
    c.add("matmul", lambda a, b: a @ b, a=d(6, 5), b=d(5, 9))
    c.add("matmul_batch", lambda a, b: a @ b, a=d(3, 6, 5), b=d(3, 5, 4))
    c.add("gelu", lambda x: F.gelu(x), x=d(5, 31, scale=2.0))
    c.add("layer_norm", lambda x, gamma, beta: F.layer_norm(x, x.shape[-1:], gamma, beta),
          x=d(9, 21, scale=3.0), gamma=d(21), beta=d(21))
    c.add("softmax", lambda x: torch.softmax(x, -1), x=d(7, 13, scale=3.0))
    for name, heads, queries, keys, token in (
        ("single", 1, 24, 24, 16), ("multi", 4, 7, 12, 20), ("long", 2, 40, 33, 6),
    ):
        for rate in (0, 1):
            masks = attention_masks(3, heads, queries, keys) if rate else None
            c.add(f"attention_{name}_{rate}",
                  lambda q, k, v: attention(q, k, v, heads, masks),
                  q=d(3, queries, token), k=d(3, keys, token), v=d(3, keys, token))
    c.add("attention_self", lambda x: attention(x, x, x, 2), x=d(2, 40, 6))
    for name, queries, keys, token in (("router", 24, 24, 16), ("odd", 6, 9, 13)):
        masks = attention_masks(4, 1, queries, keys)
        c.add(f"attention_block_{name}",
              lambda x_q, x_kv, **p: attention_block(x_q, x_kv, p, masks),
              x_q=d(4, queries, token), x_kv=d(4, keys, token), **block_parameters(c, token))
    masks = attention_masks(2, 1, 40, 40)
    c.add("attention_block_self", lambda x, **p: attention_block(x, x, p, masks),
          x=d(2, 40, 6), **block_parameters(c, 6))
    c.add("convolution_1d", lambda x, weight, bias: F.conv1d(x, weight, bias, padding=2),
          x=d(3, 12, 7), weight=d(10, 12, 5), bias=d(10))
    c.add("convolution_2d", lambda x, weight, bias: F.conv2d(x, weight, bias, padding=(1, 2)),
          x=d(2, 3, 6, 5), weight=d(4, 3, 3, 5), bias=d(4))
    for n in (96, 97, 30):
        c.add(f"spectrum_{n}", lambda x: torch.view_as_real(torch.fft.rfft(x, dim=1)), x=d(5, n))
    c.add("add", lambda a, b: a + b, a=d(4, 9), b=d(4, 9))
    c.add("subtract", lambda a, b: a - b, a=d(4, 9), b=d(4, 9))
    c.add("multiply", lambda a, b: a * b, a=d(4, 9), b=d(4, 9))
    c.add("multiply_self", lambda x: x * x, x=d(4, 9))
    c.add("scale", lambda x: x * -2.5, x=d(4, 9))
    masks = torch.from_numpy(dropout_scale(DROPOUT["seed"], PURPOSE_DROPOUT, DROPOUT["epoch"],
                                           DROPOUT["step"], np.arange(40, 46), 21, 0.25))
    c.add("dropout", lambda x: x * masks, x=d(6, 21))
    c.add("mix", lambda a, b: 0.3 * a + 0.7 * b, a=d(4, 9), b=d(4, 9))
    c.add("transpose", lambda x: x.transpose(1, 2), x=d(3, 4, 6))
    c.add("to_patches", lambda x: patches(x, 6, True), x=d(3, 24))
    c.add("to_patches_left", lambda x: patches(x, 7, True), x=d(3, 24))
    c.add("to_patches_right", lambda x: patches(x, 7, False), x=d(3, 24))
    c.add("from_patches", lambda x: x.transpose(1, 2).flatten(1)[:, :24], x=d(3, 7, 4))
    rows = torch.tensor([4, 0, 4, 2, 4])
    c.add("gather_rows", lambda table: table[rows], table=d(6, 5))
    c.add("revin", revin, x=d(6, 24) + 2.0, gamma=d(3), beta=d(3), anchor=d(6, 24))
    c.add("revin_no_anchor", revin, x=d(6, 24) + 2.0, gamma=d(3), beta=d(3))
    c.add("revin_back", revin_back, x=d(6, 24), gamma=1 + 0.1 * d(3), beta=d(3), mean=d(6),
          deviation=d(6), anchor=d(6, 24))
    c.add("revin_back_no_anchor", revin_back, x=d(6, 24), gamma=1 + 0.1 * d(3), beta=d(3),
          mean=d(6), deviation=d(6))
    c.add("scale_rows", lambda x, factor, shift: x * factor[:, None] + shift[:, None],
          x=d(6, 24), factor=d(6), shift=d(6))
    target = {"target": d(5, 48)}
    for name, loss in (("squared_error", F.mse_loss), ("absolute_error", F.l1_loss),
                       ("spectral_error", spectral_error)):
        # Nowhere closer than 0.1: the absolute error has a kink where the two meet.
        difference = d(5, 48)
        y = target["target"] + difference + 0.1 * difference.sign()
        c.add(name, lambda y, target: loss(y, target.detach()), y=y, **target)
    c.add("convolution_1d_no_bias", lambda x, weight: F.conv1d(x, weight, padding=3),
          x=d(3, 1, 20), weight=d(1, 1, 7))
    c.add("add_to_rows", lambda x, row: x + row, x=d(3, 4, 6), row=d(6))
    c.add("add_to_rows_2", lambda x, row: x + row, x=d(3, 4, 6), row=d(4, 6))
    for length, window in ((24, 25), (30, 5)):
        c.add(f"moving_average_{length}", lambda x: moving_average(x, window), x=d(4, length))
    for length in (24, 29, 5):
        c.add(f"to_strided_patches_{length}", lambda x: strided_patches(x, 8, 4), x=d(3, length))
    c.add("join_tokens", lambda x, y: torch.cat([x, y], dim=1), x=d(3, 4, 6), y=d(3, 2, 6))
    c.add("take_tokens", lambda x: x[:, 1:3], x=d(3, 4, 6))
    c.add("batch_norm",
          lambda x, gamma, beta: F.batch_norm(x.flatten(0, 1), None, None, gamma, beta, training=True).reshape(x.shape),
          x=d(5, 4, 6) * 2 + 1, gamma=d(6), beta=d(6))
    c.add("modulus", lambda z: torch.view_as_complex(z).abs(), z=d(3, 7, 2) + 2)
    c.add("resize_width_longer", lambda x: F.pad(x, (0, 3)), x=d(3, 2, 7))
    c.add("resize_width_shorter", lambda x: x[..., :4], x=d(3, 2, 7))
    c.add("wrap_ends", lambda x: F.pad(x[None], (2, 2), mode="circular")[0], x=d(3, 7))
    c.add("centre_kernel", lambda weight: F.pad(weight, (2, 2, 2, 2)), weight=d(2, 3, 3, 3))
    masks = attention_masks(4, 1, 6, 6)
    c.add("blend", lambda x_q, x, map: blend(x_q, x, map, masks), x_q=d(4, 6, 4), x=d(4, 6, 6),
          map=d(4, 5))
    c.add("to_tokens", lambda x: tokens(patches(x, 6, True), 8), x=d(3, 24))
    c.add("to_tokens_left", lambda x: tokens(patches(x, 7, True), 5), x=d(3, 24))
    c.add("to_tokens_right", lambda x: tokens(patches(x, 7, False), 4), x=d(3, 24))
    c.add("assemble",
          lambda a, b: torch.cat([torch.cat([a[:2, :3].T, b[None, :2]]), torch.zeros(4, 3)], dim=1),
          a=d(3, 4), b=d(5))
    c.add("segment_attention", lambda q, k, v: segment_attention(q, k, v, 2, (4, 13, 5)),
          q=d(3, 13, 6), k=d(3, 13, 6), v=d(3, 13, 6))
    c.add("swap_middle", lambda x: x.transpose(1, 2), x=d(2, 3, 4, 5))
    c.add("sliding_windows", lambda x: x.unfold(1, 4, 1), x=d(3, 9))
    c.add("relu", lambda x: torch.relu(x), x=away_from(0.0, d(5, 31)))
    c.add("couple", couple, a=d(4, 9), s=away_from(2.5, d(4, 9, scale=2.0)), t=d(4, 9), gain=torch.tensor([2.0]))
    for n in (12, 13):
        c.add(f"inverse_spectrum_{n}", lambda z: torch.fft.irfft(torch.view_as_complex(z), n=n, dim=1),
              z=d(3, n // 2 + 1, 2))
    c.add("centre_kernel_even", lambda weight: F.pad(weight, (2, 1, 2, 1)), weight=d(2, 3, 2, 2))
    target = d(6)
    # Nowhere closer than 0.1, as above.
    y = target[:, None] + away_from(0.0, d(6, 5))
    c.add("quantile_error", lambda y, target: quantile_error(y, target.detach()), y=y, target=target)
    return c.tensors, {}


def train(name, parameters, forward, x, target, tensors):
    """Ten steps of Adam with the frequency loss; keeps the start and the losses."""
    for key, value in {**parameters, "x": x, "target": target}.items():
        tensors[f"{name}/{key}"] = value.numpy().copy()
    leaves = {key: value.clone().requires_grad_() for key, value in parameters.items()}
    optimiser = torch.optim.Adam(leaves.values(), lr=0.005, betas=(0.95, 0.999), eps=1e-8)
    losses = []
    for step in range(10):
        optimiser.zero_grad()
        loss = spectral_error(forward(leaves, step), target)
        loss.backward()
        optimiser.step()
        losses.append(loss.item())
    tensors[f"{name}/losses"] = np.array(losses)


def training_traces(_):
    c = Cases()
    tensors = {}
    mlp = {"w1": c.draw(64, 24, scale=0.2), "b1": c.draw(64, scale=0.2),
           "w2": c.draw(12, 64, scale=0.1), "b2": c.draw(12, scale=0.1)}
    x, target = c.draw(40, 24), c.draw(40, 12)
    train("mlp", mlp,
          lambda p, _: F.linear(F.gelu(F.linear(x, p["w1"], p["b1"])), p["w2"], p["b2"]),
          x, target, tensors)

    rows, tokens, token = 16, 12, 16
    block = block_parameters(c, token)
    x, target = c.draw(rows, tokens, token), c.draw(rows, tokens * token)

    def forward(p, step):
        masks = dropout_scale(DROPOUT["seed"], PURPOSE_ATTENTION_DROPOUT, DROPOUT["epoch"], step,
                              np.arange(rows * tokens), tokens, DROPOUT["rate"])
        masks = torch.from_numpy(masks.reshape(rows, 1, tokens, tokens))
        return attention_block(x, x, p, masks).flatten(1)

    train("attention", block, forward, x, target, tensors)
    return tensors, {}


if __name__ == "__main__":
    write_fixtures(__doc__, {"operations.safetensors": operation_cases,
                             "training.safetensors": training_traces})
