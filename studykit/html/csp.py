"""The content security policy of a page: nothing runs or loads but its own style and script, named by hash."""

from base64 import b64encode
from hashlib import sha256

_APP = " 'self'", "connect-src 'self'; worker-src 'self'; manifest-src 'self'; "


def csp(page_style: str, page_script: str, *, app: bool = False) -> str:
    """A policy under which nothing runs or loads but this style, this script, images and media inside the page.

    The app reads its own folder too: the pages, its worker, manifest and icons.
    """
    script = f"script-src {_hashed(page_script)}; " if page_script else ""
    own, more = _APP if app else ("", "")
    return (
        f"default-src 'none'; style-src {_hashed(page_style)}; {script}img-src{own} data:; media-src data:; {more}"
        "base-uri 'none'; form-action 'none'"
    )


def _hashed(text: str) -> str:
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"
