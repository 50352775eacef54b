"""The exact question of an exercise that was asked before, drawn again from what the log kept of it."""

import json

from studykit.errors import StudyError
from studykit.scheduling.events import Showing


def reprinted(showing: Showing) -> str | None:
    """The question as it stood then; None where the exercise has changed since, or is no longer there."""
    from studykit.exercise import catalog
    from studykit.exercise.numeric.pins import pins
    from studykit.exercise.numeric.template import draw

    try:
        template = catalog.template(showing.template)
        if template.version != showing.version:
            return None
        pinned = {str(name): str(value) for name, value in dict(json.loads(showing.parameters or "{}")).items()}
        return draw(template, showing.seed, pins(template, pinned)).prompt
    except (StudyError, ValueError, TypeError, RecursionError):
        return None
