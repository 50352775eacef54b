"""Run one task of the tests with Anki's own library, in its own Python, and print the result as JSON."""

import json
import random
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import anki.import_export_pb2 as messages  # type: ignore[import-not-found]
from anki.collection import Collection  # type: ignore[import-not-found]

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

SECONDS_A_DAY = 86_400


def make(folder: Path, notes: int, reviews: int) -> dict[str, object]:
    """Make and export a collection with every stock note type, and return counts of its content."""
    collection = Collection(str(folder / "made.anki2"))
    draw = random.Random(17)
    for number in range(10):
        picture = folder / f"plot {number}.png"
        picture.write_bytes(b"\x89PNG" + bytes([number]) * 100)
        collection.media.add_file(str(picture))
    _notes(collection, notes, draw)
    _past(collection, reviews, draw)
    counts = _counts(collection)
    _export(collection, folder / "newer.apkg")
    _export(collection, folder / "older.apkg", legacy=True)
    collection.export_collection_package(str(folder / "newer.colpkg"), include_media=True, legacy=False)
    return counts


def _notes(collection: Collection, count: int, draw: random.Random) -> None:
    types = {one["name"]: one for one in collection.models.all()}
    texts: dict[str, Callable[[int], Sequence[str]]] = {
        "Basic": lambda n: (f"What is <b>{n}</b> &lt; {n + 1}?", f'<img src="plot {n // 5 % 10}.png"> yes'),
        "Basic (and reversed card)": lambda n: (f"Wort {n}", f"word {n}"),
        "Basic (optional reversed card)": lambda n: (f"Satz {n}", f"sentence {n}", "y" if n % 2 else ""),
        "Basic (type in the answer)": lambda n: (f"type {n}", f"this {n}"),
        "Cloze": lambda n: (f"{{{{c1::River {n}}}}} joins {{{{c2::sea {n}::water}}}} at \\(x^{n}\\)", ""),
    }
    for number in range(count):
        name = list(texts)[number % len(texts)]
        note = collection.new_note(types[name])
        note.fields = list(texts[name](number))
        note.tags = draw.sample(["water", "word", "sum", "hard"], draw.randrange(3))
        collection.add_note(note, collection.decks.id(["Maths::Sums", "German", "Rivers"][number % 3]))


def _past(collection: Collection, reviews: int, draw: random.Random) -> None:
    ids = list(collection.find_cards(""))
    first = int(time.time()) - 400 * SECONDS_A_DAY
    rows = []
    for number in range(reviews):
        card, button = ids[number % len(ids)], draw.choice([1, 2, 3, 3, 3, 4])
        moment = (first + number // len(ids) * 40 * SECONDS_A_DAY) * 1000 + number
        rows.append((moment, card, -1, button, 10, 5, 2500, draw.randrange(60_000), 1))
    collection.db.executemany("insert into revlog values (?,?,?,?,?,?,?,?,?)", rows)
    collection.db.execute(
        "update cards set type = 2, queue = case when id % 17 = 0 then -1 else 2 end, ivl = 30, factor = 2300, "
        "due = ? + id % 30, reps = 4, flags = case when id % 13 = 0 then 2 else 0 end",
        collection.sched.today,
    )


def take(folder: Path, package: str) -> dict[str, object]:
    """Import a package into a collection, export that, and return counts of its content and of the import."""
    collection = Collection(str(folder / "taken.anki2"))
    options = messages.ImportAnkiPackageOptions(with_scheduling=True)
    began = time.perf_counter()
    log = collection.import_anki_package(
        messages.ImportAnkiPackageRequest(package_path=package, options=options)
    ).log
    seconds = time.perf_counter() - began
    _, sound = collection.fix_integrity()
    counts = _counts(collection)
    kinds = ("new", "updated", "duplicate", "conflicting", "missing_notetype", "missing_deck", "empty_first_field")
    done = {kind: len(getattr(log, kind)) for kind in kinds}
    _export(collection, folder / "again.apkg")
    return {**counts, **done, "seconds": seconds, "sound": sound}


def answer(folder: Path) -> dict[str, object]:
    """Answer every card of the collection that `take` made, export it again, and return counts of its content."""
    collection = Collection(str(folder / "taken.anki2"))
    for number in collection.find_cards(""):
        card = collection.get_card(number)
        card.start_timer()
        states = collection._backend.get_scheduling_states(number)
        answered = collection.sched.build_answer(card=card, states=states, rating=2)  # good
        collection.sched.answer_card(answered)
    _export(collection, folder / "again.apkg")
    return _counts(collection)


def _export(collection: Collection, file: Path, *, legacy: bool = False) -> None:
    """Export a whole collection with its schedule and media."""
    options = messages.ExportAnkiPackageOptions(with_scheduling=True, with_media=True, legacy=legacy)
    everything = messages.ExportLimit(whole_collection={})
    collection._backend.export_anki_package(out_path=str(file), options=options, limit=everything)


def _counts(collection: Collection) -> dict[str, object]:
    database = collection.db
    tags = database.all("select guid, tags from notes")
    media = Path(collection.media.dir())
    return {
        "notes": database.scalar("select count() from notes"),
        "cards": database.scalar("select count() from cards"),
        "reviews": database.scalar("select count() from revlog where ease > 0"),
        "suspended": database.scalar("select count() from cards where queue = -1"),
        "flagged": database.scalar("select count() from cards where flags > 0"),
        "tags": {guid: sorted(tags.split()) for guid, tags in tags},
        "fields": dict(database.all("select guid, flds from notes")),
        "order": database.list(
            "select guid from notes n join cards c on c.nid = n.id where c.type = 0 order by c.due"
        ),
        "played": _played(collection),
        "log": sorted(database.all("select id, ease, time from revlog where ease > 0")),
        "pictures": sorted(path.name for path in media.iterdir() if path.suffix == ".png"),
        "decks": sorted(deck.name for deck in collection.decks.all_names_and_ids()),
    }


def _played(collection: Collection) -> list[str]:
    """Return the names of all files that Anki plays on cards."""
    cards = [collection.get_card(number) for number in collection.find_cards("")]
    tags = [tag for card in cards for tag in (*card.question_av_tags(), *card.answer_av_tags())]
    return sorted({tag.filename for tag in tags})


if __name__ == "__main__":
    verb, home, *rest = sys.argv[1:]
    call = {"make": lambda: make(Path(home), *map(int, rest)), "take": lambda: take(Path(home), *rest)}
    call["answer"] = lambda: answer(Path(home))
    json.dump(call[verb](), sys.stdout)
