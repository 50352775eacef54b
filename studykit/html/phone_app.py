"""Make the app: one page for all decks, a manifest, and a worker that stores every page for use offline."""

from collections.abc import Mapping
from hashlib import sha256
from importlib import resources

from studykit.html import assets
from studykit.html.deck_view import DeckView
from studykit.html.pages import Pages

ICONS = (192, 512)
_UNCACHED_ENDINGS = (".fragment.html", ".css", "decks.json", "studykit.json")
"""Files that are for other sites, or that the app always requests anew."""


def app_files(pages: Pages, decks: tuple[DeckView, ...], files: Mapping[str, bytes]) -> dict[str, bytes]:
    """Return the files that make an app of the other files of an export."""
    static = resources.files("studykit.html").joinpath("static")
    app = {name: static.joinpath(name).read_bytes() for name in (f"icon-{size}.png" for size in ICONS)}
    app["app.webmanifest"] = pages.manifest(ICONS).encode()
    app["app.html"] = pages.index(decks, is_app=True).encode("utf-8", "replace")
    cached_files = {
        name: content for name, content in {**files, **app}.items() if not name.endswith(_UNCACHED_ENDINGS)
    }
    version = sha256()  # changes with every byte of the files that the worker stores
    for name, content in sorted(cached_files.items()):
        version.update(name.encode() + b"\0" + sha256(content).digest())
    constants = {"VERSION": version.hexdigest()[:16], "FILES": sorted(cached_files)}
    app["service-worker.js"] = assets.in_one_function(constants, "service_worker.js").encode()
    return app
