"""The command line of a program that makes fixtures: the version of PyTorch, and a folder."""

import pathlib
import sys

import torch

from safetensors_writer import write_safetensors

TORCH_VERSION = "2.13.0"


def write_fixtures(usage, files):
    """files: name -> function that gives the tensors and the metadata of that file."""
    if torch.__version__.split("+")[0] != TORCH_VERSION:
        sys.exit(f"fixtures are made with PyTorch {TORCH_VERSION}, this is {torch.__version__}")
    if len(sys.argv) != 2:
        sys.exit(usage)
    torch.set_num_threads(1)
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for name, make in files.items():
        write_safetensors(folder / name, *make())
