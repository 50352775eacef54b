"""Check what only a GPU can show: rewrites, the sandbox and bets. Run it by `python -m tests.gpu`."""

import sys
from pathlib import Path

_SUPPORT = str(Path(__file__).resolve().parents[1] / "support")
if _SUPPORT not in sys.path:
    sys.path.append(_SUPPORT)
