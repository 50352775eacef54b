"""What a child may use."""

from dataclasses import asdict, dataclass

MIB = 1 << 20
SEARCH_S = 1.0
"""What the search for a wrong answer's mistakes may take."""


@dataclass(frozen=True, slots=True)
class Limits:
    """Bounds on one child, from its start to its end."""

    wall_s: float = 10.0
    cpu_s: int = 8  # the soft limit; the hard one is a second later
    memory_bytes: int = 1024 * MIB  # on top of what the imported libraries hold
    output_bytes: int = MIB  # standard output and error together
    reply_bytes: int = 64 * MIB  # one reply on the private channel

    def as_header(self) -> dict[str, float]:
        """The same as JSON, for the worker."""
        return asdict(self)

    @classmethod
    def from_header(cls, header: dict[str, float]) -> "Limits":
        """The limits that `as_header` described."""
        return cls(
            wall_s=float(header["wall_s"]),
            cpu_s=int(header["cpu_s"]),
            memory_bytes=int(header["memory_bytes"]),
            output_bytes=int(header["output_bytes"]),
            reply_bytes=int(header["reply_bytes"]),
        )
