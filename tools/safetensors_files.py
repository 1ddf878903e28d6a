"""Float32 arrays as one safetensors file, written and read with nothing but NumPy."""

import json
import struct

import numpy as np


def write_safetensors(path, tensors, metadata=None):
    """tensors: name -> array, stored as float32; metadata: text -> text, kept in the header."""
    header, offset, chunks = {}, 0, []
    if metadata:
        header["__metadata__"] = metadata
    for name, value in tensors.items():
        value = np.ascontiguousarray(value, dtype=np.float32)
        header[name] = {
            "dtype": "F32",
            "shape": list(value.shape),
            "data_offsets": [offset, offset + value.nbytes],
        }
        offset += value.nbytes
        chunks.append(value.tobytes())
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    path.write_bytes(struct.pack("<Q", len(text)) + text + b"".join(chunks))


def read_safetensors(path):
    """-> tensors, metadata"""
    data = path.read_bytes()
    (length,) = struct.unpack("<Q", data[:8])
    header = json.loads(data[8 : 8 + length])
    metadata = header.pop("__metadata__", {})
    values = np.frombuffer(data[8 + length :], dtype=np.float32)
    of = lambda place: values[place["data_offsets"][0] // 4 : place["data_offsets"][1] // 4].reshape(place["shape"])
    return {name: of(place) for name, place in header.items()}, metadata
