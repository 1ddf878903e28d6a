"""Stamps of Python as milliseconds of UTC."""

from __future__ import annotations

import datetime

UTC = datetime.timezone.utc
EPOCH = datetime.datetime(1970, 1, 1, tzinfo=UTC)
_MILLISECOND = datetime.timedelta(milliseconds=1)


def of_text(text: str) -> datetime.datetime:
    """Of an ISO text, with a Z too, which Python reads from 3.11 on only."""
    if text.endswith("Z"):
        text = text[:-1] + "+00:00"
    return datetime.datetime.fromisoformat(text)


def milliseconds(stamp: datetime.datetime) -> int:
    """Of a stamp, which is UTC's where it names no zone; in whole numbers, since floats cut."""
    if stamp.tzinfo is None:
        stamp = stamp.replace(tzinfo=UTC)
    return (stamp - EPOCH) // _MILLISECOND
