"""Build the checkout as a wheel, and make environments to install it in."""

import subprocess
import sys
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LIMIT_S = 100


def copy_checkout(folder: Path) -> Path:
    """Copy the files that git knows to `folder`, so that no stray build output is packed."""
    git = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    output = subprocess.run(git, cwd=ROOT, capture_output=True, check=True, timeout=LIMIT_S).stdout.decode()
    for name in filter(None, output.split("\0")):
        if (ROOT / name).is_file():
            target = folder / name
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes((ROOT / name).read_bytes())
    return folder


def build(what: str, into: Path, source: Path) -> None:
    """Call the build backend as pip does. `what` is "build_wheel" or "build_sdist"."""
    code = f"import sys; from setuptools import build_meta; build_meta.{what}(sys.argv[1])"
    command = [sys.executable, "-c", code, str(into)]
    subprocess.run(command, cwd=source, check=True, capture_output=True, text=True, timeout=LIMIT_S)


def environment(folder: Path) -> Path:
    """Make a virtual environment with the present one's libraries but not this project. Return its Python."""
    venv.create(folder, symlinks=True, with_pip=False)
    site = next(folder.glob("lib/python*/site-packages"))
    (site / "libraries.pth").write_text("".join(f"{path}\n" for path in sys.path if path.endswith("-packages")))
    return folder / "bin" / "python"
