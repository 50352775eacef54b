"""Define the services that practising needs from outside, which the command line provides."""

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import date, datetime
from typing import TYPE_CHECKING

from studykit.ui import Ui

if TYPE_CHECKING:
    from studykit.review.progress import RunReport
    from studykit.sandbox.confinement import Permission
    from studykit.sandbox.worker import Worker
    from studykit.store.store import Store
    from studykit.store.typed_drafts import TypedDrafts


@dataclass(frozen=True, slots=True)
class Services:
    """Hold the functions that open or read what a run needs, such as the store, seed, clock, settings and Ui."""

    open_store: Callable[[], "Store"]
    read_decks: Callable[[], "Store"]  # the same store, with the decks as they are now
    open_drafts: Callable[[], "TypedDrafts"]  # what was typed and not given as an answer
    seed: Callable[[], int]  # a fresh one each time, unless the run has a fixed one
    now: Callable[[], datetime]
    today: Callable[[], date]  # the study day
    settings: Callable[[str], Mapping[str, object]]  # a section of the configuration
    open_ui: Callable[[], AbstractContextManager[Ui]]  # in plain lines, or on a screen, as the run is
    open_worker: Callable[[str], "Worker"]  # for torch or numpy: where snippets run
    typed_permission: Callable[[], "Permission"]  # whether answers of this run may run outside the sandbox
    file_permission: Callable[[bool], "Permission"]  # whether a file may, by whether `--unconfined` was given
    end_run: Callable[["RunReport"], str]  # writes how it went; `m` to ask what was missed again, `u` to undo
    write: Callable[[str], None]  # a result that stays when the Ui is gone
    tell: Callable[[str], None]  # a message on the error stream
    in_a_line: Callable[[str], str]  # Markdown as words on one line
    ascii_only: Callable[[], bool]  # whether signs are spelled in results

    @property
    def store(self) -> "Store":
        """Return the learner's store, opened once per run."""
        return self.open_store()

    @property
    def rough(self) -> bool:
        """Return whether the settings accept estimates within a factor of 1.5."""
        return self.settings("exercise").get("rough") is True
