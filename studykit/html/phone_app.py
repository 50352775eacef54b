"""The app: one page for all decks, the worker that keeps every page for use without a network, the manifest."""

import json
from collections.abc import Mapping
from hashlib import sha256
from importlib import resources

from studykit.html import assets
from studykit.html.deck_view import DeckView
from studykit.html.pages import Pages
from studykit.html.strings import Strings, direction

ICONS = (192, 512)
_NOT_KEPT = (".fragment.html", ".css", ".js", ".xml", "feed.json")  # for other sites, not for this one


def app_files(pages: Pages, decks: tuple[DeckView, ...], files: Mapping[str, bytes]) -> dict[str, bytes]:
    """The files that make an app of an export's other files."""
    static = resources.files("studykit.html").joinpath("static")
    made = {name: static.joinpath(name).read_bytes() for name in (f"icon-{size}.png" for size in ICONS)}
    made["app.webmanifest"] = _manifest(pages.strings).encode()
    made["app.html"] = pages.app(decks).encode("utf-8", "replace")
    kept = {name: content for name, content in {**files, **made}.items() if not name.endswith(_NOT_KEPT)}
    made["service-worker.js"] = _worker(kept).encode()
    return made


def _manifest(strings: Strings) -> str:
    """What a telephone needs to install the app."""
    icons = [
        {"src": f"icon-{size}.png", "sizes": f"{size}x{size}", "type": "image/png", "purpose": purpose}
        for size in ICONS
        for purpose in ("any", "maskable")
    ]
    document = {
        "name": strings["app"]["name"],
        "short_name": strings["app"]["name"][:12],
        "lang": strings.language,
        "dir": direction(strings.language),
        "start_url": "app.html",
        "scope": "./",
        "display": "standalone",
        "background_color": "#fcfbf8",
        "theme_color": "#fcfbf8",
        "icons": icons,
    }
    return json.dumps(document, ensure_ascii=False, indent=1) + "\n"


def _worker(kept: Mapping[str, bytes]) -> str:
    """The service worker, which is another one as soon as one byte of what it keeps is."""
    version = sha256()
    for name, content in sorted(kept.items()):
        version.update(name.encode() + b"\0" + sha256(content).digest())
    return assets.worker_script(version.hexdigest()[:16], sorted(kept))
