"""Test that every reader returns a value or raises its own error, for texts that fuzzing found and random ones."""

import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

from fuzz_targets import FINDS, SEEDS, TARGETS  # noqa: E402 - it stands with the programs that use it

FOUND = sorted(FINDS.glob("*-*"))
PIECES = st.sampled_from(["\n", "---", "Q:", "A:", "C: [", "]", "{#a}", "$", "`", "=", '"', "{", "[", "1e9", "\0"])


def text_of(name: str, data: bytes) -> str:
    return data.decode("latin-1") if name == "database" else data.decode(errors="surrogateescape")


@pytest.mark.parametrize("path", FOUND, ids=lambda path: path.name)
def test_what_was_found_once_is_borne(path: Path) -> None:
    name = path.name.rpartition("-")[0]

    TARGETS[name](text_of(name, path.read_bytes()))


@pytest.mark.parametrize("name", TARGETS)
@given(pieces=st.lists(PIECES | st.text(max_size=5), max_size=12), at=st.integers(0, 300))
def test_reader_accepts_changed_known_inputs(name: str, pieces: list[str], at: int) -> None:
    seed = SEEDS[name]

    TARGETS[name](seed[:at] + "".join(pieces) + seed[at:])
