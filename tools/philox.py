"""Philox4x32-10 and the dropout masks of pulsecast/base/random.h, in NumPy.

A second implementation: fixtures made with it prove that the masks are what the header says.
"""

import numpy as np

MULTIPLIERS = (np.uint64(0xD2511F53), np.uint64(0xCD9E8D57))
WEYL = (0x9E3779B9, 0xBB67AE85)
LOW = np.uint64(0xFFFFFFFF)
SHIFT = np.uint64(32)

# random::Purpose
PURPOSE_ATTENTION_DROPOUT = 5
PURPOSE_DROPOUT = 6


def philox4x32(counter, seed):
    """counter: uint64 array (..., 4) of 32-bit words; returns the same shape."""
    c = [counter[..., i].astype(np.uint64) for i in range(4)]
    key = [seed & 0xFFFFFFFF, seed >> 32]
    for _ in range(10):
        product0 = MULTIPLIERS[0] * c[0]
        product1 = MULTIPLIERS[1] * c[2]
        c = [
            (product1 >> SHIFT) ^ c[1] ^ np.uint64(key[0]),
            product1 & LOW,
            (product0 >> SHIFT) ^ c[3] ^ np.uint64(key[1]),
            product0 & LOW,
        ]
        key = [(key[i] + WEYL[i]) & 0xFFFFFFFF for i in range(2)]
    return np.stack(c, axis=-1)


def dropout_scale(seed, purpose, epoch, step, rows, elements, rate):
    """Multipliers (rows, elements) of dropout for mask rows `rows`."""
    blocks = (elements + 7) // 8
    index = (np.asarray(rows, dtype=np.uint64)[:, None] << np.uint64(16)) + np.arange(
        blocks, dtype=np.uint64
    )
    counter = np.zeros(index.shape + (4,), dtype=np.uint64)
    counter[..., 0] = index & LOW
    counter[..., 1] = index >> SHIFT
    counter[..., 2] = step
    counter[..., 3] = (purpose << 24) | epoch
    words = philox4x32(counter, seed)
    halves = np.stack([words & np.uint64(0xFFFF), words >> np.uint64(16)], axis=-1)
    numbers = halves.reshape(len(rows), blocks * 8)[:, :elements]
    threshold = int(np.rint(np.float32(rate) * np.float32(65536)))
    return np.where(numbers < threshold, 0.0, 1.0 / (1.0 - rate)).astype(np.float32)
