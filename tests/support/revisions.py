"""The program as it was at an earlier revision of the database."""

import re
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from studykit import paths
from studykit.scheduling.review_rule import MemoryRow
from studykit.store import event_log, opening, rows, sql

_SINCE_0004 = ("stability", "difficulty", "sm2_interval")


def change(path: Path, *statements: str) -> None:
    """Change a database by statements of its own."""
    with closing(sqlite3.connect(path)) as connection:
        for statement in statements:
            connection.execute(statement)
        connection.commit()


@contextmanager
def only_revisions(last: str, folder: Path) -> Iterator[None]:
    """Databases made in here are of revision `last`."""
    there = folder / f"migrations-{last}"
    shutil.copytree(paths.migrations(), there, ignore=shutil.ignore_patterns("__pycache__"))
    for path in (there / "versions").iterdir():
        if path.name[:4] > last:
            path.unlink()
    with pytest.MonkeyPatch.context() as then:
        then.setattr(paths, "migrations", lambda: there)
        then.setattr(sql, "REVISION", last)
        then.setattr(opening, "make_tables", lambda _file: None)  # the migrations make them
        if last < "0007":
            _count_days_alone(then)
        if last < "0004":
            _forget_fsrs(then)
        if last < "0006":
            _share_cards(then)
        yield


def _count_days_alone(then: pytest.MonkeyPatch) -> None:
    """Let a tally be of a day and nothing else."""
    for name, query in list(vars(sql).items()):
        if isinstance(query, str) and re.search(r"\btally\b", query):
            then.setattr(sql, name, _of_days(query))


def _of_days(query: str) -> str:
    short = re.sub(r"VALUES \((:learner, :day, :hour, :grade.*?)\)\n", r"SELECT \1 WHERE :hour = -1\n", query)
    short = re.sub(r", \(:learner, :month.*?\)", "", short).replace(":day, -1, -1", ":day")
    short = short.replace("(learner, day, hour, grade", "(learner, day").replace(" AND hour = -1", "")
    return short.replace(":day, :hour, :grade", ":day")


def _share_cards(then: pytest.MonkeyPatch) -> None:
    """Let cards, deck files and ceilings be everybody's, as the tables have them."""
    for name, query in list(vars(sql).items()):
        if not isinstance(query, str) or name.startswith("__"):
            continue
        short = re.sub(r"\bc\.learner = [\w:.]+ AND ", "", query)
        short = re.sub(r"ON CONFLICT \(learner, (id|path|device, name)\)", r"ON CONFLICT (\1)", short)
        if re.search(r"(?:FROM|INTO|UPDATE) (?:card|deckfile|ceiling)\b(?! AS)", query):
            short = short.replace("(learner, ", "(").replace("(:learner, ", "(")
            short = short.replace("learner = :learner AND id", "id").replace("learner = :learner AND ", "")
            short = short.replace(" AND learner = :learner\n) THEN", "\n) THEN").replace(
                "WHERE learner = :learner", ""
            )
        then.setattr(sql, name, short)


def _forget_fsrs(then: pytest.MonkeyPatch) -> None:
    """Let a memory be read and written without the columns of FSRS."""
    for name, query in list(vars(sql).items()):
        if isinstance(query, str) and not name.startswith("__"):
            short = query
            for column in _SINCE_0004:
                for written in ("m.{}", ":{}", "{0} = :{0}", "{} = NULL", "{}"):
                    short = short.replace(f", {written.format(column)}", "")
            then.setattr(sql, name, short)

    def values(learner: str, card: str, memory: MemoryRow) -> rows.Columns:
        row_values = rows.memory_values(learner, card, memory)
        return {name: value for name, value in row_values.items() if name not in _SINCE_0004}

    then.setattr(event_log, "memory_values", values)
