"""What a run of questions outside the queue adds to each choice."""

from collections.abc import Sequence

from scripted_ui import ScriptedUi

from studykit.exercise.run_ui import RunUi
from studykit.review.keymap import keymap


class RecordingUi(ScriptedUi):
    """Remembers the options of the last choice."""

    options: Sequence[tuple[str, str]] = ()

    def choose(self, question: str, options: Sequence[tuple[str, str]]) -> str | None:
        self.options = options
        return super().choose(question, options)


def test_each_choice_of_a_run_offers_to_quit() -> None:
    ui = RecordingUi("q")
    run = RunUi(ui, keymap("4", {}))

    assert run.choose("What binds it?", [("c", "compute")]) is None
    assert run.left
    assert ("q", "quit") in ui.options
