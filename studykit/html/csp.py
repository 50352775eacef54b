"""Write the content security policy of a page, which allows only its own style and script, by their hashes."""

from base64 import b64encode
from hashlib import sha256

_APP = " 'self'", "worker-src 'self'; manifest-src 'self'; "


def csp(page_style: str, page_script: str, *, app: bool = False, shared: bool = False) -> str:
    """Return a policy that allows only this style, this script and media inside the page.

    A page with a script may connect to its own site to look for a newer version. A `shared` script is loaded from
    the site, and the app loads its worker, manifest and icons.
    """
    own = " 'self'" if shared else ""
    script = f"script-src{own} {_source(page_script)}; connect-src 'self'; " if page_script else ""
    own, more = _APP if app else ("", "")
    return (
        f"default-src 'none'; style-src {_source(page_style)}; {script}img-src{own} data:; media-src data:; {more}"
        "base-uri 'none'; form-action 'none'"
    )


def _source(text: str) -> str:
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"
