"""A prompt finds the study day without `zoneinfo` only where the C library surely finds the same."""

import os
import sys
import time
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from pathlib import Path
from zoneinfo import ZoneInfo, available_timezones

import pytest

from studykit.cli import prompt
from studykit.cli.context import Context
from studykit.cli.prompt import PromptContext

pytestmark = pytest.mark.skipif(
    sys.platform != "linux" or not Path("/usr/share/zoneinfo/Asia/Tokyo").is_file(),
    reason="no zones of the system",
)

YEARS = (1970, 1971, 1972, *range(2024, 2029), 2038, 2254)
ODD = (
    "",
    ":",
    ":Asia/Tokyo",
    "::Asia/Tokyo",
    "Asia",
    "Asia/Tokyo/",
    "Asia//Tokyo",
    "./Asia/Tokyo",
    "Asia/../Asia/Tokyo",
    "Asia/../../zoneinfo/Asia/Tokyo",
    "../zoneinfo/Asia/Tokyo",
    "/usr/share/zoneinfo/Asia/Tokyo",
    "asia/tokyo",
    " Asia/Tokyo",
    "Ásia/Tokyo",
    "right/Asia/Tokyo",
    "CET-1CEST",
    "CET-1CEST,M3.5.0,M10.5.0/3",
    "<+03>-3",
    "JST-9",
    "UTC+9",
    "UTC0",
    "GMT-0",
    "tzdata.zi",
    "Nowhere/Town",
    "\udcff",
)
ALIKE = ("UTC", "Etc/GMT+5", "Asia/Tokyo", "posix/Asia/Tokyo", "localtime", "GB", "Japan", "leapseconds")


@pytest.fixture
def environ(monkeypatch: pytest.MonkeyPatch) -> Iterator[pytest.MonkeyPatch]:
    """The process's environment, to be set as a learner's is."""
    for name in ("TZDIR", "PYTHONTZPATH"):
        monkeypatch.delenv(name, raising=False)
    yield monkeypatch
    monkeypatch.undo()
    time.tzset()


def context(kind: type[Context], environ: Mapping[str, str] = os.environ) -> Context:
    return kind(environ, None, sys.stdin, sys.stdout, sys.stderr)


def is_quick() -> bool:
    """Whether the study day was found without the zone."""
    asked = context(PromptContext)
    asked.today()
    return "zone" not in vars(asked)


def days(kind: type[Context], moments: list[datetime], environ: pytest.MonkeyPatch) -> list[str]:
    """The study days of the moments, by one context."""
    asked = context(kind)
    found = []
    for moment in moments:
        environ.setenv("STUDYKIT_NOW", moment.isoformat())
        found.append(f"{moment} {asked.today()}")
    return found


def changes(zone: ZoneInfo, year: int) -> list[datetime]:
    """The first moments of a year with another offset than a second before."""
    steps = [datetime(year, 1, 2, tzinfo=UTC) + timedelta(days=10 * number) for number in range(37)]
    return [change(zone, *pair) for pair in pairwise(steps) if offset(zone, pair[0]) != offset(zone, pair[1])]


def change(zone: ZoneInfo, low: datetime, high: datetime) -> datetime:
    """The first second between two moments that no longer has the offset of the first."""
    while high - low > timedelta(seconds=1):
        middle = low + (high - low) // timedelta(seconds=2) * timedelta(seconds=1)
        low, high = (middle, high) if offset(zone, middle) == offset(zone, low) else (low, middle)
    return high


def offset(zone: ZoneInfo, moment: datetime) -> timedelta | None:
    return moment.astimezone(zone).utcoffset()


def moments(zone: ZoneInfo) -> list[datetime]:
    """Both sides of every change of the offset, of the rollover after it, and of two rollovers a year."""
    second = timedelta(seconds=1)
    found = []
    for year in YEARS:
        around = changes(zone, year)
        days = [datetime(year, month, 15, tzinfo=UTC) for month in (1, 7)]
        days += [change + timedelta(days=number) for change in around for number in (-1, 0, 1)]
        turns = [day.astimezone(zone).replace(hour=4, minute=0, second=0).astimezone(UTC) for day in days]
        found += [turn + each for turn in turns + around for each in (-second, timedelta(0), second)]
    return found


def test_every_zone_has_the_same_study_days_by_the_c_library(environ: pytest.MonkeyPatch) -> None:
    different = []
    names = sorted(name for name in available_timezones() if Path("/usr/share/zoneinfo", name).is_file())
    slow = []
    for name in names:
        environ.setenv("TZ", name)
        around = moments(ZoneInfo(name))
        quick, whole = (days(kind, around, environ) for kind in (PromptContext, Context))
        different += [f"{name} {one} {two}" for one, two in zip(quick, whole, strict=True) if one != two]
        slow += [] if is_quick() else [name]

    assert len(names) > 300
    assert different == []
    assert [name for name in slow if name.partition("/")[0].isalpha()] == []


@pytest.mark.parametrize("name", [*ODD, *ALIKE, None])
def test_an_odd_zone_has_the_same_study_day(environ: pytest.MonkeyPatch, name: str | None) -> None:
    if name is None:
        environ.delenv("TZ", raising=False)
    else:
        environ.setenv("TZ", name)
    start = datetime(2026, 7, 1, tzinfo=UTC)
    around = [
        start + timedelta(minutes=15 * quarter, seconds=seconds)
        for quarter in range(96)
        for seconds in (-10, 0, 10)
    ]

    assert days(PromptContext, around, environ) == days(Context, around, environ)
    assert name is None or is_quick() == (name in ALIKE)


@pytest.mark.parametrize("name", ["TZDIR", "PYTHONTZPATH"])
def test_zones_from_elsewhere_are_left_to_the_program(environ: pytest.MonkeyPatch, name: str) -> None:
    environ.setenv("TZ", "Asia/Tokyo")
    environ.setenv(name, "/nowhere")

    assert not is_quick()


def test_an_environment_that_is_not_the_process_s_own_is_left_to_the_program(environ: pytest.MonkeyPatch) -> None:
    environ.setenv("TZ", "Asia/Tokyo")
    other = {"TZ": "America/New_York", "STUDYKIT_NOW": "2026-11-23T04:00:00+00:00"}

    assert str(context(PromptContext, other).today()) == "2026-11-22"


def test_a_python_that_brings_its_zones_is_left_to_the_program(
    environ: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    environ.setenv("TZ", "Asia/Tokyo")
    environ.setattr(sys, "base_prefix", str(tmp_path))
    before = is_quick()
    (tmp_path / "share" / "zoneinfo").mkdir(parents=True)

    assert (before, is_quick()) == (True, False)

    environ.setattr(sys, "base_prefix", "/usr")  # the system's own Python brings the same ones
    assert is_quick()


@pytest.mark.parametrize(
    ("target", "quick"),
    [
        ("/usr/share/zoneinfo/Asia/Tokyo", True),
        ("/usr/share/zoneinfo/Asia/Nowhere", False),
        ("own/zoneinfo/Asia/Tokyo", False),
        (None, False),
    ],
    ids=["the system's", "without a file", "another file", "a copy"],
)
def test_the_machine_s_zone_has_to_be_a_link_to_a_file_of_the_system(
    environ: pytest.MonkeyPatch, tmp_path: Path, target: str | None, *, quick: bool
) -> None:
    copied = Path("/usr/share/zoneinfo/Asia/Tokyo").read_bytes()
    environ.delenv("TZ", raising=False)
    environ.setattr(prompt, "_LOCALTIME", str(tmp_path / "localtime"))
    own = tmp_path / "own" / "zoneinfo" / "Asia" / "Tokyo"
    own.parent.mkdir(parents=True)
    own.write_bytes(copied)
    if target is None:
        (tmp_path / "localtime").write_bytes(copied)
    else:
        (tmp_path / "localtime").symlink_to(tmp_path / target)

    assert is_quick() == quick
