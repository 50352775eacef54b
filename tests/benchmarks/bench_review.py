"""Time one review at full durability (next card, log, cache, commit), alternating with Anki's library."""

import json
import shutil
import subprocess
import time
from datetime import UTC, datetime
from pathlib import Path

from measure import ANKI, Timed
from sample import TODAY, open_sample

from studykit.scheduling.event_kinds import EventKind
from studykit.scheduling.recall_grade import Grade

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
    start = time.perf_counter()
    queued = collection.sched.get_queued_cards(fetch_limit=1).cards[0]
    card = collection.get_card(queued.card.id)
    card.start_timer()
    card.question(), card.answer()
    answer = collection.sched.build_answer(card=card, states=queued.states, rating=2)
    collection.sched.answer_card(answer)
    spent.append((time.perf_counter() - start) * 1000)
collection.close()
print(json.dumps(spent[1:]))
"""


def reviews(sample_path: Path, folder: Path, cards: int) -> tuple[Timed, Timed | None]:
    """Time reviews of a sample, and of as many cards in Anki's library, or None without that library."""
    ours, anki = list[float](), list[float]()
    path = folder / "review-run.db"
    for _ in range(ROUNDS):
        shutil.copyfile(sample_path, path)
        ours += studykit_reviews(path)
        path.unlink()
        if ANKI:
            anki += anki_reviews(folder / f"review-{cards}.anki2", cards)
    return Timed(tuple(ours)), Timed(tuple(anki)) if anki else None


def studykit_reviews(path: Path) -> list[float]:
    """Return the milliseconds of each review: read text and memory, write the answer. Checkpoints are untimed."""
    with open_sample(path) as store:
        store.log._clock = lambda: datetime.now(UTC).replace(year=TODAY.year, month=TODAY.month, day=TODAY.day)
        spent = []
        for card in store.schedule.agenda(TODAY).due[: REVIEWS + 1]:
            start = time.perf_counter()
            text = store.cards.card(card)
            memory = store.schedule.memory(card)
            store.log.record(EventKind.ANSWER, card, grade=Grade.GOOD, took_ms=3000)
            spent.append((time.perf_counter() - start) * 1000)
            store.checkpoint()
            if text is None or not memory:
                raise RuntimeError(f"The sample lacks the card {card!r} or its memory.")
    return spent[1:]


def anki_reviews(path: Path, cards: int) -> list[float]:
    """Return the milliseconds of each review by Anki's library, in a new collection."""
    path.unlink(missing_ok=True)
    words = [str(ANKI), "-c", ANKI_REVIEWS, str(path), str(cards), str(REVIEWS)]
    result = subprocess.run(words, capture_output=True, text=True, check=True, timeout=300)
    return [float(each) for each in json.loads(result.stdout.splitlines()[-1])]
