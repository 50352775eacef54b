"""Options that several verbs share, so that a flag has one name and one meaning everywhere."""

from typing import Annotated

import typer

Db = Annotated[
    str | None,
    typer.Option("--db", metavar="URL", help="Database: a path or an SQLAlchemy URL (else STUDYKIT_DB)."),
]
Json = Annotated[bool, typer.Option("--json", help="One JSON document on standard output.")]
Plain = Annotated[bool, typer.Option("--plain", help="Lines of text: for screen readers, pipes and CI.")]
