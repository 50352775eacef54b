"""Check the default paths of a learner's files."""

from pathlib import Path

import platformdirs
import pytest

from studykit import paths


@pytest.mark.parametrize("home", ["/home/ada", "/home/ada/", "", "relative"])
@pytest.mark.parametrize("named", [None, "", "/data", "/data/", "relative", " /data", "~/data"])
def test_paths_agree_with_platformdirs(monkeypatch: pytest.MonkeyPatch, home: str, named: str | None) -> None:
    monkeypatch.setenv("HOME", home)
    for variable in ("XDG_DATA_HOME", "XDG_CONFIG_HOME"):
        if named is None:
            monkeypatch.delenv(variable, raising=False)
        else:
            monkeypatch.setenv(variable, named)

    default_paths = (Path(paths.database()), Path(paths.config()), paths.copies())

    data = Path(platformdirs.user_data_dir("studykit", appauthor=False))
    config = Path(platformdirs.user_config_dir("studykit", appauthor=False))
    assert default_paths == (data / "study.db", config / "config.toml", data / "decks")
