"""What goes wrong, as exceptions by kind."""

from __future__ import annotations

from typing import Any


class Remedy:
    """One way out: settings to give, or advice.

    `settings` are keywords with their values (None: one of your choosing), `text` says it in words.
    """

    def __init__(self, settings: dict[str, str | None], text: str) -> None:
        self.settings = settings
        self.text = text

    def __repr__(self) -> str:
        return f"Remedy({self.text!r})"


class PulsecastError(Exception):
    """What every error of this package is.

    `kind` is a word ("data", "usage", ...), `message` what failed, `where` the place, and `remedies`
    what would help, with settings as keywords.
    """

    kind = "error"

    def __init__(
        self,
        message: str,
        *,
        text: str = "",
        where: str = "",
        remedies: tuple[Remedy, ...] = (),
        advice: str = "",
    ) -> None:
        if advice:
            remedies = (Remedy({}, advice), *remedies)
        self.message = message
        self.where = where
        self.remedies = remedies
        super().__init__(text or ". ".join([message, *(remedy.text for remedy in remedies)]))


class UsageError(PulsecastError, ValueError):
    """A wrong call: settings, shapes, arguments."""

    kind = "usage"


class DataError(PulsecastError, ValueError):
    """The rows are not what they must be."""

    kind = "data"


class ModelFileError(PulsecastError, ValueError):
    """A model file is damaged, hostile or of an unknown version."""

    kind = "model file"


class InputOutputError(PulsecastError, OSError):
    """The system refused to read or write."""

    kind = "input or output"


class TrainingError(PulsecastError, RuntimeError):
    """Training cannot go on."""

    kind = "training"


class InterruptedCall(PulsecastError, KeyboardInterrupt):
    """A call was stopped; it is a KeyboardInterrupt too."""

    kind = "interrupted"


_OF_STATUS: dict[int, type[PulsecastError]] = {
    2: UsageError,
    3: DataError,
    4: ModelFileError,
    5: InputOutputError,
    6: TrainingError,
    130: InterruptedCall,
}


def _keyword(name: str) -> str:
    return name.replace("-", "_")


def from_document(status: int, document: dict[str, Any]) -> PulsecastError:
    """The exception for an error that the library gave as JSON."""
    remedies = tuple(
        Remedy(
            {_keyword(one["name"]): one.get("value") for one in remedy.get("settings", ())},
            remedy.get("text", ""),
        )
        for remedy in document.get("remedies", ())
    )
    kind = _OF_STATUS.get(status, PulsecastError)
    message = str(document.get("message", "the library failed without a word"))
    return kind(
        message,
        text=str(document.get("full_text", "")),
        where=str(document.get("where", "")),
        remedies=remedies,
    )
