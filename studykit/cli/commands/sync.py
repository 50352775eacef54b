"""`study sync`: one log on every machine, by a folder that anything carries or by the server of a class."""

from typing import Annotated

import typer

from studykit.cli.context import context_of
from studykit.cli.options import Json
from studykit.cli.sync_run import named_place, sync_with, told_remarks
from studykit.text import hide_passwords

Folder = Annotated[
    str | None,
    typer.Argument(metavar="[FOLDER|URL]", help="Where your machines meet; else the setting sync_folder."),
]
Again = Annotated[bool, typer.Option("--again", help="Read everything anew, and give again what was damaged.")]


def register(app: typer.Typer) -> None:
    """Add the verb."""
    app.command("sync")(sync)


def sync(ctx: typer.Context, folder: Folder = None, again: Again = False, json: Json = False) -> None:
    """Unite your log with those of your other machines, by a folder that a cloud, git or a stick carries.

    An address such as postgresql://you@host/course meets your class: what you recorded goes there, too.

    Do it on each machine, in any order, as often as you like. `study config set sync_folder FOLDER` does it at
    each review; `study help sync` says what is in the folder.
    """
    context = context_of(ctx)
    ask = context.interactive and not json
    done = sync_with(context, place := named_place(context, folder), again=again, ask=ask)
    if json:
        context.write_json(
            {
                "folder": hide_passwords(str(place)),
                "took": [
                    {"name": name, "reviews": share.reviews, "others": share.others}
                    for name, share in done.took.items()
                ],
                "gave": {"reviews": done.gave.reviews, "others": done.gave.others},
                "remarks": list(done.remarks),
                "new_origin": done.new_origin or None,
            }
        )
        return
    context.write(f"{done.sentence()}.")
    for remark in told_remarks(done):
        context.tell(f"study: {remark}")
