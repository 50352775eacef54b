"""`study class`: for the staff of a course, where their students stand."""

import typer

from studykit.cli.commands.class_report import report
from studykit.cli.options import verb_group


def register(app: typer.Typer) -> None:
    """Add the verb with what it can do."""
    group = verb_group("See where the students of a class stand.")
    group.command("report")(report)
    app.add_typer(group, name="class")
