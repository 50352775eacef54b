"""The app: what it shares out among the decks, what it keeps for use without a network, what it may do."""

import json
import re
import struct
from base64 import b64encode
from hashlib import sha256
from pathlib import Path

import pytest
from page_script import PageScript

from decks import read_deck
from studykit.cards.card import Task
from studykit.exercise.entry import PageCard
from studykit.html.deck_view import DeckPart
from studykit.html.export import ExportOptions, export

TODAY = 20_780


def task(task: Task) -> PageCard:
    return PageCard(task.name)


def exported(*texts: str, app: bool = True) -> dict[str, bytes]:
    parts = [DeckPart(read_deck(text, f"decks/{at}.md"), Path()) for at, text in enumerate(texts)]
    return export(parts, task, ExportOptions(app=app))


DECKS = (
    '---\nname = "First"\n---\nQ: one\nA: 1\n\nQ: two {#two}\nA: 2\n',
    '---\nname = "Second"\n---\nQ: three {#three}\nA: 3\n',
)


def test_an_app_is_a_page_a_worker_a_manifest_and_icons_and_nothing_else_changes_but_the_way_to_it() -> None:
    with_app, without = exported(*DECKS), exported(*DECKS, app=False)

    new = {"app.html", "app.webmanifest", "service-worker.js", "icon-192.png", "icon-512.png"}
    assert with_app.keys() - without.keys() == new
    assert [name for name in without if with_app[name] != without[name]] == ["index.html"]
    assert b'<a href="app.html">Study all decks here' in with_app["index.html"]
    assert b"app.html" not in without["index.html"]


def test_the_policy_of_the_app_names_its_very_style_and_script_and_its_own_folder() -> None:
    page = exported(*DECKS)["app.html"].decode()

    hashes = []
    for tag in ("style", "script"):
        inside = re.search(f"<{tag}>(.*?)</{tag}>", page, re.DOTALL)
        assert inside is not None
        hashes.append(b64encode(sha256(inside[1].encode()).digest()).decode())
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', page)
    assert policy is not None
    assert policy[1].replace("&#39;", "'") == (
        f"default-src 'none'; style-src 'sha256-{hashes[0]}'; script-src 'sha256-{hashes[1]}'; "
        "img-src 'self' data:; media-src data:; connect-src 'self'; worker-src 'self'; manifest-src 'self'; "
        "base-uri 'none'; form-action 'none'"
    )
    assert re.search(r"\sstyle=|\son[a-z]+=|https?://", page.partition("<script>")[0]) is None


def test_without_scripts_the_app_leads_to_every_deck() -> None:
    page = exported(*DECKS)["app.html"].decode()

    assert re.findall(r'<li><a href="([^"]*)">([^<]*)</a>', page) == [
        ("first.html", "First"),
        ("second.html", "Second"),
    ]


def test_the_manifest_names_files_that_are_there() -> None:
    files = exported(*DECKS)
    manifest = json.loads(files["app.webmanifest"])

    assert (manifest["start_url"], manifest["scope"], manifest["display"]) == ("app.html", "./", "standalone")
    assert {icon["src"] for icon in manifest["icons"]} == {"icon-192.png", "icon-512.png"} <= files.keys()
    assert {icon["purpose"] for icon in manifest["icons"]} == {"any", "maskable"}


@pytest.mark.parametrize("side", [192, 512])
def test_icons_have_the_size_in_their_name(side: int) -> None:
    icon = exported(*DECKS)[f"icon-{side}.png"]

    assert icon.startswith(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + struct.pack(">II", side, side))


def cached_files(pages: dict[str, bytes]) -> list[str]:
    files = re.search(r"const FILES = (\[.*?\]);", pages["service-worker.js"].decode())
    assert files is not None
    return list(json.loads(files[1]))


def version(files: dict[str, bytes]) -> str:
    match = re.search(r'VERSION = "(\w{16})"', files["service-worker.js"].decode())
    assert match is not None
    return match[1]


def test_the_worker_keeps_every_page_and_nothing_that_is_meant_for_other_sites() -> None:
    assert cached_files(exported(*DECKS)) == [
        "app.html",
        "app.webmanifest",
        "decks.json",
        "first.html",
        "first.json",
        "icon-192.png",
        "icon-512.png",
        "index.html",
        "second.html",
        "second.json",
    ]


def test_the_worker_is_another_one_when_any_card_is_and_the_same_when_none_is() -> None:
    first = exported(*DECKS)

    assert exported(*DECKS)["service-worker.js"] == first["service-worker.js"]
    assert version(exported(DECKS[0], DECKS[1].replace("A: 3", "A: 4"))) != version(first)


def test_a_deck_named_as_the_app_gets_another_file() -> None:
    files = exported('---\nname = "App"\n---\nQ: a\nA: b\n', '---\nname = "Service-Worker"\n---\nQ: a\nA: b\n')

    assert b"<study-deck data" not in files["app.html"]
    assert len([name for name in files if re.fullmatch(r"(app|service-worker)-[0-9a-f]{8}\.html", name)]) == 2


@pytest.fixture(scope="module")
def engine() -> PageScript:
    """The app's script without what needs a page."""
    return PageScript("sm2.js", "log.js", "store.js", "due_list.js")


def deck(name: str, cards: int) -> dict[str, object]:
    return {"id": name, "cards": [{"id": f"{name}{n}", "note": f"{name}{n}"} for n in range(cards)]}


def answer(card: str, day: int = TODAY, grade: int = 4, number: int = 0) -> dict[str, object]:
    return {
        "id": f"0196f0a0-0000-7000-8000-{sum(map(ord, card)) * 1000 + day + number:012x}",
        "kind": "answer",
        "card": card,
        "grade": grade,
        "moment": day * 86_400_000_000 + number,
        "day": day,
        "zone": "UTC",
        "took_ms": 0,
    }


def counts(
    engine: PageScript, decks: list[dict[str, object]], logs: list[list[dict[str, object]]]
) -> list[list[int]]:
    return [[each["due"], each["fresh"]] for each in engine.call("dueList", decks, logs, TODAY)]


def test_new_cards_are_shared_out_in_the_order_of_the_decks_ten_in_all(engine: PageScript) -> None:
    decks = [deck("a", 7), deck("b", 7), deck("c", 7)]

    assert counts(engine, decks, [[], [], []]) == [[0, 7], [0, 3], [0, 0]]


def test_new_cards_met_today_in_any_deck_count_against_all(engine: PageScript) -> None:
    decks = [deck("a", 7), deck("b", 7)]

    assert counts(engine, decks, [[], [answer("b0"), answer("b1"), answer("b2"), answer("b3")]]) == [
        [0, 6],
        [0, 0],
    ]


def test_what_is_due_or_drilled_is_asked_in_every_deck_however_many_are_new(engine: PageScript) -> None:
    decks = [deck("a", 20), deck("b", 3)]

    logs = [[answer("a0", TODAY - 9)], [answer("b0", TODAY - 9), answer("b1", TODAY, grade=1)]]
    assert counts(engine, decks, logs) == [[1, 9], [2, 0]]


def test_the_new_cards_that_wait_are_named(engine: PageScript) -> None:
    decks = [deck("a", 12)]

    (only,) = engine.call("dueList", decks, [[answer("a11", TODAY - 1)]], TODAY)

    assert only["later"] == ["a10"]


def copy_of(*events: dict[str, object]) -> str:
    rows = [{**event, "day": "2026-11-23"} for event in events]
    return json.dumps({"schema": 1, "kind": "studykit-progress", "events": rows})


def test_a_copy_is_shared_out_to_the_decks_that_have_its_cards(engine: PageScript) -> None:
    events = engine.call("eventsOf", copy_of(answer("a0"), answer("b0"), answer("elsewhere")))

    added = engine.call("shared", [deck("a", 1), deck("b", 1)], [[], [answer("b0")]], events)

    assert [[event["card"] for event in log] for log in added] == [["a0"], []]


def test_a_whole_log_longer_than_a_page_keeps_of_one_deck_is_read(engine: PageScript) -> None:
    events = [answer(f"c{n}", number=n) for n in range(20_001)]

    assert len(engine.call("eventsOf", copy_of(*events), 10**8)) == 20_001


def test_the_copy_of_all_decks_names_each_event_once_in_their_order(engine: PageScript) -> None:
    both = [[answer("a0", number=2), answer("x", number=1)], [answer("x", number=1), answer("b0", number=3)]]

    document = json.loads(engine.call("copyOfAll", both))

    assert [event["card"] for event in document["events"]] == ["x", "a0", "b0"]
    assert document["kind"] == "studykit-progress"
    assert "deck" not in document


@pytest.fixture(scope="module")
def worker() -> PageScript:
    return PageScript(
        "service_worker.js",
        before="const registration = {scope: 'https://example.org/decks/'}, addEventListener = () => {};"
        "const URL = function (name, base) { this.href = base + name };"
        'const VERSION = "1", FILES = ["index.html", "app.html", "a.html"];',
    )


@pytest.mark.parametrize(
    ("url", "file"),
    [
        ("https://example.org/decks/a.html", "a.html"),
        ("https://example.org/decks/a.html?x=1#c-b", "a.html"),
        ("https://example.org/decks/a", "a.html"),
        ("https://example.org/decks/", "index.html"),
        ("https://example.org/decks/other.html", None),
        ("https://example.org/", None),
        ("https://elsewhere.org/decks/a.html", None),
    ],
)
def test_the_worker_answers_for_its_own_files_alone(worker: PageScript, url: str, file: str | None) -> None:
    assert worker.call("named", url) == (f"https://example.org/decks/{file}" if file else None)
