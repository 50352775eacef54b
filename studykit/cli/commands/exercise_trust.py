"""`study exercise trust` and `untrust`: folders of exercises that may run here."""

import shlex
from collections.abc import Sequence
from pathlib import Path

from studykit.cli.authors import folders, trusted
from studykit.cli.commands.check_exercises import in_folder
from studykit.cli.context import Context
from studykit.errors import StudyError, UsageError


def run(context: Context, action: str, words: Sequence[str]) -> None:
    """Trust a folder as it is now, or no more."""
    if len(words) != 1:
        raise UsageError(f"{action} takes one folder")
    folder = Path(words[0]).expanduser()
    known = trusted(context)
    if action == "untrust":
        if not known.remove(folder):
            raise StudyError(f"{folder} was not trusted")
        context.write(f"{folder} is trusted no more.")
        return
    found = known.add(folder)
    context.write(f"Trusted as it is now: {', '.join(found)} in {folder}. Any change asks again.")
    problems = in_folder(context, folder).problems
    for problem in problems:
        context.write(str(problem))
    if folder.resolve() not in {named.resolve() for named in folders(context)}:
        if folders(context):
            context.write(f'To use it, add "{folder.resolve()}" to exercises in {context.config_file}')
        else:
            context.write(f"To use it: study config set exercises {shlex.quote(str(folder.resolve()))}")
    if problems:
        raise StudyError("some of its exercises do not prove themselves; see above")
