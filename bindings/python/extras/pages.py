"""Blocks of docs/python.md that need what one extra brings."""

from __future__ import annotations

import doctest
import importlib
import pathlib
import re
from typing import Any

import pytest

PAGE = pathlib.Path(__file__).parents[3] / "docs" / "python.md"


def run_blocks(word: str, folder: pathlib.Path, monkeypatch: pytest.MonkeyPatch, **names: Any) -> None:
    """Those that begin with ```python WORD, one after the other, in a folder of their own."""
    monkeypatch.chdir(folder)
    blocks = re.findall(rf"^```python {word}\n(.*?)^```", PAGE.read_text(encoding="utf-8"), re.M | re.S)
    assert blocks
    for block in blocks:
        exec(compile(block, PAGE.name, "exec"), names)


def run_docstrings(module: str) -> None:
    result = doctest.testmod(importlib.import_module(module))
    assert result.attempted > 0 and result.failed == 0
