"""One review: next card, log, cache, commit, at full durability; beside Anki's library doing the same.

STUDYKIT_ANKI_PYTHON=.../python python tests/benchmarks/bench_review.py --cards 10000 --reviews 100000
"""

import json
import shutil
import subprocess
import sys
import time
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from measure import ANKI, Timed, arguments, report
from sample import TODAY, open_sample, sample

from studykit.scheduling.events import EventKind
from studykit.scheduling.memory import Grade

ROUNDS = 5
REVIEWS = 200
ANKI_REVIEWS = """
import json, os, sys, time
from anki.collection import Collection
path, cards, reviews = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
fresh = not os.path.exists(path)
collection = Collection(path)
if fresh:
    basic = collection.models.by_name("Basic")
    from anki.collection import AddNoteRequest
    requests = []
    for number in range(cards):
        note = collection.new_note(basic)
        note["Front"], note["Back"] = f"What is item {number}?", f"About {number} FLOPs."
        requests.append(AddNoteRequest(note, deck_id=1))
    collection.add_notes(requests)
    config = collection.decks.config_dict_for_deck_id(1)
    config["new"]["perDay"] = config["rev"]["perDay"] = 9999
    collection.decks.update_config(config)
    today = collection.sched.today
    collection.db.execute(
        "update cards set type=2, queue=2, ivl=30, factor=2500, reps=4, due=? + (id % 200) - 20 "
        "where id % 5 > 0", today)
spent = []
for _ in range(reviews + 1):
    start, used = time.perf_counter(), time.process_time()
    queued = collection.sched.get_queued_cards(fetch_limit=1).cards[0]
    card = collection.get_card(queued.card.id)
    card.start_timer()
    card.question(), card.answer()
    answer = collection.sched.build_answer(card=card, states=queued.states, rating=2)
    collection.sched.answer_card(answer)
    spent.append(((time.perf_counter() - start) * 1000, (time.process_time() - used) * 1000))
collection.close()
print(json.dumps(spent[1:]))
"""


def ours(path: Path) -> list[tuple[float, float]]:
    """Milliseconds of each review, by the clock and of the processor: text, memory, and the answer on disk."""
    with open_sample(path) as store:
        store.log._clock = lambda: datetime.now(UTC).replace(year=TODAY.year, month=TODAY.month, day=TODAY.day)
        due = store.schedule.agenda(TODAY).due
        spent = []
        for card in due[: REVIEWS + 1]:
            start, used = time.perf_counter(), time.process_time()
            shown = store.cards.card(card)
            memory = store.schedule.memory(card)
            store.log.record(EventKind.ANSWER, card, grade=Grade.GOOD, took_ms=3000)
            spent.append(((time.perf_counter() - start) * 1000, (time.process_time() - used) * 1000))
            if shown is None or not memory:
                raise RuntimeError(f"{card} is not there")
    return spent[1:]


def anki(interpreter: str, path: Path, cards: int) -> list[tuple[float, float]]:
    """The same by Anki, in a collection made for it."""
    path.unlink(missing_ok=True)
    said = subprocess.run(
        [interpreter, "-c", ANKI_REVIEWS, str(path), str(cards), str(REVIEWS)],
        capture_output=True,
        text=True,
        check=True,
        timeout=300,
    )
    return [(float(wall), float(cpu)) for wall, cpu in json.loads(said.stdout.splitlines()[-1])]


def added(timed: Timed, more: list[tuple[float, float]]) -> Timed:
    """The measurements with more of them."""
    wall, cpu = zip(*more, strict=True)
    return replace(timed, ms=(*timed.ms, *wall), cpu_ms=(*timed.cpu_ms, *cpu))


def main() -> None:
    chosen = arguments(__doc__ or "")
    kept = sample(chosen.folder, chosen.cards, chosen.reviews)
    theirs = Timed("Anki's library, one review", ())
    mine = Timed("studykit, one review", ())
    for number in range(ROUNDS):
        path = chosen.folder / f"review-run-{number}.db"
        shutil.copyfile(kept, path)
        mine = added(mine, ours(path))
        path.unlink()
        if ANKI:
            theirs = added(theirs, anki(ANKI, chosen.folder / f"review-{chosen.cards}.anki2", chosen.cards))
    sys.stdout.write(f"{chosen.cards} cards, {chosen.reviews} reviews; {ROUNDS} x {REVIEWS} reviews\n")
    if theirs.ms:
        report([theirs, mine], theirs)
        sys.stdout.write(f"at p99 {mine.p99 / theirs.p99:.2f} x\n")
    else:
        report([mine])


if __name__ == "__main__":
    main()
