"""Print the newest other Python that the project supports, or nothing if the machine has none.

python tests/support/second_python.py
"""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

MINORS = (14, 13, 12, 11)


def candidates() -> Iterator[str]:
    """Yield commands that may run another Python: by name, and those of pyenv, which are not on the path."""
    for minor in MINORS:
        yield f"python3.{minor}"
        yield from map(str, sorted(Path.home().glob(f".pyenv/versions/3.{minor}.*/bin/python")))


def is_another(command: str) -> bool:
    """Return whether a command runs a supported Python of another version that can make environments."""
    script = f"import ensurepip, sys, venv; sys.exit(sys.version_info[:2] == {tuple(sys.version_info[:2])})"
    try:
        return subprocess.run([command, "-c", script], check=False, capture_output=True).returncode == 0
    except OSError:
        return False


if __name__ == "__main__":
    print(next(filter(is_another, candidates()), ""))
