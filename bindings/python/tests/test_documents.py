"""What the documents say runs as it stands."""

from __future__ import annotations

import doctest
import importlib
import pathlib
import pkgutil
import re
import subprocess
import sys

import pytest

import pulsecast

HERE = pathlib.Path(__file__).parents[1]
DOCS = HERE.parents[1] / "docs"


def test_docstrings() -> None:
    tried = 0
    for module in pkgutil.walk_packages(pulsecast.__path__, "pulsecast."):
        if module.name.endswith("libpulsecast_c"):
            continue  # no module of Python, but named like one
        try:
            imported = importlib.import_module(module.name)
        except ModuleNotFoundError as missing:  # of an extra, which has tests of its own
            assert missing.name is not None and not missing.name.startswith("pulsecast")
            continue
        result = doctest.testmod(imported)
        assert result.failed == 0, module.name
        tried += result.attempted
    assert doctest.testmod(pulsecast).failed == 0
    assert tried > 5


@pytest.mark.parametrize("page", ["python.md", "coming-from.md"])
def test_python_in_pages_runs(
    page: str, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Blocks of one page run one after the other; those of other libraries say `python no-run`."""
    monkeypatch.chdir(tmp_path)
    text = (DOCS / page).read_text(encoding="utf-8")
    blocks = re.findall(r"^```python\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    assert blocks
    names: dict[str, object] = {}
    for block in blocks:
        exec(compile(block, page, "exec"), names)


def test_the_tutorial_runs() -> None:
    nbclient = pytest.importorskip("nbclient")
    nbformat = pytest.importorskip("nbformat")
    book = nbformat.read(DOCS / "examples" / "tutorial.ipynb", as_version=4)
    nbclient.NotebookClient(book, timeout=120, kernel_name="python3").execute()
    shown = [output for cell in book.cells for output in cell.get("outputs", ())]
    assert any("image/svg+xml" in output.get("data", {}) for output in shown)


def test_types_are_strict() -> None:
    pytest.importorskip("mypy")
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--config-file", HERE / "pyproject.toml", HERE / "src/pulsecast"],
        capture_output=True, text=True, check=False, cwd=HERE,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout
