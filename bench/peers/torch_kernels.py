"""The cases of bench/kernels.cpp in PyTorch, eager, as a person would write them.

Reads "CASE REPEATS" lines and answers with the seconds of one repeat: forward and backward.
"""

import math
import sys
import time

import torch
from torch import nn
from torch.nn import functional as F

THREADS = 2


def forward_backward(function, *inputs):
    """A step: forward, then backward from a fixed gradient, gradients of inputs and weights."""
    gradient = torch.randn_like(function().detach())

    def step():
        for tensor in inputs:
            tensor.grad = None
        function().backward(gradient)

    return step


def perceptron():
    model = nn.Sequential(nn.Linear(96, 512), nn.GELU(), nn.Linear(512, 96))
    x = torch.randn(1792, 96, requires_grad=True)
    return forward_backward(lambda: model(x), x, *model.parameters())


def attention():
    q, k, v = (torch.randn(1792, 24, 16, requires_grad=True) for _ in range(3))

    def forward():
        weights = torch.softmax(q @ k.transpose(1, 2) / math.sqrt(16), dim=-1)
        return F.dropout(weights, 0.1) @ v

    return forward_backward(forward, q, k, v)


def attention_fused():
    q, k, v = (torch.randn(1792, 24, 16, requires_grad=True) for _ in range(3))
    return forward_backward(
        lambda: F.scaled_dot_product_attention(q, k, v, dropout_p=0.1), q, k, v)


def attention_block():
    x_q, x_kv = (torch.randn(1792, 24, 16, requires_grad=True) for _ in range(2))
    query, key, value, output = (nn.Linear(16, 16) for _ in range(4))
    parameters = [p for layer in (query, key, value, output) for p in layer.parameters()]

    def forward():
        scores = query(x_q) @ key(x_kv).transpose(1, 2) / math.sqrt(16)
        weights = F.dropout(torch.softmax(scores, dim=-1), 0.1)
        return output(weights @ value(x_kv))

    return forward_backward(forward, x_q, x_kv, *parameters)


def convolution():
    layer = nn.Conv1d(96, 96, 5, padding=2)
    x = torch.randn(64, 96, 21, requires_grad=True)
    return forward_backward(lambda: layer(x), x, *layer.parameters())


def spectral_error(length):
    y = torch.randn(1792, length, requires_grad=True)
    target = torch.randn(1792, length)

    def step():
        y.grad = None
        torch.fft.fft(y - target, dim=1).abs().mean().backward()

    return step


def layer_norm():
    layer = nn.LayerNorm(21)
    x = torch.randn(21696, 21, requires_grad=True)
    return forward_backward(lambda: layer(x), x, *layer.parameters())


def adam():
    weights = torch.randn(1_000_000, requires_grad=True)
    weights.grad = torch.randn(1_000_000)
    optimiser = torch.optim.Adam([weights], lr=0.005, fused=True)
    return optimiser.step


CASES = {
    "perceptron": perceptron,
    "attention": attention,
    "attention_fused": attention_fused,
    "attention_block": attention_block,
    "convolution": convolution,
    "spectral_96": lambda: spectral_error(96),
    "spectral_720": lambda: spectral_error(720),
    "layer_norm": layer_norm,
    "adam": adam,
}


def main():
    torch.set_num_threads(THREADS)
    print(f"PyTorch {torch.__version__} eager, {THREADS} threads", flush=True)
    steps = {}
    for line in sys.stdin:
        name, repeats = line.split()
        if name not in CASES:
            print("unknown", flush=True)
            continue
        if name not in steps:
            steps[name] = CASES[name]()
        steps[name]()
        start = time.perf_counter()
        for _ in range(int(repeats)):
            steps[name]()
        print((time.perf_counter() - start) / int(repeats), flush=True)


if __name__ == "__main__":
    main()
