"""Check for `.ci/run` that branch coverage, of the core packages and of everything, is not below its floor."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
CORE = ("cards", "exercise", "quantity", "review", "scheduling")
CORE_FLOOR = 90
WHOLE_FLOOR = 75


def main() -> int:
    """Print the coverage of the core and of everything, and return another code than 0 below a floor."""
    core = [f"studykit/{package}/*" for package in CORE]
    failed = 0
    for floor, include in ((CORE_FLOOR, core), (WHOLE_FLOOR, [])):
        command = [sys.executable, "-m", "coverage", "report", f"--fail-under={floor}"]
        done = subprocess.run(
            [*command, *(["--include=" + ",".join(include)] if include else [])], cwd=ROOT, check=False
        )
        failed |= done.returncode
    return failed


if __name__ == "__main__":
    sys.exit(main())
