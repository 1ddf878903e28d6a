#!/usr/bin/env python3
"""PULSE in PyTorch: a second implementation to hold ours against, in outputs, accuracy and speed.

    python tools/pulse_torch.py         (prints the weights of four recipes and checks them)

Written from the paper and the method's description, as a PyTorch user would: modules, autograd,
no trick that changes a result. The state_dict's keys are the names in our model files.

Letters as in the paper: B batch, T look-back, H horizon, C channels, F calendar features,
W period, L codebook rows, P patch length, d router width. U is the number of distinct calendars
of a batch: windows that share their calendar and phase share time encodings and codebook rows, so
these are computed once for each and spread over the batch with index `calendar` (B,). That is exact.
"""

import dataclasses
import math

import torch
from torch import nn
from torch.nn import functional as F

from backbones_torch import BACKBONES

EPSILON = 1e-5
SMALLEST_GAMMA = 1e-6


@dataclasses.dataclass(frozen=True)
class Settings:
    T: int
    H: int
    C: int
    F: int  # calendar features
    W: int
    L: int
    P: int
    d: int
    k: int  # kernel of the time encoders' convolution
    Ca: int  # first and second width of the time encoders
    Cb: int
    K: int = 0  # known columns: they follow the calendar features
    hidden: int = 512
    order: str = "reference"  # or "calendar"
    anchor: bool = True
    router: bool = True
    mixup: str = "sam"  # or "plain", "none"
    rate: float = 0.1  # dropout on attention weights
    backbone: str = "mlp"  # or one of backbones_torch.py
    alone: bool = False  # the backbone without PULSE
    width: int = 128  # sizes inside a backbone
    heads: int = 8
    layers: int = 1
    inner: int = 256
    patch: int = 16
    stride: int = 8
    average: int = 25
    top: int = 5
    kernel: int = 3
    shrink: int = 1
    share: float = 0.5
    graph: int = 32
    skip: int = 32
    periods: str = "sample"  # or "batch"
    routers: int = 3
    backbone_rate: float = 0.1


def width(channels, shrink, width_min=1):
    """A time encoder's width, Ca or Cb."""
    return max(width_min, channels // shrink)


@dataclasses.dataclass(frozen=True)
class Mix:
    """What mixup drew for a batch: one weight, and each sample's partner (B,)."""

    weight: float
    partner: torch.Tensor

    def __call__(self, x):
        return self.weight * x + (1 - self.weight) * x.index_select(0, self.partner)


class TimeEncoder(nn.Module):
    """Calendar (U, S, F + K) -> (U, S, C). The steps are the channels of the convolution."""

    def __init__(self, s, steps):
        super().__init__()
        self.first = nn.Linear(s.F + s.K, s.Ca)
        self.first_norm = nn.LayerNorm(s.Ca, eps=EPSILON)
        self.second = nn.Linear(s.Ca, s.Cb)
        self.second_norm = nn.LayerNorm(s.Cb, eps=EPSILON)
        self.conv = nn.Conv1d(steps, steps, s.k, padding="same")
        self.output = nn.Linear(s.Cb, s.C)

    def forward(self, calendar):
        x = F.gelu(self.first_norm(self.first(calendar)))
        x = F.gelu(self.second_norm(self.second(x)))
        return self.output(self.conv(x))


class PhaseAnchor(nn.Module):
    """Phase just after the window (U,) -> rows of the codebook, oldest step first (U, T, C)."""

    def __init__(self, s):
        super().__init__()
        self.settings = s
        self.codebook = nn.Parameter(torch.empty(s.L, s.C))
        nn.init.normal_(self.codebook, std=math.sqrt(2 / (s.L + s.C)))

    def forward(self, phase):
        s = self.settings
        step = torch.arange(s.T, device=phase.device)
        if s.order == "reference":
            row = (phase[:, None] - step) % s.L
        else:
            row = (phase[:, None] - s.T + step) % s.W % s.L
        return F.embedding(row, self.codebook)


class ResidualNorm(nn.Module):
    """Reversible normalisation over time, with an affine map a channel. Rows are (B, C, time)."""

    def __init__(self, channels):
        super().__init__()
        self.gamma = nn.Parameter(torch.ones(channels))
        self.beta = nn.Parameter(torch.zeros(channels))

    def forward(self, residual):
        """-> normalised (B, C, T), mean and deviation (B, C, 1)."""
        variance, mean = torch.var_mean(residual, dim=-1, keepdim=True, correction=1)
        deviation = torch.sqrt(variance + EPSILON)
        normal = (residual - mean) / deviation
        return normal * self.gamma[:, None] + self.beta[:, None], mean, deviation

    def inverse(self, x, mean, deviation):
        smallest = torch.full_like(self.gamma, SMALLEST_GAMMA)
        held = torch.where(self.gamma.detach() < 0, -smallest, smallest)
        gamma = torch.where(self.gamma.abs() < SMALLEST_GAMMA, held, self.gamma)
        return (x - self.beta[:, None]) / gamma[:, None] * deviation + mean


class Perceptron(nn.Module):
    """The default backbone, shared by all channels: (B, C, T) -> (B, C, H)."""

    def __init__(self, s):
        super().__init__()
        self.first = nn.Linear(s.T, s.hidden)
        self.second = nn.Linear(s.hidden, s.H)

    def forward(self, x):
        return self.second(F.gelu(self.first(x)))


class Attention(nn.Module):
    """Single head: queries (..., P, d) look at tokens (..., P, d) -> (..., P, d)."""

    def __init__(self, token, rate):
        super().__init__()
        self.rate = rate
        self.query = nn.Linear(token, token)
        self.key = nn.Linear(token, token)
        self.value = nn.Linear(token, token)
        self.output = nn.Linear(token, token)

    def forward(self, queries, tokens, mask=None):
        """mask (..., P, P) multiplies the weights; without one, PyTorch draws in training."""
        q, k, v = self.query(queries), self.key(tokens), self.value(tokens)
        weights = torch.softmax(q @ k.transpose(-1, -2) / math.sqrt(q.shape[-1]), dim=-1)
        if mask is not None:
            weights = weights * mask
        else:
            weights = F.dropout(weights, self.rate, self.training)
        return self.output(weights @ v)


def patches(x, patch, left):
    """(B, C, time) -> (B, C, P, N): positions inside a patch are tokens, patches are features.

    Where P does not divide the length, the outermost value fills up that side.
    """
    missing = -x.shape[-1] % patch
    if missing:
        x = F.pad(x, (missing, 0) if left else (0, missing), mode="replicate")
    return x.unflatten(-1, (-1, patch)).transpose(-1, -2)


class PhaseRouter(nn.Module):
    """History anchor (U, C, T) and the backbone's forecast (B, C, H) -> future anchor (B, C, H)."""

    def __init__(self, s):
        super().__init__()
        self.patch = s.P
        future_patches = -(-s.H // s.P)
        self.history = nn.Linear(-(-s.T // s.P), s.d)
        self.future = nn.Linear(future_patches, s.d)
        self.sender = Attention(s.d, s.rate)
        self.receiver = Attention(s.d, s.rate)
        self.expand = nn.Linear(s.d, 2 * s.d)
        self.contract = nn.Linear(2 * s.d, future_patches)

    def forward(self, anchor, forecast, calendar, masks):
        past = spread(self.history(patches(anchor, self.patch, left=True)), calendar)
        future = self.future(patches(forecast, self.patch, left=False))
        message = self.sender(past, future, masks[0])
        evolved = self.receiver(future, message, masks[1])
        out = self.contract(F.gelu(self.expand(evolved)))
        return out.transpose(-1, -2).flatten(-2)[..., : forecast.shape[-1]]


def spread(x, calendar):
    """(U, ...) -> (B, ...)"""
    return x if calendar is None else x.index_select(0, calendar)


class Pulse(nn.Module):
    def __init__(self, settings):
        super().__init__()
        s = self.settings = settings
        if s.anchor:
            self.history_encoder = TimeEncoder(s, s.T)
            self.future_encoder = TimeEncoder(s, s.H)
            self.anchor = PhaseAnchor(s)
        self.revin = ResidualNorm(s.C)
        self.backbone = Perceptron(s) if s.backbone == "mlp" else BACKBONES[s.backbone](s)
        if s.anchor and s.router:
            self.router = PhaseRouter(s)

    def forward(self, history, phase, history_features, future_features, calendar=None, mix=None,
                masks=(None, None)):
        """history (B, C, T), phase (U,), features (U, T or H, F + K) -> forecast (B, C, H).

        calendar (B,): each sample's row among the U; None where U is B. masks: the sender's and
        the receiver's dropout (B, C, P, P), see Attention.
        """
        s = self.settings
        anchors, past = None, torch.zeros((), dtype=history.dtype)
        if s.anchor:
            encoded = self.history_encoder(history_features)
            anchors = (self.anchor(phase) + encoded).transpose(1, 2)  # (U, C, T)
            past = spread(anchors, calendar)
        # Plain mixup blends the residuals and takes their statistics afterwards; the statistic-aware
        # one blends what was normalised, and the statistics themselves, so that samples in opposite
        # phase do not cancel. Either way the router keeps the first sample's anchor.
        if mix is not None and s.mixup == "plain":
            x, mean, deviation = self.revin(mix(history - past))
            x = x + (mix(past) if s.anchor else past)
        else:
            x, mean, deviation = self.revin(history - past)
            x = x + past
            if mix is not None and s.mixup == "sam":
                x, mean, deviation = mix(x), mix(mean), mix(deviation)
        forecast = self.backbone(x)
        if not s.anchor:
            return self.revin.inverse(forecast, mean, deviation)
        future = spread(self.future_encoder(future_features).transpose(1, 2), calendar)
        if s.router:
            future = future + self.router(anchors, forecast, calendar, masks)
        return self.revin.inverse(forecast - future, mean, deviation) + future

    def loss(self, target, *inputs, mix=None, **options):
        """The training loss on target (B, C, H), mixed as the inputs are."""
        if self.settings.mixup == "none":
            mix = None
        forecast = self(*inputs, mix=mix, **options)
        return spectral_error(forecast, mix(target) if mix is not None else target)


def spectral_error(forecast, target):
    """Mean modulus of the transform over the steps of (B, C, H)."""
    return torch.fft.fft(forecast - target, dim=-1).abs().mean()


def count_weights(model):
    return sum(p.numel() for p in model.parameters())


def check_weight_counts():
    hourly = dict(T=96, C=7, F=1, W=24, P=24, d=16, k=5, Ca=7, Cb=7)
    recipes = (
        ("ETTh1 96", 195_270, Settings(H=96, L=96, **hourly)),
        ("ETTh1 720", 3_062_696, Settings(H=720, L=24, **hourly)),
        ("Weather 96", 204_260,
         Settings(T=96, H=96, C=21, F=2, W=144, L=24, P=24, d=32, k=5, Ca=width(21, 4), Cb=21)),
        ("Electricity 96", 448_564,
         Settings(T=96, H=96, C=321, F=2, W=168, L=32, P=12, d=32, k=5, Ca=width(321, 8), Cb=321)),
    )
    for name, expected, settings in recipes:
        count = count_weights(Pulse(settings))
        print(f"{name:15} {count:10,}")
        assert count == expected, f"{name}: {count} weights, the method's description says {expected}"


if __name__ == "__main__":
    check_weight_counts()
