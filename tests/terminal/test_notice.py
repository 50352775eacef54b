"""Test that a notice of a wait appears only after a moment, and goes away again."""

import threading

import pytest

from studykit.terminal import notice
from studykit.terminal.notice import late_notice


@pytest.fixture
def calls() -> list[str]:
    return []


def test_quick_work_shows_no_notice(calls: list[str]) -> None:
    with late_notice(lambda: calls.append("drawn"), lambda: calls.append("cleared")):
        pass

    assert calls == []


def test_late_notice_is_drawn_and_cleared(calls: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(notice, "LATE_S", 0.001)
    was_drawn = threading.Event()

    def draw() -> None:
        calls.append("drawn")
        was_drawn.set()

    with late_notice(draw, lambda: calls.append("cleared")):
        assert was_drawn.wait(5)
        calls.append("done")

    assert calls == ["drawn", "done", "cleared"]


def test_late_notice_is_redrawn_after_terminal_change(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(notice, "LATE_S", 0.001)
    draw_count = threading.Semaphore(0)
    changes = 0

    with late_notice(draw_count.release, lambda: None, lambda: changes):
        assert draw_count.acquire(timeout=5)
        changes = 1
        assert draw_count.acquire(timeout=5)

    assert not draw_count.acquire(blocking=False)


def test_notice_is_cleared_after_failure(calls: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(notice, "LATE_S", 0.001)
    was_drawn = threading.Event()

    def work() -> None:
        with late_notice(was_drawn.set, lambda: calls.append("cleared")):
            was_drawn.wait(5)
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        work()

    assert calls == ["cleared"]
