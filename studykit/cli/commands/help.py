"""`study help`: a page on each thing that no single command's help can explain."""

import re
from collections.abc import Callable, Mapping
from difflib import get_close_matches
from typing import TYPE_CHECKING, Annotated

import typer

from studykit.cli.app import VERBS_BY_GROUP, listed
from studykit.cli.context import Context, context_of
from studykit.cli.display import WIDEST
from studykit.cli.options import Plain
from studykit.errors import NotFoundError

if TYPE_CHECKING:
    from rich.console import RenderableType

_MIN_COLUMNS = 60  # columns under which a page is only broken into lines
_EXPLANATION = re.compile(r"(?P<word>\s+\S.*?)\s{2,}(?P<means>\S.*)")


def _topics(incomplete: str) -> list[str]:
    """What the Tab key completes a topic to."""
    return [topic for topic in TOPICS if topic.startswith(incomplete)]


Topic = Annotated[
    str | None,
    typer.Argument(metavar="[TOPIC]", help="One of the topics; none lists them.", autocompletion=_topics),
]


def register(app: typer.Typer) -> None:
    """Add the verb."""
    app.command("help")(help_)


def help_(ctx: typer.Context, topic: Topic = None, _plain: Plain = False) -> None:  # its pages are plain lines
    """Explain keys, environment, exit codes, settings, decks, imports, finding, schedulers, figures and more."""
    context = context_of(ctx)
    if topic is None:
        context.write("Topics: " + ", ".join(TOPICS) + ".")
        context.write("Each command explains itself: study COMMAND --help")
        return
    if topic not in TOPICS:
        near = get_close_matches(topic, TOPICS, n=1)
        hint = f"did you mean {near[0]}?" if near else f"there are {', '.join(TOPICS)}."
        raise NotFoundError(f"there is no help on {topic!r}; {hint}")
    _write_page(context, TOPICS[topic]())


def _write_page(context: Context, page: str) -> None:
    """Print a page: on a terminal its title stands out, and so do the words that it explains.

    A pipe, a narrow terminal and plain mode get its text, broken between words.
    """
    columns = context.columns or WIDEST
    if not context.on_terminal or context.plain or columns < _MIN_COLUMNS:
        context.write(page, widest=WIDEST)
        return
    from rich.table import Table

    from studykit.cli.drawing import Drawing

    drawing = Drawing(context, columns=min(WIDEST, columns))
    title, *lines = page.split("\n")
    parts: list[RenderableType] = [drawing.title(title)]
    for line in lines:
        explanation = _EXPLANATION.fullmatch(line)
        if explanation is None:
            parts.append(drawing.text(line))
            continue
        grid = parts[-1]
        if not isinstance(grid, Table):
            grid = Table.grid(padding=(0, 2, 0, 0))
            grid.add_column(no_wrap=True)
            grid.add_column()
            parts.append(grid)
        grid.columns[0].min_width = max(grid.columns[0].min_width or 0, explanation.start("means") - 2)
        grid.add_row(drawing.text(explanation["word"], "key"), drawing.text(explanation["means"]))
    drawing.write(*parts)


def _commands() -> str:
    groups = (
        "\n".join([f"{group}:", *(f"  {name:<12}{line}" for name, line in listed(verbs).items())])
        for group, verbs in VERBS_BY_GROUP.items()
    )
    return "\n\n".join(["Commands, by what they are for", *groups, "Each explains itself: study COMMAND --help"])


def _keys() -> str:
    from studykit.terminal.review_layout import KEYS, TYPING

    rows = "\n".join(f"  {key:<9}{does}" for key, does in KEYS.items())
    typing = "\n".join(f"  {key:<9}{does}" for key, does in TYPING.items())
    return f"""Keys of a review

{rows}

Two buttons: --grades 2 (1 forgot, 2 knew it). SM-2's own six: --grades sm2 (0 to 5).

While you type an answer, letters are letters:

{typing}

In study exercise and study quiz, u or :undo takes the last answer back and asks its question again, with the \
same numbers; the log keeps both, and nothing counts it. In an exam nothing that was submitted can be taken back.

Change keys in the configuration, section [keys]: undo = "z", or preset = "vim" (h j k l grade).
Ctrl-C ends at once and Ctrl-Z pauses; every grade you have given is saved already."""


def _sm2() -> str:
    from studykit.scheduling import sm2
    from studykit.scheduling.memory import Grade

    first, second = sm2.FIRST_INTERVAL, sm2.SECOND_INTERVAL
    start, least = _ease(sm2.INITIAL_EASE), _ease(sm2.MINIMUM_EASE)
    gain, loss = _ease(sm2.ease_change(Grade.EASY)), _ease(-sm2.ease_change(Grade.HARD))
    return f"""SM-2, and how its open points are decided (profile {sm2.PROFILE})

  intervals    {first} day, then {second}, then the last interval times the ease, rounded up
  ease         {start} at first; easy adds {gain}, good nothing, hard takes {loss}; never below {least}
  which ease   the one from before the review, as in SuperMemo's own source
  failure      the next interval is {first} day again and the ease stays; then {first}, {second} and on, as if new
  same day     what scores below good comes back until it is good; these answers change nothing
  late         the interval counts from the day of the review, not from the day it was due
  early        asking ahead of time (--cram) is logged and changes nothing
  longest      {sm2.LONGEST_INTERVAL:,} days

Again, hard, good and easy are SM-2's 1, 3, 4 and 5. Ease is counted in whole hundredths, so a schedule is the \
same on every machine. `w` in a review, or study show CARD, gives the arithmetic for a card."""


def _fsrs() -> str:
    from studykit.scheduling.event_kinds import FSRS
    from studykit.scheduling.fsrs import Fsrs
    from studykit.scheduling.sm2 import LONGEST_INTERVAL

    scheduler = Fsrs()
    firsts = ", ".join(str(scheduler.interval(scheduler.first(grade)[0])) for grade in (1, 3, 4, 5))
    return f"""FSRS-6 beside SM-2 (profile {FSRS})

  study config set scheduler fsrs-6     tells what moves, asks, and plans by FSRS from then on
  study config set scheduler sm2-text   back again: every day is as it would have been, nothing is lost
  study config set fsrs.retention 85    the recall that you want on the day a card is due; 90 unless you say
  study config set fsrs.parameters ...  your own 21 numbers, between commas; the published ones unless you say
  study stats --compare                 both on your own log: how well each predicts, and the load to come

  two numbers  stability, the days after which nine of ten such cards are still recalled; difficulty, 1 to 10
  intervals    until recall has fallen to what you want; {firsts} days after a first again, hard, good, easy
  grades       0, 1 and 2 are FSRS's again; 3 is hard, 4 good, 5 easy
  days         whole study days, no learning steps, nothing at random
  same day     what scores below good comes back until it is good, as under SM-2; these answers change nothing
  early        asking ahead of time (--cram) is logged and changes nothing
  change       an answer says in the log which scheduler asked, and counts as a review for both ever after
  from SM-2    the whole log is replayed; a card without a log starts from its interval and ease
  longest      {LONGEST_INTERVAL:,} days

FSRS tells far better than SM-2 which cards are about to be forgotten. It counts with powers in floating point: \
two machines may differ by a day in an interval. Pages plan by SM-2; what was done on one counts in both."""


def _ease(hundredths: int) -> str:
    return f"{hundredths / 100:.2f}"


def _environment() -> str:
    return """Environment

  STUDYKIT_DB        the database: a path or an SQLAlchemy URL; as --db
  STUDYKIT_LEARNER   whose log; as --learner
  STUDYKIT_DECKS     more deck files and folders, separated as in PATH
  STUDYKIT_CONFIG    the configuration file; as --config
  STUDYKIT_PLAIN     on: plain lines instead of a screen
  STUDYKIT_GLYPHS    ascii or unicode
  STUDYKIT_EDITOR    the editor; else VISUAL, EDITOR, nano, vi
  STUDYKIT_NO_COLOR  on: no colours, as NO_COLOR
  STUDYKIT_WORKER    off: no worker that keeps torch imported between two grades
  STUDYKIT_BACKUP    off: no backups by themselves
  STUDYKIT_DEBUG     on: a traceback where something goes wrong, as --debug
  STUDYKIT_NOW       a fixed moment (ISO 8601), for tests and documentation
  STUDYKIT_SEED      a fixed seed for exercises, for tests and documentation

A switch is on unless it is empty, 0, false, no or off. A flag wins over the environment, the environment \
over the configuration. `--db`, `--config` and `--json` mean the same before a verb and behind it. Honoured too: \
NO_COLOR, TERM=dumb, TZ, XDG_CONFIG_HOME, XDG_DATA_HOME."""


def _exit_codes() -> str:
    return """Exit codes

    0  done; also q in a session, and nothing due
    1  an honest no: wrong answer, failed check, nothing found, problems found
    2  a usage error, or no terminal for a session without --plain
    3  no such deck, card or exercise
    4  the database stayed busy past the waiting time
    5  bad data: a deck, an answer or a database that does not parse
    6  something is missing: torch, a GPU, an editor, a sandbox that holds
   70  a bug in studykit; a traceback was saved
  130  Ctrl-C, 143 SIGTERM, 129 SIGHUP; everything you answered is saved"""


def _config() -> str:
    from studykit.config import SETTINGS

    rows = "\n".join(f"  {key.name:<21}{key.help} (default: {_shown(key.default)})" for key in SETTINGS)
    return f"""Configuration: one TOML file, shown by `study config path`

{rows}
  keys.ACTION          the key of an action of the review: see `study help keys`

Read and change it with `study config get KEY` and `study config set KEY VALUE`, or in your editor."""


def _shown(value: object) -> str:
    match value:
        case bool():
            return "true" if value else "false"
        case str():
            return value or "empty"
        case list():
            return ", ".join(map(str, value)) or "none"
        case _:
            return str(value)


def _accessibility() -> str:
    return """Accessibility

Plain mode says everything in labelled lines and reads lines ended by Enter. Nothing is redrawn, no cursor \
moves, tables and pictures become sentences. Turn it on with --plain, with STUDYKIT_PLAIN=1 or with \
`study config set ui.mode plain`; its first line says that it is on and why. It also works through pipes.

On a screen, text has your terminal's own colours; weight and words carry the meaning, colour only repeats it. \
NO_COLOR takes colours away, STUDYKIT_GLYPHS=ascii the signs beyond ASCII. 40 columns are enough."""


def _format() -> str:
    return """The deck format: Markdown files

  ---
  name = "Counting the cost"        TOML front matter: name, description, objectives, license, url, lang
  ---
  Q: What does (m,k)@(k,n) cost? {#matmul-flops .flops}
  A: $2mnk$ FLOPs.

  C: A step costs about [6] FLOPs per parameter per token. {#six-nd .flops}

  E: flops.train_total {#scope-a-run}       an exercise as a card, with fresh numbers each time
  check: 6*7e9*2e12 = 8.4e22 FLOP           a note's last line; `study check` recomputes it

  Q: Which of these move no bytes?           a choice: one right option or several, mixed at each showing
  - [x] transpose                            right
  - [ ] contiguous() # it copies             wrong, and why; typed by number or letter, such as 1 3
  A: Both change strides alone.              said afterwards; may be left out

Cards end where the next one begins or at a line of ---. {#id} keeps a card's progress when you edit it, \
.typed asks for the answer to be typed, .reversed adds the card the other way round, source="Title, year" says \
where a fact is from. Tags are a hierarchy: --tag maths takes .maths.sets too.

Text around notes is prose and asks nothing. A note that cannot be read costs itself only: the others are asked.

Math is $...$, $$...$$ and \\(...\\), as in hashcards. \\[ that begins a line of its own, with its \\] at the end \
of a line, is displayed math; everywhere else \\[ and \\] are brackets. TeX that is not known is shown as TeX. \
A * between two letters or digits is a product: 6*7*2. \
![](a.mp3) and ![](a.mp4) are links in a terminal and are played on pages.

Write cards with `study add`, add decks with `study deck add FILE`, look for mistakes with `study check FILE`; \
`study check FILE --fix` mends what is certain: missing ids, line ends, the bracket of an interval."""


def _find() -> str:
    return """Finding cards: study find WORDS, or study find -i for a list that narrows as you type

  roofline gpu           cards with both words, or parts of them, anywhere: question, answer, tags, id
  "memory bound"         these words in this order
  deck:french            cards of a deck, by a part of its name
  tag:verb               cards with a tag; of net.tcp also by tag:net; tag:net::tcp is the same
  is:due                 also is:new, is:leech, is:suspended, is:buried, is:flagged
  lapses>3               also ease<2, interval>=30 (days); <, <=, =, >=, >
  house -is:new          not: a minus before a term, here inside of quotation marks for the shell
  mitosis OR meiosis     either; AND needs no word

Capitals and accents make no difference. Wherever a command takes a card, it takes the first letters of its id or \
words that mean one card; of several you choose by number. `study card suspend --query 'deck:french is:leech'` \
takes all that are found; --dry-run shows them first.

Cards come in deck order. Of 500 or more the first that are met are listed; more words or -n narrow or widen that.

In the list letters narrow it and Enter shows a card; there e edits it, @ suspends, - buries, * flags, u undoes."""


def _sync() -> str:
    from studykit.sync.folder import SEGMENT

    return f"""Sync: one log on every machine

On each machine: study sync ~/Dropbox/study, or any folder that Syncthing, Dropbox, git or a stick carries. \
`study config set sync_folder FOLDER` does it before and after each review. Decks and settings are files: let git \
carry them. Never put the database itself into such a folder.

A folder holds the log of one learner. `study sync` asks once in a terminal about another name than those in \
learner.txt, and refuses it in a script; you may add a name of yours there by hand, on a line of its own. Your \
name is the setting `learner`, else your login.

What is in the folder

  learner.txt                      the names of its learner, one a line
  log/DEVICE/name.txt              what the machine is called (setting machine_name)
  log/DEVICE/000000000001.jsonl    its events 1 to {SEGMENT:,}; the next file begins with {SEGMENT + 1:,}

A machine adds to files in its own folder alone and reads all others; a full file never changes. Files that a \
synchroniser puts aside (NAME.sync-conflict-..., NAME (conflicted copy ...)) are read too, if they end in .jsonl.

A line is an event: eight hexadecimal digits in lower case, the CRC-32 of what follows the space; a space; one \
JSON object in UTF-8; a newline. The object has `device`, `seq` (1, 2, 3, without gaps) and the columns of the \
log: id (a UUID), kind, card_id, moment (microseconds UTC), day (the study day), zone, origin; where they hold \
something, grade, took_ms, profile, target, template, version, seed, parameters, answer, verdict, slips (one a \
line).

  no newline yet       being written; read next time
  wrong checksum       left out and told; `study sync --again` on its machine gives it once more
  a gap in seq         not here yet; what is here is taken
  an unknown kind      from a newer version: left there, and taken after the upgrade
  one seq, two texts   two machines write as one, as after a copied disk: both are read, each takes a new name

The union of all lines, ordered by moment and id, is the log. What is known of a card follows from it, so the \
same is known everywhere, whatever order the files came in and however wrong a clock is."""


def _class() -> str:
    from studykit.classroom.membership import CACHES, LOG

    return f"""A class: one PostgreSQL server, a role for each member

What the server has to have: PostgreSQL 13 or later, an empty database that you own (createdb course), and for \
you the right to create roles. For members from elsewhere its pg_hba.conf lets them in, such as by \
`hostssl course all 0.0.0.0/0 scram-sha-256`.

  study class create URL        tables, groups DATABASE_students and DATABASE_staff, rights; again after an upgrade
  study class add ROSTER.csv    a role for each line, and what to hand out; again where the roster has grown
  study class remove LOGIN      out at once; log and name stay
  study class export FOLDER     a copy of progress for each learner, for the staff and the owner

A roster is CSV in UTF-8 whose first line names its columns: login, and role where somebody is staff. Others are \
passed over. A login is what everybody on the server can see, so take a code where names are to stay unknown.

A student studies as always and runs `study sync postgresql://LOGIN@HOST/DATABASE`, by hand or at each review \
(setting sync_folder). A password goes into ~/.pgpass, a line HOST:PORT:DATABASE:LOGIN:PASSWORD, chmod 600.

  who        {LOG:<16}{", ".join(CACHES)}
  student    read, add       own rows: read, add, change, remove
  staff      read all        read all
  owner      migrates, and studies as `me`

A pooler such as pgbouncer may stand between, in transaction mode: nothing is kept in a session."""


def _symbols() -> str:
    from studykit.cards.symbols import FILE, page, read_symbols
    from studykit.paths import decks

    symbols, _ = read_symbols((decks() / FILE).read_text(encoding="utf-8"), FILE)
    return f"""Symbols: what a letter stands for in every formula of the course

{page(symbols)}

In code a letter is the name of an axis or a variable, as its pattern says. A {FILE} beside decks of your own \
holds them to letters of yours, by `study check --strict`."""


def _import() -> str:
    return """Cards of other programs: study import, study export

What comes in becomes decks of yours: a folder of Markdown, a file for each deck, media beside them. A note's id \
is made from its id there, so the same file again brings nothing, and a newer one its new notes and answers. A \
note that is here before keeps the text that it has here.

  Anki       .apkg and .colpkg. A card of a note type of your own is what its templates make of the fields. Gaps \
of one number, gaps inside gaps and gaps with an extra text become a question for each number.
  Obsidian   a vault or a note: question::answer, question:::answer, ? and ?? between lines, ==gaps==. A tag \
#flashcards/a/b names the deck a::b of what follows it; else a note is its own deck.
  a table    CSV or TSV. A row of names is told by its words (front, question, term; back, answer, definition; \
tags; deck; id); without one the first column is the question and the second the answer.

Answers there become answers in your log, under the same ids every time: again 1, hard 3, good 4, easy 5. SM-2 \
is worked out from them. Where there is a state and no answers, or with --due-days, an event `adopt` sets \
repetition, interval, ease and the day of the last review as they were. `study show CARD` shows it in the history.

What goes out to Anki has our ids as guids for ever. Anki takes newer texts of notes it knows; schedules and \
answers it takes of cards alone that are new to it. To bring what you answer there, import its collection again."""


def _stats() -> str:
    from studykit.scheduling.figure_definitions import DEFINITIONS

    width = max(map(len, DEFINITIONS)) + 2
    rows = "\n".join(f"  {name:<{width}}{meaning}" for name, meaning in DEFINITIONS.items())
    return f"""The figures of study stats: on the screen, in a pipe, with --json and on the page of --html

{rows}

study stats --html FILE writes a year at a glance: one page that opens in any browser, without a network. \
study stats --compare holds SM-2 and FSRS against your own log."""


def _timing() -> str:
    return """Timing bets, and what is measured

  measured     one call, the caches emptied before it and the memory kept; what a bet is about
  by itself    the same calls one behind the other, as in a loop of yours or torch.utils.benchmark:
               the caches as they are, large memory given back after each call
  first touch  what this costs more: the system clears each new page at its first use
  eager        the bound of all operations one after another, each the longest of its FLOPs, its
               bytes and its start
  fused        the bound of one operation that reads every input and writes every output once
  reached      FLOPs or bytes of the snippet, by the time measured

When a large tensor is freed the C library gives its memory back to the system (always from 32 MiB
on), and the next call pays a page fault for each new page: adding two arrays of 64 MB takes three to
four times as long as the memory needs. It is no property of the operation (out= and operations in
place do without) and it hides what binds it, so while a bet is measured the memory is kept. A GPU's
allocator always keeps it, so there the line is missing.

A bet within 1.25x is easy, 2x good, 4x hard, no better than hard for the wrong reason; below a wrong
one stands the cost that it forgot. A machine that is busy or changed its speed scores nothing."""


TOPICS: Mapping[str, Callable[[], str]] = {
    "commands": _commands,
    "keys": _keys,
    "environment": _environment,
    "exit-codes": _exit_codes,
    "config": _config,
    "accessibility": _accessibility,
    "format": _format,
    "find": _find,
    "import": _import,
    "sm2": _sm2,
    "fsrs": _fsrs,
    "sync": _sync,
    "class": _class,
    "stats": _stats,
    "symbols": _symbols,
    "timing": _timing,
}
"""The pages by name."""
