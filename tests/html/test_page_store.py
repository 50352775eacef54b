"""Progress in a browser: nothing that was kept is overwritten, lost in silence or taken for something else."""

import json

import pytest
from page_script import PageScript

PAGE = """
let full = false, blind = false;
const kept = {};
const localStorage = new Proxy(kept, {
  set: (target, key, text) => {
    if (full) throw new Error("QuotaExceededError");
    target[key] = text;
    return true;
  },
  ownKeys: (target) => (blind ? [] : Reflect.ownKeys(target)),
});
const crypto = { getRandomValues: (bytes) => bytes.map(() => Math.floor(Math.random() * 256)) };
const answer = (card, n = 0) => ({
  id: uuid7(Date.now()), kind: "answer", card, moment: 1e15 + n, day: 20780, zone: "UTC", took_ms: 5, grade: 4,
});
const cards = (store) => store.read().map((e) => e.card).sort();
"""


@pytest.fixture
def engine() -> PageScript:
    return PageScript("sm2.js", "log.js", "store.js", before=PAGE)


def test_what_two_pages_keep_side_by_side_is_read_by_both(engine: PageScript) -> None:
    script = """
        const one = new Store("d"), other = new Store("d");
        one.add(answer("a")); other.add(answer("b")); one.add(answer("c"));
        [cards(one), cards(other), cards(new Store("d")), cards(new Store("e"))]
    """

    assert engine.value(script) == [["a", "b", "c"]] * 3 + [[]]


def test_a_page_that_is_shown_an_empty_store_overwrites_nothing(engine: PageScript) -> None:
    script = """
        new Store("d").add(answer("a"), answer("b"));
        blind = true;
        const late = new Store("d"), seen = late.read().length;
        late.add(answer("c"));
        blind = false;
        [seen, cards(late), cards(new Store("d"))]
    """

    assert engine.value(script) == [0, ["a", "b", "c"], ["a", "b", "c"]]


def test_what_an_older_page_kept_under_the_deck_s_name_is_read_and_left_as_it_is(engine: PageScript) -> None:
    script = """
        kept["studykit:v1:d"] = copyOf([answer("a")]);
        const before = kept["studykit:v1:d"], store = new Store("d");
        store.read(); store.add(answer("b"));
        [cards(store), kept["studykit:v1:d"] === before]
    """

    assert engine.value(script) == [["a", "b"], True]


def test_a_save_that_fails_is_told_and_made_good_by_the_next(engine: PageScript) -> None:
    script = """
        const store = new Store("d");
        full = true;
        const first = !!store.add(answer("a")), held = cards(store);
        full = false;
        const second = !!store.add(answer("b"));
        [first, held, second, cards(new Store("d"))]
    """

    assert engine.value(script) == [False, ["a"], True, ["a", "b"]]


@pytest.mark.parametrize(
    ("text", "later"),
    [
        ('{"schema":2,"kind":"studykit-progress"}', True),
        ('{"schema":12}', True),
        ('{"schema":1,"kind":"studykit-progress","events":[]}', False),
        ("[[[", False),
        ("", False),
    ],
)
def test_a_later_store_is_known_and_no_other_is_taken_for_one(engine: PageScript, text: str, later: bool) -> None:  # noqa: FBT001
    script = f"""
        kept["studykit:v1:d"] = {json.dumps(text)};
        const store = new Store("d");
        store.read(); store.add(answer("a"));
        [store.later, kept["studykit:v1:d"]]
    """

    assert engine.value(script) == [later, text]


def test_starting_over_on_one_page_is_heard_by_another_and_spares_other_decks(engine: PageScript) -> None:
    script = """
        const one = new Store("d"), other = new Store("d");
        one.add(answer("a")); other.add(answer("b")); new Store("d 2").add(answer("x"));
        one.wipe();
        const heard = [cards(one), cards(other)];
        other.add(answer("c"));
        [heard, cards(one), cards(new Store("d 2"))]
    """

    assert engine.value(script) == [[[], []], ["c"], ["x"]]


def test_no_answer_is_lost_whatever_pages_come_go_and_see(engine: PageScript) -> None:
    script = """
        let pages = [new Store("d")], given = 0, seed = 7;
        const random = (below) => (seed = (seed * 48271) % 2147483647) % below;
        for (let n = 0; n < 400; n++) {
          blind = random(3) === 0;
          if (!random(6)) pages.push(new Store("d"));
          if (!random(9)) pages = pages.slice(-3);
          const page = pages[random(pages.length)];
          page.read();
          if (!random(5) && page.kept) page.turn();
          page.add(answer("c" + given++, given));
        }
        blind = false;
        [given, new Store("d").read().length]
    """

    answers, stored = engine.value(script)
    assert answers == stored == 400


def test_ids_are_of_version_seven_and_begin_with_their_time(engine: PageScript) -> None:
    ids = engine.value("Array.from({ length: 50 }, () => uuid7(1763900000000))")

    assert len(set(ids)) == 50
    assert engine.value("uuid7(1763900000000).replace(/-/g, '').slice(0, 12)") == f"{1763900000000:012x}"
    assert engine.value(
        f"{json.dumps(ids)}.every((id) => id[14] === '7' && '89ab'.includes(id[19]) && "
        "eventOf({ id, kind: 'reset', card: 'a', moment: 0, zone: 'UTC', day: '2026-11-23' }))",
    )
