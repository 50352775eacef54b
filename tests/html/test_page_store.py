"""Test that progress stored in a browser is not overwritten, lost silently or misread."""

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
const page = (course, moved) => new Store(course, [..."abcxyz"], moved);
const answer = (card, n = 0) => ({
  id: uuid7(Date.now()), kind: "answer", card, moment: 1e15 + n, day: 20780, zone: "UTC", took_ms: 5, grade: 4,
});
const cards = (store) => store.read().map((e) => e.card).sort();
"""


@pytest.fixture
def engine() -> PageScript:
    return PageScript("say.js", "sm2.js", "log.js", "store.js", before=PAGE)


def test_page_stores_of_one_deck_share_answers(engine: PageScript) -> None:
    script = """
        const one = page("d"), other = page("d");
        one.add(answer("a")); other.add(answer("b")); one.add(answer("c"));
        [cards(one), cards(other), cards(page("d")), cards(page("e"))]
    """

    assert engine.value(script) == [["a", "b", "c"]] * 3 + [[]]


def test_page_with_hidden_storage_overwrites_no_answers(engine: PageScript) -> None:
    script = """
        page("d").add(answer("a"), answer("b"));
        blind = true;
        const late = page("d"), seen = late.read().length;
        late.add(answer("c"));
        blind = false;
        [seen, cards(late), cards(page("d"))]
    """

    assert engine.value(script) == [0, ["a", "b", "c"], ["a", "b", "c"]]


def test_former_storage_keys_are_read_and_left_unchanged(engine: PageScript) -> None:
    script = """
        kept["studykit:v1:deck"] = copyOf([answer("a"), answer("foreign")]);
        kept["studykit:v1:other " + uuid7(1)] = copyOf([answer("b", 1)]);
        const before = JSON.stringify(kept), store = page("d");
        store.read(); store.add(answer("c"));
        const same = Object.entries(JSON.parse(before)).every(([key, text]) => kept[key] === text);
        [cards(store), cards(page("e")), same]
    """

    assert engine.value(script) == [["a", "b", "c"], ["a", "b"], True]


def test_a_former_page_that_answers_meanwhile_is_heard(engine: PageScript) -> None:
    script = """
        const store = page("d");
        store.read();
        const key = "studykit:v1:deck " + uuid7(1), first = answer("a");
        kept[key] = copyOf([first]);
        const heard = cards(store);
        kept[key] = copyOf([first, answer("b")]);
        [heard, cards(store)]
    """

    assert engine.value(script) == [["a"], ["a", "b"]]


def test_renamed_card_takes_over_events_by_relink(engine: PageScript) -> None:
    script = """
        page("d").add(answer("old"), answer("b", 1));
        const now = page("d", { old: "a" }), seen = cards(now);
        const links = now.log.filter((e) => e.kind === "relink").map((e) => [e.card, e.target]);
        [seen, links, now.read().length, page("d", { old: "a" }).read().length]
    """

    assert engine.value(script) == [["a", "a", "b"], [["a", "old"]], 3, 3]


def test_page_takes_a_copy_with_unknown_cards(engine: PageScript) -> None:
    script = """
        const store = page("d");
        store.add(answer("a"));
        const fresh = store.take([answer("b"), answer("to come")]), again = store.take(store.log);
        store.add(answer("c"));
        [fresh.length, again.length, cards(store), cards(page("d"))]
    """

    every = ["a", "b", "c", "to come"]
    assert engine.value(script) == [2, 0, every, every]


def test_a_copy_that_does_not_fit_adds_nothing(engine: PageScript) -> None:
    script = """
        const store = page("d");
        store.add(answer("a"));
        full = true;
        const fresh = store.take([answer("b")]) || null;
        full = false;
        [fresh, cards(store), cards(page("d"))]
    """

    assert engine.value(script) == [None, ["a"], ["a"]]


def test_failed_save_is_reported_and_repaired_by_next(engine: PageScript) -> None:
    script = """
        const store = page("d");
        full = true;
        const first = !!store.add(answer("a")), held = cards(store);
        full = false;
        const second = !!store.add(answer("b"));
        [first, held, second, cards(page("d"))]
    """

    assert engine.value(script) == [False, ["a"], True, ["a", "b"]]


def test_courses_do_not_see_each_other(engine: PageScript) -> None:
    script = """
        page("d").add(answer("a")); page("d 2").add(answer("b")); page("").add(answer("c"));
        [cards(page("d")), cards(page("d 2")), cards(page(""))]
    """

    assert engine.value(script) == [["a"], ["b"], ["c"]]


def test_page_stores_lose_no_answer_in_random_order(engine: PageScript) -> None:
    script = """
        let pages = [page("d")], given = 0, seed = 7;
        const random = (below) => (seed = (seed * 48271) % 2147483647) % below;
        for (let n = 0; n < 400; n++) {
          blind = random(3) === 0;
          if (!random(6)) pages.push(page("d"));
          if (!random(9)) pages = pages.slice(-3);
          const one = pages[random(pages.length)];
          one.read();
          one.add(answer("c" + given++, given));
        }
        blind = false;
        [given, page("d").read().length]
    """

    answers, stored = engine.value(script)
    assert answers == stored == 400


def test_event_ids_are_version_seven_with_leading_time(engine: PageScript) -> None:
    ids = engine.value("Array.from({ length: 50 }, () => uuid7(1763900000000))")

    assert len(set(ids)) == 50
    assert engine.value("uuid7(1763900000000).replace(/-/g, '').slice(0, 12)") == f"{1763900000000:012x}"
    assert engine.value(
        f"{json.dumps(ids)}.every((id) => id[14] === '7' && '89ab'.includes(id[19]) && "
        "eventOf({ id, kind: 'reset', card: 'a', moment: 0, zone: 'UTC', day: '2026-11-23' }))"
    )


def test_gaps_that_changed_numbers_take_their_progress_along(engine: PageScript) -> None:
    script = """
        const store = page("d");
        store.add(answer("a"), { ...answer("b", 1), kind: "relink", target: "a" });
        const known = new Map();
        agenda([], page("d").read(), 0, 0, known);
        [...known.keys()]
    """

    assert engine.value(script) == ["b"]


def test_older_page_keeps_answers_relinked_by_a_newer(engine: PageScript) -> None:
    script = """
        const old = page("d");
        old.add(answer("a"));
        page("d", { a: "new" }).read();
        const known = new Map();
        agenda([], old.read(), 0, 0, known);
        [[...known.keys()], old.log.length]
    """

    assert engine.value(script) == [["a"], 1]
