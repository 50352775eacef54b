"""`study doctor`: does everything work here, and is the cache what the log says?"""

from typing import Annotated

import typer

from studykit.cli.context import context_of
from studykit.cli.health import checks
from studykit.cli.health_check import Check
from studykit.cli.options import Json

Fix = Annotated[
    bool, typer.Option("--fix", help="Make the cache again from the log, or a new file from a damaged one.")
]
_SHOWN = 20


def register(app: typer.Typer) -> None:
    """Add the verb."""
    app.command("doctor")(doctor)


def doctor(ctx: typer.Context, fix: Fix = False, json: Json = False) -> None:
    """Check the database, the log against its cache, and the tools around them; repair with --fix."""
    context = context_of(ctx)
    made = list(checks(context, fix=fix))
    problems = sum(not check.ok and not check.note for check in made)
    if json:
        shown = [_document(check) for check in made]
        context.write_json({"checks": shown, "problems": problems})
    else:
        for check in made:
            sign = "ok  " if check.ok else "note" if check.note else "NO  "
            context.write(f"{sign}  {check.name:<10} {check.detail}")
            for line in check.lines[:_SHOWN]:
                context.write(f"      {'':<10} {line}")
            if (more := len(check.lines) - _SHOWN) > 0:
                context.write(f"      {'':<10} and {more:,} more; --json lists them all")
    if problems:
        raise typer.Exit(1)


def _document(check: Check) -> dict[str, object]:
    lines = {"lines": list(check.lines)} if check.lines else {}
    return {"name": check.name, "ok": check.ok, "detail": check.detail, **lines}
