"""The caches of a processor, as Linux lists them."""

import os
from pathlib import Path


def last_cache(cpus: Path) -> int:
    """Bytes of the last level of cache by Linux's own list, 0 where there is none."""
    sizes: dict[int, dict[str, int]] = {}  # size by the cores that share it, by level
    for folder in cpus.glob("cpu[0-9]*/cache/index[0-9]*"):
        files = [folder / name for name in ("level", "shared_cpu_list", "size")]
        if all(map(_is_readable, files)):
            level, shared, size = (path.read_text().strip() for path in files)
            sizes.setdefault(int(level), {})[shared] = _size(size)
    return sum(sizes[max(sizes)].values()) if sizes else 0


def _size(text: str) -> int:
    """Bytes of `32M` or `512K`."""
    size = text.strip()
    return int(size[:-1]) << {"K": 10, "M": 20}[size[-1]] if size[-1:] in {"K", "M"} else int(size or 0)


def _is_readable(path: Path) -> bool:
    return os.access(path, os.R_OK)
