"""The learner's configuration: one TOML file, every key known by name."""

import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from studykit.errors import BadDataError, StudyError, UsageError
from studykit.scheduling.event_kinds import FSRS
from studykit.scheduling.sm2 import PROFILE as SM2
from studykit.text import did_you_mean, meant, toml_lines

if TYPE_CHECKING:
    from studykit.scheduling.fsrs import Fsrs

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

SettingValue = str | int | bool | list[str]


@dataclass(frozen=True, slots=True)
class Setting:
    """One setting: its dotted name, its default, and its allowed values."""

    name: str
    default: SettingValue
    help: str
    choices: tuple[str, ...] = ()


SETTINGS = (
    Setting("decks", [], "files or folders of your own decks"),
    Setting("hidden_decks", [], "shipped decks to hide"),
    Setting("course", "on", "the shipped decks: on, off, or names separated by commas"),
    Setting("deck_order", [], "decks whose new cards come first, in this order"),
    Setting("new_per_deck", [], "new cards a day for decks and those below, such as french=5"),
    Setting("add_deck", "", "the deck that study add writes to; empty: your only one, or it asks"),
    Setting("exercises", [], "folders of exercises by other authors"),
    Setting("learner", "", "your name, if a file holds several learners; empty: me"),
    Setting("sync_folder", "", "a folder or server to sync with before and after each review"),
    Setting("backup_folder", "", "a folder on another disk for a second copy of every backup"),
    Setting("scheduler", SM2, "the scheduler of your reviews", (SM2, FSRS)),
    Setting("machine_name", "", "the name of this machine when it syncs; empty: its host name"),
    Setting("review.limit", 0, "cards per session; 0: no limit"),
    Setting("review.new_per_day", 10, "new cards per day"),
    Setting("review.leech_lapses", 8, "lapses that make a card a leech; 0: never"),
    Setting("review.grades", "4", "how many grade buttons", ("4", "2", "sm2")),
    Setting("review.space_grades", default=True, help="space after the answer accepts the suggested grade"),
    Setting(
        "review.confirm_right", default=False, help="wait for your grade after a right typed answer or estimate"
    ),
    Setting("review.intervals", default=True, help="show when each grade would bring the card back"),
    Setting("review.timer", default=False, help="show how long you take for a card"),
    Setting("fsrs.retention", 90, "percent of cards you want to recall on their due day, 70 to 99"),
    Setting("fsrs.parameters", [], "your own 21 numbers; empty: the published ones"),
    Setting("ui.mode", "auto", "a screen, or plain lines", ("auto", "screen", "plain")),
    Setting("ui.glyphs", "auto", "the signs to draw with", ("auto", "unicode", "ascii")),
    Setting("ui.color", "auto", "whether to use colors", ("auto", "never", "always")),
    Setting("ui.streak", default=True, help="show your streak"),
    Setting(
        "sandbox.unconfined",
        "ask",
        "run your typed answers outside the sandbox if it blocks the GPU or does not work here",
        ("ask", "always", "never"),
    ),
    Setting(
        "bet.device",
        "auto",
        "where bets are settled; auto: your GPU, else a recorded H100",
        ("auto", "cpu", "cuda", "h100", "h200"),
    ),
    Setting("exercise.device", "H100 SXM", "the device of questions about a model of yours"),
    Setting("exercise.rough", default=False, help="accept estimates within a factor of 1.5"),
    Setting("editor.command", "", "the command of your editor; empty: VISUAL, EDITOR, then what is installed"),
)
"""Keys under `keys.` are free: they name commands of the review."""

FORMER_VALUES = {"ui.mode": "inline"}
"""Values of earlier versions: the default takes their place, and a sentence says so."""

_BY_NAME = {key.name: key for key in SETTINGS}
_SECTIONS = {name.partition(".")[0] for name in _BY_NAME if "." in name} | {"keys"}
_HEADS = [f"[{section}]" for section in sorted(_SECTIONS)]
_LISTED = f"There are {', '.join(_HEADS[:-1])} and {_HEADS[-1]}."
MAX_FILE_BYTES = 100_000
MAX_WHOLE_NUMBER = 10**9  # of a whole number: what is beyond it a database cannot hold
_YES, _NO = {"true", "yes", "on", "1"}, {"false", "no", "off", "0"}


def read_config(path: Path) -> dict[str, object]:
    """Return sections with every known key, from the file or by default."""
    document = _parsed(path)
    sections: dict[str, dict[str, object]] = {section: {} for section in sorted(_SECTIONS)}
    merged: dict[str, object] = {**sections}
    for key in SETTINGS:
        section, _, name = key.name.rpartition(".")
        value = value_at(document, key.name)
        is_default = value is None or value == FORMER_VALUES.get(key.name)
        value = key.default if is_default else checked(key, value, str(path))
        (sections[section] if section else merged)[name] = value
    if isinstance(keys := document.get("keys"), dict):
        sections["keys"].update((name, str(value)) for name, value in keys.items() if _is_setting(f"keys.{name}"))
    return merged


def unknown_settings(path: Path) -> list[str]:
    """List a sentence for each unknown key or section and each former value in the file, with its place."""
    parsed = _parsed(path)
    wrong = [*_unknown_names(parsed), *_former_values(parsed)]
    if not wrong:
        return []
    lines = toml_lines(_text(path))
    return [f"{path}:{lines.get(name, 1)}: {sentence}" for name, sentence in wrong]


def _unknown_names(document: Mapping[str, object]) -> Iterator[tuple[str, str]]:
    """Yield dotted names that mean nothing here, and what to say of each."""
    for section, value in document.items():
        if not isinstance(value, dict):
            if section not in _BY_NAME:
                yield section, no_such_setting(section)
        elif section not in _SECTIONS:
            yield section, f"Unknown section [{section}]. {meant(f'[{section}]', _HEADS, _LISTED)}"
        else:
            names = [f"{section}.{name}" for name in value]
            yield from ((name, no_such_setting(name)) for name in names if not _is_setting(name))


def _former_values(parsed: Mapping[str, object]) -> Iterator[tuple[str, str]]:
    """Yield settings with a value of an earlier version, and what to say of each."""
    for name, value in FORMER_VALUES.items():
        if value_at(parsed, name) == value:
            setting = _BY_NAME[name]
            default = repr(setting.default)
            yield name, f"{name} can no longer be {value!r}, so it is {default}; set {_expected(setting)}."


def _is_setting(name: str) -> bool:
    return name in (_actions() if name.startswith("keys.") else _BY_NAME)


def _actions() -> set[str]:
    """Return what `keys.` may name."""
    from studykit.review.keymap import WORDS, Action

    return {f"keys.{name}" for name in (*WORDS, *Action, "preset")}


def setting_named(name: str) -> Setting:
    """Return the setting of that name, or raise UsageError with the nearest one."""
    if not _is_setting(name):
        raise UsageError(
            no_such_setting(name), f"study {'help keys' if name.startswith('keys.') else 'config list'}"
        )
    return _BY_NAME.get(name) or Setting(name, "", "a key of the review")


def no_such_setting(name: str) -> str:
    """Say that a setting does not exist, and which one may be meant."""
    if name.startswith("keys."):
        return f"Unknown action {name!r}.{did_you_mean(name, _actions())}"
    same = next((setting for setting in _BY_NAME if setting.rpartition(".")[2] == name.rpartition(".")[2]), None)
    otherwise = f" Did you mean {same}?" if same else ""
    return f"Unknown setting {name!r}.{did_you_mean(name, _BY_NAME) or otherwise}"


def value_at(config: Mapping[str, object], name: str) -> object:
    """Return a key's value in what `read_config` gave, or in a file, or None."""
    section, _, last = name.rpartition(".")
    values = config.get(section, {}) if section else config
    return values.get(last) if isinstance(values, Mapping) else None


def parse(key: Setting, text: str) -> SettingValue:
    """Parse the value that a learner wrote on the command line."""
    match key.default:
        case bool():
            if text.lower() in _YES | _NO:
                return text.lower() in _YES
        case int():
            if text.lstrip("-").isdecimal() and len(text) <= len(str(MAX_WHOLE_NUMBER)):
                return checked(key, int(text), "this")
        case list():
            return _listed(key, text)
        case _:
            return checked(key, text, "this")
    raise UsageError(f"{key.name} is {_expected(key)}, not {text!r}.")


def _listed(key: Setting, text: str) -> SettingValue:
    """Parse several texts as TOML writes them, else between commas, or as in PATH."""
    if not text.strip().startswith("["):
        parts = text.split("," if "," in text else os.pathsep)
        return [part.strip() for part in parts if part.strip()]
    import tomllib

    try:
        return checked(key, tomllib.loads(f"value = {text}")["value"], "this")
    except tomllib.TOMLDecodeError:
        raise UsageError(f'{key.name} is {_expected(key)}, not {text!r}. Write a,b or ["a", "b"].') from None


def checked(key: Setting, value: object, where: str) -> SettingValue:
    """Return the value if the key may have it, or raise BadDataError."""
    right = (
        type(value) is type(key.default)
        and (not key.choices or value in key.choices)
        and (not isinstance(value, int) or 0 <= value <= MAX_WHOLE_NUMBER)
        and (not isinstance(value, list) or all(isinstance(part, str) for part in value))
        and not (isinstance(value, str) and "\0" in value)
    )
    if not right:
        kind = UsageError if where == "this" else BadDataError
        prefix = "" if where == "this" else f"{where}: "
        raise kind(f"{prefix}{key.name} is {_expected(key)}, not {value!r}.")
    return value  # type: ignore[return-value]


def write_config(path: Path, name: str, value: SettingValue) -> None:
    """Set one key. See `change_config`."""
    change_config(path, lambda _: {name: value})


def change_config(path: Path, change: Callable[[Mapping[str, object]], Mapping[str, SettingValue]]) -> None:
    """Set the keys that `change` gives for what `read_config` says, all or none.

    Everything else stays in the file as the learner wrote it. No other process changes the file meanwhile.
    """
    from studykit.ordinary_file import explaining, replace_file

    try:
        file = path.resolve()  # a link in somebody's dotfiles stays one
    except (OSError, RuntimeError) as error:  # a link that leads to itself
        raise StudyError(f"{path} cannot be written: {error}.") from error
    with _locked(file.parent):
        values = change(read_config(file))
        if values:
            with explaining(f"{path} cannot be written (", ").", StudyError):
                replace_file(file, _changed(file, values).encode())


def _changed(path: Path, values: Mapping[str, SettingValue]) -> str:
    import tomlkit
    from tomlkit.exceptions import TOMLKitError

    try:
        document = tomlkit.parse(_text(path))
    except (TOMLKitError, RecursionError) as error:
        raise BadDataError(f"{path}: {error}. Correct it first.") from None
    for name, value in values.items():
        section, _, last = name.rpartition(".")
        if section and not isinstance(document.get(section, {}), Mapping):
            raise BadDataError(f"{path}: {section} is not a section. Write [{section}]. Correct it first.")
        if section:
            document.setdefault(section, tomlkit.table())[last] = value
        else:
            document[last] = value
    return tomlkit.dumps(document)


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """Hold the folder against other processes of ours, where the system can. No lock file is left behind."""
    from studykit.ordinary_file import explaining

    with explaining(f"{folder} cannot be made (", ").", StudyError):
        folder.mkdir(parents=True, exist_ok=True)
    if fcntl is None:
        yield
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        with suppress(OSError):  # a file system without locks
            fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


def scheduler_name(settings: Mapping[str, object]) -> str:
    """Return the scheduler of the settings, "" for SM-2. UsageError for settings that FSRS refuses."""
    fsrs = fsrs_of(settings)
    return "" if settings["scheduler"] == SM2 else fsrs.name


def fsrs_of(settings: Mapping[str, object]) -> "Fsrs":
    """Return FSRS with the learner's retention and parameters, whether or not it schedules."""
    from studykit.scheduling.fsrs import PUBLISHED, Fsrs

    section = settings.get("fsrs")
    own = section if isinstance(section, Mapping) else {}
    try:
        weights = [float(text) for text in own.get("parameters", ())]
    except ValueError:
        raise UsageError("fsrs.parameters are 21 numbers, between commas.") from None
    return Fsrs(int(own.get("retention", 90)) / 100, weights or PUBLISHED)


def _text(path: Path) -> str:
    try:
        if path.is_fifo():  # opening one would wait for a writer, perhaps for ever
            raise UsageError(f"{path} is a named pipe. Name a file with STUDYKIT_CONFIG.")
        with path.open("rb") as opened:
            data = opened.read(MAX_FILE_BYTES + 1)  # a device has no end
        if len(data) > MAX_FILE_BYTES:
            raise BadDataError(
                f"{path} is larger than {MAX_FILE_BYTES:,} bytes. Name another file with STUDYKIT_CONFIG."
            )
        return data.decode("utf-8").replace("\r\n", "\n")
    except FileNotFoundError:
        return ""
    except UnicodeDecodeError as error:
        raise BadDataError(f"{path} is not text in UTF-8.") from error
    except OSError as error:
        raise StudyError(f"{path} cannot be read ({error.strerror}).") from error


def _parsed(path: Path) -> dict[str, object]:
    if not (text := _text(path)):
        return {}
    import tomllib

    try:
        return tomllib.loads(text)
    except RecursionError:
        raise BadDataError(f"{path}: its values are nested too deep. Correct the file by hand.") from None
    except ValueError as error:  # a number of thousands of digits is no TOMLDecodeError
        raise BadDataError(f"{path}: {error}. Correct the file by hand.") from None


def _expected(key: Setting) -> str:
    if key.choices:
        return "one of " + ", ".join(repr(choice) for choice in key.choices)
    kinds = {bool: "true or false", int: "a whole number from 0", list: "a list of paths", str: "text"}
    return kinds[type(key.default)]
