"""Long calls: progress where somebody looks, and Ctrl-C.

The library asks between pieces of its work whether to stop. While it works, SIGINT is only noted:
an exception in a callback could not leave it. Once it has stopped the handler that was there before
gets the signal, which by default raises KeyboardInterrupt.
"""

from __future__ import annotations

import ctypes
import signal
import sys
import threading
import time
from types import FrameType, TracebackType
from typing import Any, Callable, Union

from . import _library
from ._errors import InterruptedCall

ProgressFunction = Callable[[str, int, int], None]
Progress = Union[bool, ProgressFunction, None]


class Watched:
    """A context in which one call is made; `watch` is what the library is given."""

    def __init__(self, progress: Progress = None, remarks: list[str] | None = None) -> None:
        self._show = _shower(progress)
        self._remarks = remarks
        self._signal: tuple[int, FrameType | None] | None = None
        self._before: Any = None
        self._failed: BaseException | None = None
        self._takes_signals = threading.current_thread() is threading.main_thread()
        self._callbacks: tuple[Any, ...] = (
            _library.PROGRESS(self._on_progress) if self._show else _library.PROGRESS(),
            _library.REMARK(self._on_remark),
            _library.ASKED(self._is_cancelled),
        )
        self.watch = _library.Watch(
            ctypes.sizeof(_library.Watch), None, *self._callbacks, _library.ASKED()
        )

    def __enter__(self) -> Watched:
        if self._takes_signals:
            before = signal.getsignal(signal.SIGINT)
            if callable(before):
                self._before = before
                signal.signal(signal.SIGINT, self._note)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._before is not None:
            signal.signal(signal.SIGINT, self._before)
        if self._show is not None:
            self._show.end()
        before, self._callbacks = self._before, ()  # a cycle with the methods otherwise
        if self._failed is not None:
            raise self._failed
        if self._signal is not None:
            before(*self._signal)
            if isinstance(error, InterruptedCall):
                raise KeyboardInterrupt from None

    def _note(self, number: int, frame: FrameType | None) -> None:
        self._signal = (number, frame)

    def _on_progress(self, _: Any, stage: bytes, done: int, total: int) -> None:
        try:
            if self._show is not None:
                self._show.tell(stage.decode(), done, total)
        except BaseException as error:  # noqa: BLE001 -- it cannot leave through C
            self._failed = error

    def _on_remark(self, _: Any, text: bytes) -> None:
        if self._remarks is not None:
            self._remarks.append(text.decode())

    def _is_cancelled(self, _: Any) -> int:
        return int(self._signal is not None or self._failed is not None)


def _shower(progress: Progress) -> _Shower | None:
    if callable(progress):
        return _Told(progress)
    if progress is False:
        return None
    if _is_notebook():
        return _Notebook()
    if progress or (sys.stderr is not None and sys.stderr.isatty()):
        return _Line()
    return None


def _is_notebook() -> bool:
    """Whether a kernel shows what we print, found without an import."""
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython is not None else None
    return shell is not None and hasattr(shell, "kernel")


class _Shower:
    """Shows where a call stands."""

    def tell(self, stage: str, done: int, total: int) -> None:
        raise NotImplementedError

    def end(self) -> None:
        """Nothing is left of it."""


class _Told(_Shower):
    def __init__(self, function: ProgressFunction) -> None:
        self._function = function

    def tell(self, stage: str, done: int, total: int) -> None:
        self._function(stage, done, total)


class _Bar(_Shower):
    """A line of text, ten times a second at most and not in the first half second."""

    def __init__(self) -> None:
        self._next = time.monotonic() + 0.5
        self._is_shown = False

    def tell(self, stage: str, done: int, total: int) -> None:
        now = time.monotonic()
        if now < self._next:
            return
        self._next = now + 0.1
        self._is_shown = True
        self.draw(_line(stage, done, total))

    def end(self) -> None:
        if self._is_shown:
            self.clear()

    def draw(self, text: str) -> None:
        raise NotImplementedError

    def clear(self) -> None:
        raise NotImplementedError


def _line(stage: str, done: int, total: int) -> str:
    if total <= 0:
        return f"{stage} {done}"
    share = min(1.0, done / total)
    return f"{stage:<12} [{'#' * int(30 * share):<30}] {100 * share:3.0f} %"


class _Line(_Bar):
    def draw(self, text: str) -> None:
        sys.stderr.write(f"\r{text:<60}")
        sys.stderr.flush()

    def clear(self) -> None:
        sys.stderr.write("\r" + " " * 60 + "\r")
        sys.stderr.flush()


class _Notebook(_Bar):
    def __init__(self) -> None:
        super().__init__()
        self._display: Any = None

    def draw(self, text: str) -> None:
        from IPython import display

        shown = {"text/plain": text}
        if self._display is None:
            self._display = display.display(shown, raw=True, display_id=True)
        else:
            self._display.update(shown, raw=True)

    def clear(self) -> None:
        self._display.update({"text/plain": ""}, raw=True)
