"""Set up a class on a PostgreSQL server, change its members and report on them: `study class`."""

from collections.abc import Mapping
from contextlib import closing
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from studykit import paths
from studykit.cli.context import Context, context_of, refuse_password
from studykit.cli.display import replace_output
from studykit.cli.options import Json, OnlyDecks, given_day, write_result
from studykit.cli.progress_bar import progress
from studykit.errors import StudyError, UsageError
from studykit.ordinary_file import explaining, make_folder, write_fresh
from studykit.store.address import is_url
from studykit.text import counted, listed

if TYPE_CHECKING:
    from sqlalchemy import URL

    from studykit.classroom.membership import Membership
    from studykit.scheduling.class_report import ClassReport

Url = Annotated[
    str | None, typer.Argument(metavar="[URL]", help="Its database, such as postgresql://host/course; else --db.")
]
Roster = Annotated[
    Path, typer.Argument(metavar="ROSTER.csv", help="Columns login and, for staff, role (student or staff).")
]
Logins = Annotated[list[str], typer.Argument(metavar="LOGIN...", help="Members to remove.")]
Folder = Annotated[Path, typer.Argument(metavar="FOLDER", help="Folder for a file of each learner.")]
Out = Annotated[
    Path | None, typer.Option("--out", metavar="FOLDER", help="Write the handouts there, a file for each member.")
]
Host = Annotated[
    str | None,
    typer.Option("--host", metavar="HOST[:PORT]", help="The server as members reach it, if not as you do."),
]
Passwords = Annotated[
    bool, typer.Option("--passwords/--no-passwords", help="Make passwords, or rely on peer or certificates.")
]
Existing = Annotated[bool, typer.Option("--existing", help="Add roles that the server has already, unchanged.")]


Source = Annotated[
    str, typer.Argument(metavar="URL|FOLDER", help="The class's server, or a folder of progress files.")
]
Exam = Annotated[
    str | None, typer.Option("--exam", metavar="DATE", help="Predict what each student will recall on that day.")
]
Silent = Annotated[
    int, typer.Option("--silent", metavar="DAYS", min=1, help="Days without an answer that count as silent.")
]
Codes = Annotated[bool, typer.Option("--codes", help="Stable codes instead of names.")]
Public = Annotated[
    bool, typer.Option("--public", help="Leave out students, and lines about fewer than five of them.")
]
Page = Annotated[Path | None, typer.Option("--html", metavar="FILE", help="Write a page that needs nothing else.")]
Gradebook = Annotated[Path | None, typer.Option("--csv", metavar="FILE", help="Write a row for each student.")]
Whole = Annotated[bool, typer.Option("--all", help="Every student, card, exercise and slip.")]
Diagnosed = Annotated[
    bool, typer.Option("--diagnose", help="Grade wrong rewrites once more in the sandbox, for what is wrong.")
]
_MAX_DAYS = 400  # to an exam
_PRIVATE, _OPEN = 0o600, 0o644


def create(ctx: typer.Context, url: Url = None, json: Json = False) -> None:
    """Make a class in a database of yours. Do it again after an upgrade.

    You must own the database and be allowed to create roles. Members see only their own rows, staff read all.
    """
    context = context_of(ctx)
    with closing(_membership(context, url)) as members:
        members.create()
        database = members.shown
    lines = ["The class is ready. Add members with:", f'  study class add ROSTER.csv --db "{database}"']
    write_result(context, {"database": database}, lines, json=json)


def add(
    ctx: typer.Context,
    roster: Roster,
    out: Out = None,
    host: Host = None,
    passwords: Passwords = True,
    existing: Existing = False,
    json: Json = False,
) -> None:
    """Add everybody on a roster, and print what to hand out to each. Existing members are unchanged.

    A password is shown once, here or in the files of --out, and kept nowhere.
    """
    from studykit.classroom.membership import handout
    from studykit.classroom.roster import read_roster

    context = context_of(ctx)
    if json and passwords and out is None:
        raise UsageError("--json shows no passwords. Name a folder for the handouts with --out.")
    lines = read_roster(paths.expanded(roster))
    folder = _new_folder(out)
    with closing(_membership(context, None)) as members:
        results = members.add(lines, passwords=passwords, existing=existing)
        texts = {each.login: handout(members.url, each, host) for each in results if each.is_new}
        database = members.shown
    if folder is not None:
        _write_handouts(folder, texts)
    if json:
        documents = [{"login": each.login, "role": str(each.kind), "added": each.is_new} for each in results]
        context.write_json({"database": database, "members": documents})
        return
    for text in texts.values() if folder is None else ():
        context.copy(text)
    where = f" The handouts are in {folder}." if folder is not None else ""
    present = len(results) - len(texts)
    context.write(f"{counted(len(texts), 'member')} added, {present} already in the class.{where}")


def remove(ctx: typer.Context, logins: Logins, json: Json = False) -> None:
    """Remove members at once. Their logs stay, and their names are never given again."""
    context = context_of(ctx)
    with closing(_membership(context, None)) as members:
        members.remove(logins)
        database = members.shown
    message = f"{listed(logins)} left the class in {database}; what they recorded stays."
    write_result(context, {"database": database, "removed": logins}, [message], json=json)


def export(ctx: typer.Context, folder: Folder, json: Json = False) -> None:
    """Write a progress file for each learner, also for those who left. Only staff and the owner may do this."""
    from studykit.classroom.class_database import opened_class

    context = context_of(ctx)
    target = paths.expanded(folder).absolute()
    rows = []
    with opened_class(_url(context, None)) as class_:
        learners = class_.learners()
        with progress(context, "exporting", len(learners)) as bar:
            for row in class_.export(target):
                rows.append(row)
                bar.advance()
    documents = [{"learner": learner, "events": events} for learner, events in rows]
    total = counted(sum(events for _, events in rows), "event")
    message = f"{counted(len(rows), 'learner')} with {total} in {target}"
    write_result(context, {"folder": str(target), "learners": documents}, [message], json=json)


def report(
    ctx: typer.Context,
    source: Source,
    *,
    exam: Exam = None,
    decks: OnlyDecks = None,
    silent: Silent = 7,
    codes: Codes = False,
    public: Public = False,
    html: Page = None,
    csv: Gradebook = None,
    whole: Whole = False,
    diagnose: Diagnosed = False,
    json: Json = False,
) -> None:
    """Show where the students of a class stand. It names the cards, exercises and slips that stop them."""
    from studykit.cli.commands.class_report import class_report
    from studykit.cli.commands.class_view import class_page, document, gradebook, report_parts
    from studykit.cli.drawing import Drawing
    from studykit.scheduling.class_report import MIN_STUDENTS, for_everybody

    context = context_of(ctx)
    if public and (codes or csv is not None):
        raise UsageError("--public names no students. Leave out --codes and --csv.")
    today = context.today()
    exam_day = given_day("--exam", exam, today, today + timedelta(days=_MAX_DAYS)) if exam else None
    figures = class_report(
        context, source, exam_day, decks or (), silent_days=silent, codes=codes, diagnose=diagnose
    )
    if public:
        if figures.size < MIN_STUDENTS:
            size = counted(figures.size, "student")
            why = f"The class has {size}, and a public report needs {MIN_STUDENTS} or more"
            raise StudyError(f"{why}. Leave out --public, and keep the report to yourself.")
        figures = for_everybody(figures)
    words = _words(figures)
    if html is not None:
        replace_output(html, class_page(figures, words), mode=_OPEN if public else _PRIVATE)
    if csv is not None:
        replace_output(csv, gradebook(figures.students, figures.cards_of), mode=_PRIVATE)
    if json:
        context.write_json(document(figures))
    elif html is not None or csv is not None:
        names = " and ".join(str(file) for file in (html, csv) if file is not None)
        context.write(f"Wrote {names}.")
    else:
        drawing = Drawing(context)
        drawing.write(*report_parts(drawing, figures, words, whole=whole))


def _words(figures: "ClassReport") -> Mapping[str, str]:
    """Map slips to their names. Other wrong answers have no names."""
    from studykit.exercise.estimate.feedback import slip_names

    clusters = {cluster.name for exercise in figures.exercises for cluster in exercise.clusters}
    return slip_names({slip.slip for slip in figures.slips} | {name for name in clusters if " " not in name})


def _url(context: Context, url: str | None) -> "URL":
    """Return the class's URL: the one named, or that of --db and STUDYKIT_DB."""
    from studykit.classroom.class_server import server_url

    address = url or context.db or ""
    if url is None and not is_url(address):
        raise StudyError("A class is in a PostgreSQL database. Name it with --db postgresql://host/course.")
    refuse_password(url)
    return server_url(address)


def _membership(context: Context, url: str | None) -> "Membership":
    from studykit.classroom.membership import Membership

    return Membership(_url(context, url))


def _new_folder(out: Path | None) -> Path | None:
    if out is None:
        return None
    folder = paths.expanded(out).absolute()
    with explaining(f"{folder} cannot be made (", "). Name another folder.", StudyError):
        make_folder(folder, 0o700)
    return folder


def _write_handouts(folder: Path, texts: dict[str, str]) -> None:
    try:
        for login, text in texts.items():
            write_fresh(folder / f"{login}.txt", f"{text}\n".encode(), mode=0o600)
    except OSError as error:
        advice = (
            "The members were added, but not every handout was written. Remove them, then add them with --existing"
        )
        command = f"study class remove {' '.join(texts)}"
        raise StudyError(f"{folder} cannot be written ({error.strerror}). {advice}", command) from error


COMMANDS = {"create": create, "add": add, "remove": remove, "export": export, "report": report}
