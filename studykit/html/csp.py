"""The content security policy of a page: nothing runs or loads but its own style and script, named by hash."""

from base64 import b64encode
from hashlib import sha256

_APP = " 'self'", "worker-src 'self'; manifest-src 'self'; "


def csp(page_style: str, page_script: str, *, app: bool = False, shared: bool = False) -> str:
    """Return a policy under which nothing runs or loads but this style, this script and media inside the page.

    A page with a script asks its own site whether it is the newest. One whose script is `shared` with others loads
    it from there, and the app has its worker, manifest and icons.
    """
    own = " 'self'" if shared else ""
    script = f"script-src{own} {_hashed(page_script)}; connect-src 'self'; " if page_script else ""
    own, more = _APP if app else ("", "")
    return (
        f"default-src 'none'; style-src {_hashed(page_style)}; {script}img-src{own} data:; media-src data:; {more}"
        "base-uri 'none'; form-action 'none'"
    )


def _hashed(text: str) -> str:
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"
