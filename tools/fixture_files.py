"""The command line of a program that makes fixtures: the version of PyTorch, a folder, and cases.

Named cases alone are made, and the others stay as they are in the files: another CPU rounds them
otherwise, and a change of what was not meant to change would go unseen among that.
"""

import pathlib
import sys

import torch

from safetensors_files import read_safetensors, write_safetensors

TORCH_VERSION = "2.13.0"


def write_fixtures(usage, files):
    """files: name -> function of is_wanted(case) that gives the tensors and the metadata of that file.

    What it gives of other cases is left away.
    """
    if torch.__version__.split("+")[0] != TORCH_VERSION:
        sys.exit(f"fixtures are made with PyTorch {TORCH_VERSION}, this is {torch.__version__}")
    if len(sys.argv) < 2:
        sys.exit(usage)
    torch.set_num_threads(1)
    folder, cases = pathlib.Path(sys.argv[1]), sys.argv[2:]
    folder.mkdir(parents=True, exist_ok=True)
    is_wanted = lambda case: not cases or case in cases
    for name, make in files.items():
        made = make(is_wanted)
        if cases:
            kept = read_safetensors(folder / name)
            made = [{**old, **{key: new[key] for key in new if is_wanted(key.split("/")[0])}}
                    for old, new in zip(kept, made)]
        write_safetensors(folder / name, *made)
