"""Test that only a child that uses the GPU can read the driver's libraries that a container mounts."""

import subprocess
import sys
from pathlib import Path

import pytest

from studykit.sandbox import landlock
from studykit.sandbox import worker as warm

READS = """
import sys
from studykit.sandbox import landlock, lockdown
landlock.DRIVER_LIBRARIES = (sys.argv[1],)
cuda = sys.argv[2] == "cuda"
lockdown.confine(landlock.grants([]).ruleset(cuda=cuda), cuda=cuda)
for mode in ("r", "a"):
    try:
        open(sys.argv[1] + "/lib64/libcuda.so.1", mode).close()
        print(mode)
    except OSError:
        pass
"""


@pytest.fixture
def mounted(tmp_path: Path) -> Path:
    (tmp_path / "lib64").mkdir()
    (tmp_path / "lib64" / "libcuda.so.1").write_text("a library")
    return tmp_path


@pytest.mark.skipif(not landlock.abi(), reason="no Landlock here")
@pytest.mark.parametrize(("device", "may"), [("cuda", ["r"]), ("cpu", [])])
def test_child_reads_them_only_beside_a_gpu(mounted: Path, device: str, may: list[str]) -> None:
    command = [sys.executable, "-c", READS, str(mounted), device]

    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=30)

    assert done.stdout.split() == may


def test_loader_gets_folders_of_driver_libraries(mounted: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(warm, "DRIVER_LIBRARIES", (str(mounted), "/there/is/none"))
    library_path = warm._environment()["LD_LIBRARY_PATH"]
    monkeypatch.setattr(warm, "DRIVER_LIBRARIES", ("/there/is/none",))

    assert library_path == f"{mounted}/lib64"
    assert "LD_LIBRARY_PATH" not in warm._environment()
