"""A notice that something takes a while: late, and gone again."""

import threading

import pytest

from studykit.terminal import notice
from studykit.terminal.notice import late_notice


@pytest.fixture
def seen() -> list[str]:
    return []


def test_what_is_quick_shows_nothing(seen: list[str]) -> None:
    with late_notice(lambda: seen.append("drawn"), lambda: seen.append("cleared")):
        pass

    assert seen == []


def test_what_is_slow_shows_a_notice_and_takes_it_away(seen: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(notice, "LATE_S", 0.001)
    drawn = threading.Event()

    def draw() -> None:
        seen.append("drawn")
        drawn.set()

    with late_notice(draw, lambda: seen.append("cleared")):
        assert drawn.wait(5)
        seen.append("done")

    assert seen == ["drawn", "done", "cleared"]


def test_it_is_drawn_again_where_the_terminal_has_changed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(notice, "LATE_S", 0.001)
    drawn = threading.Semaphore(0)
    changes = 0

    with late_notice(drawn.release, lambda: None, lambda: changes):
        assert drawn.acquire(timeout=5)
        changes = 1
        assert drawn.acquire(timeout=5)

    assert not drawn.acquire(blocking=False)


def test_it_is_taken_away_where_the_work_fails(seen: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(notice, "LATE_S", 0.001)
    drawn = threading.Event()

    def work() -> None:
        with late_notice(drawn.set, lambda: seen.append("cleared")):
            drawn.wait(5)
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        work()

    assert seen == ["cleared"]
