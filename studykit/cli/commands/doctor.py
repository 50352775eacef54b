"""`study doctor`: does everything work here, and is the cache what the log says?"""

from collections.abc import Sequence
from typing import Annotated

import typer

from studykit.cli.context import Context, context_of
from studykit.cli.health import checks, gpu_refusals
from studykit.cli.health_check import Check
from studykit.cli.options import Json

Fix = Annotated[
    bool, typer.Option("--fix", help="Make the cache again from the log, or a new file from a damaged one.")
]
Gpu = Annotated[bool, typer.Option("--gpu", help="Also name what the sandbox refuses while the GPU starts.")]
_SHOWN = 20


def register(app: typer.Typer) -> None:
    """Add the verb."""
    app.command("doctor")(doctor)


def doctor(ctx: typer.Context, fix: Fix = False, gpu: Gpu = False, json: Json = False) -> None:
    """Check the database, the log against its cache, and the tools around them; repair with --fix."""
    context = context_of(ctx)
    made = [*checks(context, fix=fix), *([gpu_refusals(context)] if gpu else [])]
    problems = sum(not check.ok and not check.note for check in made)
    if json:
        shown = [_document(check) for check in made]
        context.write_json({"checks": shown, "problems": problems})
    else:
        _draw(context, made)
    if problems:
        raise typer.Exit(1)


def _draw(context: Context, checks: Sequence[Check]) -> None:
    """A row for each check; a pipe gets the same words in the same columns."""
    from studykit.cli.drawing import Drawing

    drawing = Drawing(context)
    rows = []
    for check in checks:
        sign, style = ("ok", "right") if check.ok else ("note", "close") if check.note else ("NO", "wrong")
        more = len(check.lines) - _SHOWN
        told = [*check.lines[:_SHOWN], *([f"and {more:,} more; --json lists them all"] if more > 0 else [])]
        rows.append((drawing.text(sign, style), check.name, check.detail))
        rows += [(drawing.text(""), "", line) for line in told]
    drawing.write(drawing.rows(rows, least=(5, 10)))


def _document(check: Check) -> dict[str, object]:
    lines = {"lines": list(check.lines)} if check.lines else {}
    return {"name": check.name, "ok": check.ok, "detail": check.detail, **lines}
