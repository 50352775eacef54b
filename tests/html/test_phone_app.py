"""Test the pages as a phone app: how a day is shared among decks, what works offline, and what is allowed."""

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


def export_app(*texts: str, app: bool = True) -> dict[str, bytes]:
    parts = [DeckPart(read_deck(text, f"decks/{at}.md"), Path()) for at, text in enumerate(texts)]
    return export(parts, task, ExportOptions(app=app))


DECKS = (
    '---\nname = "First"\n---\nQ: one\nA: 1\n\nQ: two {#two}\nA: 2\n',
    '---\nname = "Second"\n---\nQ: three {#three}\nA: 3\n',
)


def test_app_option_adds_app_files_and_its_links() -> None:
    with_app, without = export_app(*DECKS), export_app(*DECKS, app=False)

    new = {"app.html", "app.webmanifest", "service-worker.js", "icon-192.png", "icon-512.png"}
    assert with_app.keys() - without.keys() == new
    changed = [name for name in without if with_app[name] != without[name]]
    assert changed == ["first.html", "index.html", "second.html"]
    assert b'<a href="app.html">Study all decks here' in with_app["index.html"]
    assert b"app.html" not in without["index.html"]


def test_app_policy_hashes_match_its_style_and_script() -> None:
    page = export_app(*DECKS)["app.html"].decode()

    hashes = []
    for tag in ("style", "script"):
        inside = re.search(f"<{tag}>(.*?)</{tag}>", page, re.DOTALL)
        assert inside is not None
        hashes.append(b64encode(sha256(inside[1].encode()).digest()).decode())
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', page)
    assert policy is not None
    assert policy[1].replace("&#39;", "'") == (
        f"default-src 'none'; style-src 'sha256-{hashes[0]}'; script-src 'sha256-{hashes[1]}'; "
        "connect-src 'self'; img-src 'self' data:; media-src data:; worker-src 'self'; manifest-src 'self'; "
        "base-uri 'none'; form-action 'none'"
    )
    assert re.search(r"\sstyle=|\son[a-z]+=|https?://", page.partition("<script>")[0]) is None


def test_without_scripts_the_app_leads_to_every_deck() -> None:
    page = export_app(*DECKS)["app.html"].decode()

    links = re.findall(r'<h2><a href="([^"]*)">([^<]*)</a>', page)
    assert links == [("first.html", "First"), ("second.html", "Second")]


def test_the_manifest_names_files_that_are_there() -> None:
    files = export_app(*DECKS)
    manifest = json.loads(files["app.webmanifest"])

    assert (manifest["start_url"], manifest["scope"], manifest["display"]) == ("app.html", "./", "standalone")
    assert {icon["src"] for icon in manifest["icons"]} == {"icon-192.png", "icon-512.png"} <= files.keys()
    assert {icon["purpose"] for icon in manifest["icons"]} == {"any", "maskable"}


@pytest.mark.parametrize("side", [192, 512])
def test_icons_have_the_size_in_their_name(side: int) -> None:
    icon = export_app(*DECKS)[f"icon-{side}.png"]

    assert icon.startswith(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + struct.pack(">II", side, side))


def cached_files(pages: dict[str, bytes]) -> list[str]:
    files = re.search(r"const FILES = (\[.*?\]);", pages["service-worker.js"].decode())
    assert files is not None
    return list(json.loads(files[1]))


def version(files: dict[str, bytes]) -> str:
    match = re.search(r'VERSION = "(\w{16})"', files["service-worker.js"].decode())
    assert match is not None
    return match[1]


def test_service_worker_caches_pages_but_no_fragments() -> None:
    assert " ".join(cached_files(export_app(*DECKS))) == (
        "app.html app.webmanifest first.html first.json icon-192.png icon-512.png index.html "
        "second.html second.json studykit.js"
    )


def test_service_worker_version_changes_only_with_cards() -> None:
    first = export_app(*DECKS)

    assert export_app(*DECKS)["service-worker.js"] == first["service-worker.js"]
    assert version(export_app(DECKS[0], DECKS[1].replace("A: 3", "A: 4"))) != version(first)


def test_deck_named_app_gets_another_file_name() -> None:
    files = export_app('---\nname = "App"\n---\nQ: a\nA: b\n', '---\nname = "Service-Worker"\n---\nQ: a\nA: b\n')

    assert b"<study-deck data" not in files["app.html"]
    assert len([name for name in files if re.fullmatch(r"(app|service-worker)-[0-9a-f]{8}\.html", name)]) == 2


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
