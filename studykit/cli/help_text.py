"""`study --help` as Typer writes it, kept as text: Typer's import takes longer than all else of it.

A test holds the text to Typer's own, and prints that where they differ.
"""

from studykit.cli.context import Context

COLUMNS = 80
"""What the text has room in, and all that Typer takes; on a narrower terminal it breaks the lines itself."""

TEXT = """\
Usage: study [OPTIONS] COMMAND [ARGS]...

  Learn to count the cost of language models, a few minutes a day.

    study                        what is due, and what to do next
    study review                 today's cards
    study exercise napkin-math   estimates with fresh numbers

Options:
  --version       Show the version.
  --db URL        Database: a path or an SQLAlchemy URL (else STUDYKIT_DB).
  --config FILE   Configuration file (else STUDYKIT_CONFIG).
  --learner NAME  Whose log (else STUDYKIT_LEARNER); on a server: the role.
  --json          One JSON document on standard output.
  -h, --help      Show this message and exit.

Commands (study help commands has a line on each):
  every day   review due plan stats undo
  exercises   exercise quiz grade time device
  your cards  find show answer add edit card deck check
  in and out  import export sync class backup
  set up      config doctor help completion
"""


def write_help(context: Context) -> int | None:
    """The exit code; None where the terminal has no room for the text as it stands."""
    if (context.columns or COLUMNS) < COLUMNS:
        return None
    context.stdout.write(TEXT)
    return 0
