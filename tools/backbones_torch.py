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

    marks (B, F + K, T), future_marks (B, F + K, H); history_phase (B, T) and future_phase (B, H). Places of dropout are numbered
    from 1 in the order in which a pass comes by them.
    """

    marks: torch.Tensor
    future_marks: torch.Tensor
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

    def next_place(self):
        """For drop_segments(), which comes by one place several times."""
        self.place += 1

    def drop_segments(self, weights, samples, steps, rate):
        """weights (samples, segments, heads, length, length) of those samples, steps in all of a sample.

        What a last segment that is not whole has too much of is not read.
        """
        if not self.training:
            return weights
        _, segments, heads, length, _ = weights.shape
        scale = torch.zeros(weights.shape, dtype=weights.dtype)
        for i, sample in enumerate(samples.tolist()):
            for j in range(segments):
                own = min(length, steps - j * length)
                first = heads * ((self.place * PLACE_ROWS + sample) * steps + j * length)
                mask_rows = np.arange(heads * own, dtype=np.uint64) + np.uint64(first)
                drawn = self.scale(PURPOSE_ATTENTION_DROPOUT, mask_rows, own, rate)
                scale[i, j, :, :own, :own] = drawn.reshape(heads, own, own)
        return weights * scale

    def scale(self, purpose, rows, elements, rate=None):
        rate = self.rate if rate is None else rate
        return torch.from_numpy(dropout_scale(self.seed, purpose, self.epoch, self.step, rows, elements, rate))


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


class ChannelLinear(nn.Module):
    def __init__(self, s):
        super().__init__()
        self.cycle = nn.Parameter(torch.zeros(s.W, s.C))
        self.maps = nn.Parameter(torch.empty(s.C, s.T, s.H).uniform_(-1, 1) / s.T**0.5)
        self.constants = nn.Parameter(torch.empty(s.C, s.H).uniform_(-1, 1) / s.T**0.5)

    def forward(self, x):
        levels = lambda phase: self.cycle[phase].transpose(1, 2)
        rest = x - levels(self.context.history_phase)
        mapped = torch.einsum("bct,cth->bch", rest, self.maps) + self.constants
        return mapped + levels(self.context.future_phase)


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


class CouplingNet(nn.Module):
    def __init__(self, half):
        super().__init__()
        self.expand = nn.Linear(half, 2 * half)
        self.norm = nn.LayerNorm(2 * half)
        self.contract = nn.Linear(2 * half, half)

    def forward(self, x):
        return self.contract(torch.relu(self.norm(self.expand(x))))


class Coupling(nn.Module):
    """One half scaled and shifted by the other."""

    def __init__(self, half):
        super().__init__()
        self.scale = CouplingNet(half)
        self.shift = CouplingNet(half)
        self.gain = nn.Parameter(torch.full((1,), 0.1))

    def forward(self, own, other):
        return own * torch.exp(torch.clamp(self.gain * self.scale(other), -5, 5)) + self.shift(other)


class CouplingBlock(nn.Module):
    def __init__(self, half):
        super().__init__()
        self.low = Coupling(half)
        self.high = Coupling(half)

    def forward(self, low, high):
        low = self.low(low, high)
        return low, self.high(high, low)


class Cfpt(nn.Module):
    LEAST_WIDTH = 4  # of the calendar

    def __init__(self, s):
        super().__init__()
        self.horizon, self.patch, self.share = s.H, s.patch, s.share
        half, bins, future_bins = s.width // 2, s.T // 2 + 1, s.H // 2 + 1
        self.split = bins // 2
        self.low = nn.Linear(2 * self.split, half)
        self.high = nn.Linear(2 * (bins - self.split), half)
        self.blocks = nn.ModuleList(CouplingBlock(half) for _ in range(s.layers))
        self.low_head = nn.Linear(half, 2 * future_bins)
        self.high_head = nn.Linear(half, 2 * future_bins)
        first, second = max(s.C // s.shrink, self.LEAST_WIDTH), max(s.C, self.LEAST_WIDTH)
        patches = -(-s.H // s.patch)
        self.first = nn.Linear(s.F + s.K, first)
        self.first_norm = nn.LayerNorm(first)
        self.second = nn.Linear(first, second)
        self.second_norm = nn.LayerNorm(second)
        self.mix = nn.Conv2d(patches, patches, s.kernel, padding="same")
        self.output = nn.Linear(second, s.C)
        self.spread = nn.Linear(s.H, s.H)

    def forward(self, x):
        return self.share * self.of_spectrum(x) + (1 - self.share) * self.of_calendar()

    def of_spectrum(self, x):
        bins = torch.view_as_real(torch.fft.rfft(x, dim=-1))  # (B, C, bins, 2)
        low = self.low(bins[:, :, : self.split].flatten(2))
        high = self.high(bins[:, :, self.split :].flatten(2))
        for block in self.blocks:
            low, high = block(low, high)
        future = (self.low_head(low) + self.high_head(high)).unflatten(-1, (-1, 2))
        return torch.fft.irfft(torch.view_as_complex(future), n=self.horizon, dim=-1)

    def of_calendar(self):
        steps = torch.relu(self.first_norm(self.first(self.context.future_marks.transpose(1, 2))))
        steps = torch.relu(self.second_norm(self.second(steps)))  # (B, H, second)
        steps = F.pad(steps, (0, 0, 0, -self.horizon % self.patch))
        pictures = steps.unflatten(1, (-1, self.patch)).transpose(2, 3)  # (B, patches, second, patch)
        # Read on as steps of features as it lies, not turned back.
        told = self.mix(pictures).reshape(len(steps), -1, steps.shape[-1])[:, : self.horizon]
        return self.spread(self.output(told).transpose(1, 2))


class GraphBlock(nn.Module):
    """Nodes are windows over the features of a step, mixed over a learned graph."""

    def __init__(self, s):
        super().__init__()
        nodes = min(s.C, s.width)
        self.window = s.width - nodes + 1
        self.first = nn.Parameter(torch.randn(nodes, 10))
        self.second = nn.Parameter(torch.randn(10, nodes))
        self.start = nn.Linear(self.window, s.graph)
        self.mix = nn.Module()
        bound = 1 / math.sqrt(3 * s.graph)
        self.mix.weight = nn.Parameter(torch.empty(3 * s.skip, s.graph).uniform_(-bound, bound))  # (hop, skip)
        self.mix.bias = nn.Parameter(torch.empty(s.skip).uniform_(-bound, bound))
        self.end = nn.Linear(s.T * s.skip, s.T)
        self.project = nn.Linear(nodes, s.width)
        self.norm = nn.LayerNorm(s.width)

    def forward(self, x):
        """x (B, T, width)"""
        graph = torch.softmax(torch.relu(self.first @ self.second), dim=1)
        looped = graph + torch.eye(len(graph), dtype=x.dtype)
        looped = looped / looped.sum(1, keepdim=True)
        u = self.start(x.unfold(2, self.window, 1))  # (B, T, nodes, channels)
        hops = [u]
        for _ in range(2):
            hops.append(0.3 * u + 0.7 * (looped @ hops[-1]))
        weight = self.mix.weight.unflatten(0, (3, -1)).transpose(0, 1).flatten(1)  # (skip, 3 channels)
        mixed = F.gelu(F.linear(torch.cat(hops, dim=-1), weight, self.mix.bias))
        ended = self.end(mixed.transpose(1, 2).flatten(2))  # (B, nodes, T)
        return self.norm(x + self.project(ended.transpose(1, 2)))


class CycleEncoder(nn.Module):
    """Causal attention inside the cycles of each sample's period."""

    RATE = 0.1

    def __init__(self, s):
        super().__init__()
        self.attention = Heads(s)
        self.attention_norm = nn.LayerNorm(s.width)
        self.feed_forward = FeedForward(s)
        self.feed_forward_norm = nn.LayerNorm(s.width)
        self.norm = nn.LayerNorm(s.width)

    def inside(self, x, periods, context):
        heads = self.attention
        tokens = [layer(x) for layer in (heads.query, heads.key, heads.value)]
        seen = torch.empty_like(x)
        context.next_place()
        for period in sorted(set(periods.tolist())):
            samples = (periods == period).nonzero()[:, 0]
            seen[samples] = self.cycles([one[samples] for one in tokens], period, samples, context)
        return heads.output(seen)

    def cycles(self, tokens, period, samples, context):
        steps = tokens[0].shape[1]
        cut = lambda x: (F.pad(x, (0, 0, 0, -steps % period)).unflatten(1, (-1, period))
                         .unflatten(3, (self.attention.heads, -1)).transpose(2, 3))
        q, k, v = (cut(one) for one in tokens)  # (samples, cycles, heads, period, head width)
        scores = q @ k.transpose(3, 4) / math.sqrt(q.shape[-1])
        scores = scores.masked_fill(torch.ones(period, period, dtype=torch.bool).triu(1), -math.inf)
        weights = context.drop_segments(torch.softmax(scores, dim=-1), samples, steps, self.RATE)
        return (weights @ v).transpose(2, 3).flatten(3).flatten(1, 2)[:, :steps]

    def forward(self, x, periods, context):
        x = self.attention_norm(x + context.drop(self.inside(x, periods, context)))
        return F.gelu(self.norm(self.feed_forward_norm(x + self.feed_forward(x, context))))


class ScaleBlock(nn.Module):
    def __init__(self, s):
        super().__init__()
        self.top = min(s.top, s.T // 2)
        self.of_batch = s.periods == "batch"
        if self.of_batch:
            self.register_buffer("spectrum", torch.zeros(s.T // 2 + 1))
        self.graphs = nn.ModuleList(GraphBlock(s) for _ in range(self.top))
        self.encoder = CycleEncoder(s)

    def bins(self, strength):
        """(B, top)"""
        spectrum = strength.detach()
        if self.of_batch:
            mean = spectrum.mean(0)
            if self.training:
                share = 0.1 if self.spectrum.any() else 1.0
                self.spectrum += share * (mean - self.spectrum)
            spectrum = (mean if self.training else self.spectrum).expand_as(strength)
        return spectrum[:, 1:].topk(self.top).indices + 1

    def forward(self, x, context):
        """x (B, T, width)"""
        strength = torch.fft.rfft(x, dim=1).abs().mean(2)  # (B, bins)
        bins = self.bins(strength)
        shares = torch.softmax(strength.gather(1, bins), dim=1)
        out = 0.0
        for i, graph in enumerate(self.graphs):
            x = graph(x)
            seen = self.encoder(x, x.shape[1] // bins[:, i], context)
            out = out + shares[:, i, None, None] * seen
        return out + x


class MsgNet(nn.Module):
    def __init__(self, s):
        super().__init__()
        self.drops_forecast = s.alone  # as published; not inside PULSE
        self.embed = nn.Conv1d(s.C, s.width, 3, padding=1, padding_mode="circular", bias=False)
        self.marks = nn.Conv1d(s.F + s.K, s.width, 1, bias=False)
        self.blocks = nn.ModuleList(ScaleBlock(s) for _ in range(s.layers))
        self.norm = nn.LayerNorm(s.width)
        self.project = nn.Linear(s.width, s.C)
        self.head = nn.Linear(s.T, s.H)

    def forward(self, x):
        steps = (self.embed(x) + self.marks(self.context.marks)).transpose(1, 2)
        steps = self.context.drop(steps + positions(*steps.shape[1:]).to(x.dtype))
        for block in self.blocks:
            steps = self.norm(block(steps, self.context))
        y = self.head(self.project(steps).transpose(1, 2))
        return self.context.drop(y) if self.drops_forecast else y


class TokenMap(nn.Module):
    def __init__(self, width, inner):
        super().__init__()
        self.expand = nn.Linear(width, inner)
        self.contract = nn.Linear(inner, width)

    def forward(self, x):
        return self.contract(F.gelu(self.expand(x)))


class TwoStages(nn.Module):
    """Attention between segments, then between channels by way of routers: (B, C, segments, width)."""

    def __init__(self, s, segments):
        super().__init__()
        self.router_count = s.routers
        self.time = Heads(s)
        self.time_norm = nn.LayerNorm(s.width)
        self.time_map = TokenMap(s.width, s.inner)
        self.time_map_norm = nn.LayerNorm(s.width)
        self.routers = nn.Parameter(torch.randn(segments * s.routers, s.width))
        self.sender = Heads(s)
        self.receiver = Heads(s)
        self.channel_norm = nn.LayerNorm(s.width)
        self.channel_map = TokenMap(s.width, s.inner)
        self.channel_map_norm = nn.LayerNorm(s.width)

    def forward(self, x, context):
        samples, channels, segments, _ = x.shape
        x = x.flatten(0, 1)
        x = self.time_norm(x + context.drop(self.time(x, x, context)))
        x = self.time_map_norm(x + context.drop(self.time_map(x)))
        x = x.unflatten(0, (samples, channels)).transpose(1, 2).flatten(0, 1)  # (B segments, C, width)
        routers = self.routers.unflatten(0, (segments, -1)).repeat(samples, 1, 1)
        gathered = self.sender(routers, x, context)
        x = self.channel_norm(x + context.drop(self.receiver(x, gathered, context)))
        x = self.channel_map_norm(x + context.drop(self.channel_map(x)))
        return x.unflatten(0, (samples, segments)).transpose(1, 2)


class EncoderScale(nn.Module):
    def __init__(self, s, segments, merges):
        super().__init__()
        if merges:
            self.norm = nn.LayerNorm(2 * s.width)
            self.merge = nn.Linear(2 * s.width, s.width)
        self.merges = merges
        self.stages = TwoStages(s, segments)

    def forward(self, x, context):
        if self.merges:
            if x.shape[2] % 2:
                x = torch.cat([x, x[:, :, -1:]], dim=2)
            x = self.merge(self.norm(x.contiguous().unflatten(2, (-1, 2)).flatten(3)))
        return self.stages(x, context)


class DecoderScale(nn.Module):
    def __init__(self, s, segments):
        super().__init__()
        self.stages = TwoStages(s, segments)
        self.cross = Heads(s)
        self.cross_norm = nn.LayerNorm(s.width)
        self.map = TokenMap(s.width, s.width)
        self.map_norm = nn.LayerNorm(s.width)
        self.head = nn.Linear(s.width, s.patch)

    def forward(self, x, history, context):
        own = self.stages(x, context).flatten(0, 1)
        own = self.cross_norm(own + context.drop(self.cross(own, history.flatten(0, 1), context)))
        own = self.map_norm(own + self.map(own))
        return own.unflatten(0, x.shape[:2]), self.head(own)


class Crossformer(nn.Module):
    def __init__(self, s):
        super().__init__()
        self.patch, self.horizon = s.patch, s.H
        past, future = -(-s.T // s.patch), -(-s.H // s.patch)
        self.embed = nn.Linear(s.patch, s.width, bias=False)
        self.history_places = nn.Parameter(torch.randn(s.C * past, s.width))
        self.embed_norm = nn.LayerNorm(s.width)
        self.future_places = nn.Parameter(torch.randn(s.C * future, s.width))
        self.encoder, self.decoder = nn.ModuleList(), nn.ModuleList()
        for i in range(s.layers):
            past = past if i == 0 else -(-past // 2)
            self.encoder.append(EncoderScale(s, past, merges=i > 0))
        for _ in range(s.layers + 1):
            self.decoder.append(DecoderScale(s, future))

    def forward(self, x):
        channels = x.shape[1]
        segments = F.pad(x, (-x.shape[-1] % self.patch, 0), mode="replicate").unflatten(2, (-1, self.patch))
        tokens = self.embed(segments) + positions(segments.shape[2], self.embed.out_features).to(x.dtype)
        scales = [self.embed_norm(tokens + self.history_places.unflatten(0, (channels, -1)))]
        for layer in self.encoder:
            scales.append(layer(scales[-1], self.context))
        tokens = self.future_places.unflatten(0, (channels, -1)).expand(len(x), -1, -1, -1)
        y = 0.0
        for layer, history in zip(self.decoder, scales):
            tokens, told = layer(tokens, history, self.context)
            y = y + told
        return y.flatten(1).unflatten(0, x.shape[:2])[..., : self.horizon]


BACKBONES = {
    "dlinear": DLinear,
    "sparsetsf": SparseTsf,
    "cyclenet": CycleNet,
    "itransformer": ITransformer,
    "patchtst": PatchTst,
    "timexer": TimeXer,
    "timesnet": TimesNet,
    "linear": LinearMap,
    "channel_linear": ChannelLinear,
    "cfpt": Cfpt,
    "msgnet": MsgNet,
    "crossformer": Crossformer,
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
    "channel_linear": "mean",
    "cfpt": "population",
    "msgnet": "population",
    "crossformer": None,
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
