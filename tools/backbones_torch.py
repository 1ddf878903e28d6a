"""The backbones in PyTorch: a second implementation of each, to hold ours against.

Written from the papers and what their published code computes. Each maps (B, C, T) to (B, C, H) and
reads what else it needs from `context`, which the caller sets before a pass. Parameters have the
names that they have in our model files, under "backbone.".
"""

import dataclasses
import functools
import math

import numpy as np
import torch
from torch import nn
from torch.nn import functional as F

from philox import PURPOSE_ATTENTION_DROPOUT, PURPOSE_DROPOUT, dropout_scale

EPSILON = 1e-5
PLACE_ROWS = 1 << 30


@dataclasses.dataclass
class Context:
    """What a backbone may look at beside its input, and the draws of its dropout.

    marks (B, F + K, T); history_phase (B, T) and future_phase (B, H). Places of dropout are numbered
    from 1 in the order in which a pass comes by them.
    """

    marks: torch.Tensor
    history_phase: torch.Tensor
    future_phase: torch.Tensor
    training: bool
    rate: float
    seed: int
    epoch: int
    step: int
    place: int = 0

    def drop(self, x):
        if not self.training:
            return x
        self.place += 1
        rows = x.numel() // x.shape[-1]
        scale = self.scale(PURPOSE_DROPOUT, np.arange(rows) + self.place * PLACE_ROWS, x.shape[-1])
        return x * scale.reshape(x.shape).to(x.dtype)

    def drop_attention(self, weights):
        """weights (rows, heads, queries, keys)"""
        if not self.training:
            return weights
        self.place += 1
        rows, heads, queries, keys = weights.shape
        first = self.place * PLACE_ROWS * heads * queries
        mask_rows = np.arange(rows * heads * queries, dtype=np.uint64) + np.uint64(first)
        scale = self.scale(PURPOSE_ATTENTION_DROPOUT, mask_rows, keys)
        return weights * scale.reshape(weights.shape).to(weights.dtype)

    def scale(self, purpose, rows, elements):
        return torch.from_numpy(
            dropout_scale(self.seed, purpose, self.epoch, self.step, rows, elements, self.rate))


class DLinear(nn.Module):
    def __init__(self, s):
        super().__init__()
        self.window = s.average
        self.seasonal = nn.Linear(s.T, s.H)
        self.trend = nn.Linear(s.T, s.H)

    def forward(self, x):
        half = self.window // 2
        slow = F.avg_pool1d(F.pad(x, (half, half), mode="replicate"), self.window, stride=1)
        return self.seasonal(x - slow) + self.trend(slow)


class LinearMap(nn.Module):
    def __init__(self, s):
        super().__init__()
        self.linear = nn.Linear(s.T, s.H)

    def forward(self, x):
        return self.linear(x)


class SparseTsf(nn.Module):
    def __init__(self, s):
        super().__init__()
        self.period, self.horizon = s.W, s.H
        self.smooth = nn.Conv1d(1, 1, 1 + 2 * (s.W // 2), padding=s.W // 2, bias=False)
        self.sparse = nn.Linear(-(-s.T // s.W), -(-s.H // s.W), bias=False)

    def forward(self, x):
        x = self.smooth(x.flatten(0, 1)[:, None]).reshape(x.shape) + x
        x = F.pad(x, (-x.shape[-1] % self.period, 0), mode="replicate")
        y = self.sparse(x.unflatten(-1, (-1, self.period)).transpose(-1, -2))
        return y.transpose(-1, -2).flatten(-2)[..., : self.horizon]


class CycleNet(nn.Module):
    def __init__(self, s):
        super().__init__()
        self.cycle = nn.Parameter(torch.zeros(s.W, s.C))
        self.linear = nn.Linear(s.T, s.H)

    def forward(self, x):
        levels = lambda phase: self.cycle[phase].transpose(1, 2)
        rest = x - levels(self.context.history_phase)
        return self.linear(rest) + levels(self.context.future_phase)


class Heads(nn.Module):
    """Queries (rows, q, width) look at tokens (rows, k, width)."""

    def __init__(self, s):
        super().__init__()
        self.heads = s.heads
        self.query = nn.Linear(s.width, s.width)
        self.key = nn.Linear(s.width, s.width)
        self.value = nn.Linear(s.width, s.width)
        self.output = nn.Linear(s.width, s.width)

    def forward(self, queries, tokens, context):
        split = lambda x: x.unflatten(2, (self.heads, -1)).transpose(1, 2)
        q, k, v = split(self.query(queries)), split(self.key(tokens)), split(self.value(tokens))
        weights = torch.softmax(q @ k.transpose(2, 3) / math.sqrt(q.shape[-1]), dim=-1)
        return self.output((context.drop_attention(weights) @ v).transpose(1, 2).flatten(2))


class FeedForward(nn.Module):
    def __init__(self, s):
        super().__init__()
        self.expand = nn.Linear(s.width, s.inner)
        self.contract = nn.Linear(s.inner, s.width)

    def forward(self, x, context):
        return context.drop(self.contract(context.drop(F.gelu(self.expand(x)))))


class EncoderLayer(nn.Module):
    def __init__(self, s):
        super().__init__()
        self.attention = Heads(s)
        self.attention_norm = nn.LayerNorm(s.width)
        self.feed_forward = FeedForward(s)
        self.feed_forward_norm = nn.LayerNorm(s.width)

    def forward(self, x, context):
        x = self.attention_norm(x + context.drop(self.attention(x, x, context)))
        return self.feed_forward_norm(x + self.feed_forward(x, context))


class ITransformer(nn.Module):
    def __init__(self, s):
        super().__init__()
        self.embed = nn.Linear(s.T, s.width)
        self.encoder = nn.ModuleList(EncoderLayer(s) for _ in range(s.layers))
        self.norm = nn.LayerNorm(s.width)
        self.project = nn.Linear(s.width, s.H)

    def forward(self, x):
        tokens = self.context.drop(self.embed(torch.cat([x, self.context.marks], dim=1)))
        for layer in self.encoder:
            tokens = layer(tokens, self.context)
        return self.project(self.norm(tokens))[:, : x.shape[1]]


@functools.cache
def positions(count, width):
    """(count, width): sines at even places, cosines at odd ones, of wavelengths up to 10000 * 2 pi."""
    angle = torch.arange(count)[:, None] * torch.exp(torch.arange(0, width, 2) * (-math.log(10000.0) / width))
    table = torch.zeros(count, width)
    table[:, 0::2] = torch.sin(angle)
    table[:, 1::2] = torch.cos(angle)[:, : width // 2]
    return table


class PatchTst(nn.Module):
    def __init__(self, s):
        super().__init__()
        self.patch, self.stride = s.patch, s.stride
        self.drops_forecast = s.alone  # as published; not inside PULSE
        patches = (s.T - s.patch) // s.stride + 2
        self.embed = nn.Linear(s.patch, s.width, bias=False)
        self.encoder = nn.ModuleList(EncoderLayer(s) for _ in range(s.layers))
        self.norm = nn.BatchNorm1d(s.width)
        self.head = nn.Linear(s.width * patches, s.H)

    def forward(self, x):
        rows = F.pad(x.flatten(0, 1)[:, None], (0, self.stride), mode="replicate")[:, 0]
        tokens = self.embed(rows.unfold(1, self.patch, self.stride))
        tokens = self.context.drop(tokens + positions(*tokens.shape[1:]).to(x.dtype))
        for layer in self.encoder:
            tokens = layer(tokens, self.context)
        tokens = self.norm(tokens.transpose(1, 2)).transpose(1, 2)
        y = self.head(tokens.flatten(1))
        return (self.context.drop(y) if self.drops_forecast else y).unflatten(0, x.shape[:2])


class TimeXerLayer(nn.Module):
    def __init__(self, s):
        super().__init__()
        self.attention = Heads(s)
        self.attention_norm = nn.LayerNorm(s.width)
        self.cross = Heads(s)
        self.cross_norm = nn.LayerNorm(s.width)
        self.feed_forward = FeedForward(s)
        self.feed_forward_norm = nn.LayerNorm(s.width)

    def forward(self, x, exogenous, context):
        """x (B * C, patches + 1, width), the last token the channel's own; exogenous (B, C + F, width)"""
        x = self.attention_norm(x + context.drop(self.attention(x, x, context)))
        own = x[:, -1].unflatten(0, (len(exogenous), -1))  # (B, C, width)
        own = self.cross_norm(own + context.drop(self.cross(own, exogenous, context)))
        x = torch.cat([x[:, :-1], own.flatten(0, 1)[:, None]], dim=1)
        return self.feed_forward_norm(x + self.feed_forward(x, context))


class TimeXer(nn.Module):
    def __init__(self, s):
        super().__init__()
        self.patch = s.patch
        self.drops_forecast = s.alone  # as published; not inside PULSE
        self.embed = nn.Linear(s.patch, s.width, bias=False)
        self.channel = nn.Parameter(torch.randn(s.C, s.width))
        self.exogenous = nn.Linear(s.T, s.width)
        self.encoder = nn.ModuleList(TimeXerLayer(s) for _ in range(s.layers))
        self.norm = nn.LayerNorm(s.width)
        self.head = nn.Linear(s.width * (-(-s.T // s.patch) + 1), s.H)

    def forward(self, x):
        rows = F.pad(x, (-x.shape[-1] % self.patch, 0), mode="replicate").flatten(0, 1)
        tokens = self.embed(rows.unflatten(1, (-1, self.patch)))
        tokens = tokens + positions(*tokens.shape[1:]).to(x.dtype)
        tokens = torch.cat([tokens, self.channel.repeat(len(x), 1)[:, None]], dim=1)
        tokens = self.context.drop(tokens)
        exogenous = self.context.drop(self.exogenous(torch.cat([x, self.context.marks], dim=1)))
        for layer in self.encoder:
            tokens = layer(tokens, exogenous, self.context)
        y = self.head(self.norm(tokens).flatten(1))
        return (self.context.drop(y) if self.drops_forecast else y).unflatten(0, x.shape[:2])


class Inception(nn.ModuleList):
    """The mean of six convolutions with kernels 1 to 11."""

    def __init__(self, inputs, outputs):
        super().__init__(nn.Conv2d(inputs, outputs, 2 * i + 1, padding=i) for i in range(6))

    def forward(self, x):
        return torch.stack([convolution(x) for convolution in self]).mean(0)


class TimesBlock(nn.Module):
    def __init__(self, s):
        super().__init__()
        self.top = min(s.top, (s.T + s.H) // 2)
        self.register_buffer("spectrum", torch.zeros((s.T + s.H) // 2 + 1))
        self.first = Inception(s.width, s.inner)
        self.second = Inception(s.inner, s.width)

    def forward(self, x):
        """x (B, width, S)"""
        steps = x.shape[-1]
        strength = torch.fft.rfft(x, dim=-1).abs().mean(1)  # (B, bins)
        spectrum = self.spectrum
        if self.training:
            spectrum = strength.detach().mean(0)
            share = 0.1 if self.spectrum.any() else 1.0
            self.spectrum += share * (spectrum - self.spectrum)
        bins = spectrum[1:].topk(self.top).indices + 1
        shares = torch.softmax(strength[:, bins], dim=1)
        out = x
        for i, period in enumerate((steps // bins).tolist()):
            folded = F.pad(x, (0, -steps % period)).unflatten(-1, (-1, period))
            seen = self.second(F.gelu(self.first(folded))).flatten(2)[..., :steps]
            out = out + shares[:, i, None, None] * seen
        return out


class TimesNet(nn.Module):
    def __init__(self, s):
        super().__init__()
        self.lookback = s.T
        self.embed = nn.Conv1d(s.C, s.width, 3, padding=1, padding_mode="circular", bias=False)
        self.marks = nn.Conv1d(s.F + s.K, s.width, 1, bias=False)
        self.extend = nn.Linear(s.T, s.T + s.H)
        self.blocks = nn.ModuleList(TimesBlock(s) for _ in range(s.layers))
        self.norm = nn.LayerNorm(s.width)
        self.project = nn.Linear(s.width, s.C)

    def forward(self, x):
        embedded = self.embed(x) + self.marks(self.context.marks)
        embedded = embedded + positions(self.lookback, embedded.shape[1]).T.to(x.dtype)
        series = self.extend(self.context.drop(embedded))
        for block in self.blocks:
            series = self.norm(block(series).transpose(1, 2)).transpose(1, 2)
        return self.project(series[..., self.lookback :].transpose(1, 2)).transpose(1, 2)


BACKBONES = {
    "dlinear": DLinear,
    "sparsetsf": SparseTsf,
    "cyclenet": CycleNet,
    "itransformer": ITransformer,
    "patchtst": PatchTst,
    "timexer": TimeXer,
    "timesnet": TimesNet,
    "linear": LinearMap,
}

# What each was published with: whether the mean goes, and the divisor of the variance less T.
NORMALISATION = {
    "dlinear": None,
    "sparsetsf": "mean",
    "cyclenet": "unbiased",
    "itransformer": "population",
    "patchtst": "population",
    "timexer": "population",
    "timesnet": "population",
    "linear": "mean",
}


class Alone(nn.Module):
    """A backbone with its own normalisation: (B, C, T) -> (B, C, H)."""

    def __init__(self, s):
        super().__init__()
        self.normalisation = NORMALISATION[s.backbone]
        self.backbone = BACKBONES[s.backbone](s)

    def forward(self, x):
        if self.normalisation is None:
            return self.backbone(x)
        mean, deviation = x.mean(-1, keepdim=True), 1.0
        if self.normalisation != "mean":
            variance = x.var(-1, keepdim=True, correction=int(self.normalisation == "unbiased"))
            deviation = torch.sqrt(variance + EPSILON)
        return self.backbone((x - mean) / deviation) * deviation + mean
