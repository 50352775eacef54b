"""Read the config.json of a model from a file, a folder, or the local cache of the Hugging Face Hub."""

import re
from collections.abc import Mapping
from pathlib import Path

from studykit import paths
from studykit.errors import BadDataError, NotFoundError
from studykit.ordinary_file import read_text

_MAX_BYTES = 1_000_000
_ADVICE = "Give the config.json of a model."
_HUB_NAME = re.compile(r"[\w-][\w.-]*(?:/[\w-][\w.-]*)?")


def read_config_file(name: str, environ: Mapping[str, str]) -> tuple[str, str]:
    """Return the text of the config.json that a learner names, and its path, or raise StudyError."""
    path = paths.expanded(name)
    if path.is_dir():
        config = path / "config.json"
        found = config if config.exists() else _newest_snapshot(path)
        if found is None:
            raise NotFoundError(f"{path} has no config.json. Give the folder of a model.")
        path = found
    elif not path.exists():
        path = _cached_config(name, _hub(environ))
    return read_text(path, _MAX_BYTES, _ADVICE, BadDataError), str(path)


def _hub(environ: Mapping[str, str]) -> Path:
    """Return the folder of Hugging Face's download cache."""
    if cache := environ.get("HF_HUB_CACHE") or environ.get("HUGGINGFACE_HUB_CACHE"):
        return paths.expanded(cache)
    home = environ.get("HF_HOME") or f"{environ.get('XDG_CACHE_HOME') or '~/.cache'}/huggingface"
    return paths.expanded(home) / "hub"


def _cached_config(name: str, hub: Path) -> Path:
    """Return the config.json of a model's newest snapshot in the cache, or raise NotFoundError."""
    folder = hub / f"models--{name.replace('/', '--')}"
    if _HUB_NAME.fullmatch(name) is None or not folder.is_dir():
        raise NotFoundError(
            f"{name} is neither a file nor a model in {hub}. "
            "Give a config.json, its folder, or a downloaded model such as meta-llama/Llama-3.1-8B."
        )
    config = _newest_snapshot(folder)
    if config is None:
        raise NotFoundError(f"{folder} has no config.json. Download it with `hf download {name} config.json`.")
    return config


def _newest_snapshot(folder: Path) -> Path | None:
    """Return the config.json of the newest snapshot in a model's folder of the cache, or None."""
    configs = folder.glob("snapshots/*/config.json")
    return max(configs, key=lambda path: path.lstat().st_mtime, default=None)
