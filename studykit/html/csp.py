"""The content security policy of a page: nothing runs or loads but its own style and script, named by hash."""

from base64 import b64encode
from hashlib import sha256


def csp(page_style: str, page_script: str = "") -> str:
    """A policy under which nothing runs or loads but this style, this script, images and media inside the page."""
    script = f"script-src {_hashed(page_script)}; " if page_script else ""
    return (
        f"default-src 'none'; style-src {_hashed(page_style)}; {script}"
        "img-src data:; media-src data:; base-uri 'none'; form-action 'none'"
    )


def app_csp(page_style: str, page_script: str) -> str:
    """The policy of the app, which reads its own folder too: the pages, its worker, manifest and icons."""
    return (
        f"default-src 'none'; style-src {_hashed(page_style)}; script-src {_hashed(page_script)}; "
        "img-src 'self' data:; media-src data:; connect-src 'self'; worker-src 'self'; manifest-src 'self'; "
        "base-uri 'none'; form-action 'none'"
    )


def _hashed(text: str) -> str:
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"
