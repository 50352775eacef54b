"""The clock and the zone of this run. Imports nothing slow: a shell prompt needs them."""

import os
from collections.abc import Mapping
from datetime import UTC, datetime
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from studykit.errors import UsageError


def now(environ: Mapping[str, str], zone: ZoneInfo) -> datetime:
    """The moment, aware and in UTC; `STUDYKIT_NOW` (ISO 8601) stands in for the clock in tests and docs."""
    fixed = environ.get("STUDYKIT_NOW")
    return moment(fixed, "STUDYKIT_NOW", zone) if fixed else datetime.now(UTC)


def moment(text: str, named: str, zone: ZoneInfo) -> datetime:
    """An ISO 8601 moment as written by the learner in `named`; without an offset it is local time."""
    try:
        read = datetime.fromisoformat(text)
    except ValueError:
        message = f"{named} is {text!r}, which is no ISO 8601 moment such as 2026-11-23T08:30:00+01:00."
        raise UsageError(message) from None
    if not 1970 <= read.year < 9000:  # noqa: PLR2004 - the years that a schedule can be counted in
        raise UsageError(f"{named} is {text!r}; give a moment between 1970 and 9000.")
    return (read if read.tzinfo else read.replace(tzinfo=zone)).astimezone(UTC)


def zone_name(environ: Mapping[str, str]) -> str:
    """The learner's IANA zone: `TZ`, else the machine's, else UTC."""
    named = environ.get("TZ", "").lstrip(":")
    if not named:
        named = os.path.realpath("/etc/localtime").partition("zoneinfo/")[2]
    try:
        return ZoneInfo(named).key if named else "UTC"
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return "UTC"
