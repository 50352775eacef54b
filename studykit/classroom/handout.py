"""Write what a member of a class needs to connect: the address, and a password line for `~/.pgpass`.

A password on a command line would be visible to other users of the machine.
"""

from typing import TYPE_CHECKING

from studykit.classroom.class_server import shown_url
from studykit.classroom.membership import NewMember
from studykit.classroom.roster import MemberKind

if TYPE_CHECKING:
    from sqlalchemy import URL

_PORT = 5432


def handout(url: "URL", member: NewMember, host: str | None) -> str:
    """Return the instructions for one member. `host` is the server's name for them, if it differs."""
    url = _member_url(url, member.login, host)
    address = shown_url(url)
    lines = [member.login]
    if member.password is not None:
        lines += [
            "  put this line into ~/.pgpass:",
            f"    {_pgpass(url, member.password)}",
            "  make that file private:",
            "    chmod 600 ~/.pgpass",
        ]
    if member.kind is MemberKind.STAFF:
        lines += ["  see where the class stands:", f'    study class report "{address}"']
    else:
        lines += ["  study as always, offline too, and meet the class:", f'    study sync "{address}"']
    return "\n".join(lines)


def _member_url(url: "URL", login: str, host: str | None) -> "URL":
    name, port = url.host, url.port
    if host is not None:
        name, _, digits = host.partition(":")
        port = int(digits) if digits.isdecimal() else None
        url = url.difference_update_query(["host", "port"])
    return url.create(url.drivername, login, None, name, port, url.database, url.query)


def _pgpass(url: "URL", password: str) -> str:
    """Return the member's line for `~/.pgpass`."""
    # Ask the driver, which may take host and port from the URL's options instead.
    _, server = url.get_dialect()().create_connect_args(url)
    parts = (server.get("host", "localhost"), server.get("port", _PORT), url.database, url.username, password)
    return ":".join(str(part or "").replace("\\", "\\\\").replace(":", "\\:") for part in parts)
