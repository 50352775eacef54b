"""`study doctor`: does everything work here, and is the cache what the log says?"""

from typing import Annotated

import typer

from studykit.cli.context import context_of
from studykit.cli.health import checks
from studykit.cli.options import Json

Fix = Annotated[bool, typer.Option("--fix", help="Make the cache again from the log.")]


def register(app: typer.Typer) -> None:
    """Add the verb."""
    app.command("doctor")(doctor)


def doctor(ctx: typer.Context, fix: Fix = False, json: Json = False) -> None:
    """Check the database, the log against its cache, and the tools around them."""
    context = context_of(ctx)
    made = list(checks(context, fix=fix))
    problems = sum(not check.ok and not check.note for check in made)
    if json:
        shown = [{"name": check.name, "ok": check.ok, "detail": check.detail} for check in made]
        context.write_json({"checks": shown, "problems": problems})
    else:
        for check in made:
            sign = "ok  " if check.ok else "note" if check.note else "NO  "
            context.write(f"{sign}  {check.name:<10} {check.detail}")
    if problems:
        raise typer.Exit(1)
