"""What a member of a class needs: an address, and where a password goes so that no command line shows it."""

from typing import TYPE_CHECKING

from studykit.classroom.membership import NewMember
from studykit.classroom.roster import MemberKind
from studykit.store.engine import shown_url

if TYPE_CHECKING:
    from sqlalchemy import URL

_PORT = 5432


def member_address(url: "URL", login: str, host: str | None) -> str:
    """The address that a member connects to; `host` where that is not the one that the owner uses."""
    if host is not None:
        name, _, port = host.partition(":")
        url = url.set(host=name, port=int(port) if port.isdecimal() else None)
        url = url.set(query={key: value for key, value in url.query.items() if key not in {"host", "port"}})
    return shown_url(url.set(drivername="postgresql", username=login, password=None))


def handout(url: "URL", member: NewMember, host: str | None) -> str:
    """Lines for one member."""
    address = member_address(url, member.login, host)
    lines = [member.login]
    if member.password is not None:
        lines += [
            "  put this line into ~/.pgpass, then run chmod 600 ~/.pgpass:",
            f"    {_pgpass(url, member, host)}",
        ]
    if member.kind is MemberKind.STAFF:
        lines += ["  read the class:", f'    study class export FOLDER --db "{address}"']
    else:
        lines += ["  study as always, offline too, and meet the class:", f'    study sync "{address}"']
    return "\n".join(lines)


def _pgpass(url: "URL", member: NewMember, host: str | None) -> str:
    named = host or url.query.get("host") or url.host or "localhost"
    name, _, port = str(named).partition(":") if host else (str(named), "", str(url.port or _PORT))
    parts = (name, port or str(_PORT), url.database or "", member.login, member.password or "")
    return ":".join(part.replace("\\", "\\\\").replace(":", "\\:") for part in parts)
