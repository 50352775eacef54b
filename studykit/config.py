"""Read, check and change the learner's configuration, a TOML file with known keys."""

import fcntl
import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from studykit.errors import BadDataError, StudyError, UsageError
from studykit.scheduling.event_kinds import FSRS
from studykit.scheduling.sm2 import PROFILE as SM2
from studykit.text import did_you_mean

if TYPE_CHECKING:
    from studykit.scheduling.fsrs import Fsrs

SettingValue = str | int | bool | list[str]


@dataclass(frozen=True, slots=True)
class Setting:
    """Define a setting: its dotted name, its default, its help line, and its allowed values."""

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
"""All settings except those under `keys.`, which name commands of the review."""

_BY_NAME = {key.name: key for key in SETTINGS}
_SECTIONS = {name.partition(".")[0] for name in _BY_NAME if "." in name} | {"keys"}
_HEADS = [f"[{section}]" for section in sorted(_SECTIONS)]
MAX_FILE_BYTES = 100_000
MAX_WHOLE_NUMBER = 10**9  # a database cannot store much larger ones
_YES, _NO = {"true", "yes", "on", "1"}, {"false", "no", "off", "0"}


def read_config(path: Path) -> dict[str, Any]:
    """Read the settings by section, with the default of each one that the file does not set."""
    document = _parse_file(path)
    sections: dict[str, dict[str, object]] = {section: {} for section in sorted(_SECTIONS)}
    config: dict[str, Any] = {**sections}
    for key in SETTINGS:
        section, _, name = key.name.rpartition(".")
        value = value_at(document, key.name)
        value = key.default if value is None else checked(key, value, path)
        (sections[section] if section else config)[name] = value
    if isinstance(keys := document.get("keys"), dict):
        sections["keys"].update((name, str(value)) for name, value in keys.items() if _is_setting(f"keys.{name}"))
    return config


def unknown_settings(path: Path) -> list[str]:
    """Return a message for each unknown key or section in the file."""
    return [f"{path}: {message}" for message in _unknown_names(_parse_file(path))]


def _unknown_names(document: Mapping[str, object]) -> Iterator[str]:
    for section, value in document.items():
        if not isinstance(value, dict):
            if section not in _BY_NAME:
                yield no_such_setting(section)
        elif section not in _SECTIONS:
            yield f"Unknown section [{section}].{did_you_mean(f'[{section}]', _HEADS)}"
        else:
            names = [f"{section}.{name}" for name in value]
            yield from (no_such_setting(name) for name in names if not _is_setting(name))


def _is_setting(name: str) -> bool:
    return name in (_actions() if name.startswith("keys.") else _BY_NAME)


def _actions() -> set[str]:
    """Return the allowed names of settings under `keys.`, each with that prefix."""
    from studykit.review.keymap import WORDS, Action

    return {f"keys.{name}" for name in (*WORDS, *Action, "preset")}


def setting_named(name: str) -> Setting:
    """Return the setting of this name, or raise UsageError with a suggestion."""
    if not _is_setting(name):
        raise UsageError(
            no_such_setting(name), f"study {'help keys' if name.startswith('keys.') else 'config list'}"
        )
    return _BY_NAME.get(name) or Setting(name, "", "a key of the review")


def no_such_setting(name: str) -> str:
    """Return a message that a setting does not exist, with a similar name if there is one."""
    if name.startswith("keys."):
        return f"Unknown action {name!r}.{did_you_mean(name, _actions())}"
    last = name.rpartition(".")[2]
    namesake = next((setting for setting in _BY_NAME if setting.rpartition(".")[2] == last), None)
    question = f" Did you mean {namesake}?" if namesake else ""
    return f"Unknown setting {name!r}.{did_you_mean(name, _BY_NAME) or question}"


def value_at(config: Mapping[str, object], name: str) -> object:
    """Return a key's value in the result of `read_config` or in a parsed file, or None."""
    section, _, last = name.rpartition(".")
    values = config.get(section, {}) if section else config
    return values.get(last) if isinstance(values, Mapping) else None


def parse(key: Setting, text: str) -> SettingValue:
    """Parse a value from the command line, or raise UsageError."""
    value: object = text
    match key.default:
        case bool() if text.lower() in _YES | _NO:
            value = text.lower() in _YES
        case int() if text.lstrip("-").isdecimal() and len(text) <= len(str(MAX_WHOLE_NUMBER)):
            value = int(text)
        case list():
            value = _parse_list(key, text)
    return checked(key, value)


def _parse_list(key: Setting, text: str) -> object:
    """Parse a list that is written as in TOML, or separated by commas, or by colons as in PATH."""
    if not text.strip().startswith("["):
        parts = text.split("," if "," in text else os.pathsep)
        return [part.strip() for part in parts if part.strip()]
    import tomllib

    try:
        return tomllib.loads(f"value = {text}")["value"]
    except tomllib.TOMLDecodeError:
        raise UsageError(f'{key.name} is {_allowed_values(key)}, not {text!r}. Write a,b or ["a", "b"].') from None


def checked(key: Setting, value: object, file: Path | None = None) -> SettingValue:
    """Return the value if the setting allows it, else raise BadDataError if it is from a file, or UsageError."""
    texts = [part for part in (value if isinstance(value, list) else [value]) if isinstance(part, str)]
    is_allowed = (
        type(value) is type(key.default)
        and (not key.choices or value in key.choices)
        and (not isinstance(value, int) or 0 <= value <= MAX_WHOLE_NUMBER)
        and (not isinstance(value, list) or len(texts) == len(value))
    )
    # No path has a NUL, and no file of settings a byte of the command line that is not UTF-8.
    has_odd_signs = any(sign == "\0" or "\ud800" <= sign <= "\udfff" for sign in "".join(texts))
    if not is_allowed or has_odd_signs:
        wanted = _allowed_values(key) + (" in UTF-8 without NUL" if is_allowed else "")
        message = f"{key.name} is {wanted}, not {value!r}."
        raise UsageError(message) if file is None else BadDataError(f"{file}: {message}")
    return value  # type: ignore[return-value]


def write_config(path: Path, name: str, value: SettingValue) -> None:
    """Write one setting into the file, as `change_config` does."""
    change_config(path, lambda _: {name: value})


def change_config(path: Path, change: Callable[[Mapping[str, object]], Mapping[str, SettingValue]]) -> None:
    """Write the settings that `change` computes from the present ones, all of them or none.

    Everything else in the file stays as it is. Where the file system has locks, no other studykit process changes
    the file meanwhile.
    """
    from studykit.ordinary_file import explaining, replace_file

    try:
        file = path.resolve()  # keeps the links that dotfiles often are
    except (OSError, RuntimeError) as error:  # a link that leads to itself
        raise StudyError(f"{path} is a link that leads to itself. Replace it with a file.") from error
    with _lock(file.parent):
        values = change(read_config(file))
        if values:
            with explaining(
                f"{path} cannot be written (",
                "). Allow writing to it, or name another file with --config.",
                StudyError,
            ):
                replace_file(file, _edited_text(file, values).encode())


def _edited_text(path: Path, values: Mapping[str, SettingValue]) -> str:
    import tomlkit
    from tomlkit.exceptions import TOMLKitError

    try:
        document = tomlkit.parse(_text(path))
    except (TOMLKitError, RecursionError) as error:
        raise BadDataError(f"{path}: {error}. Correct the file by hand.") from None
    for name, value in values.items():
        section, _, last = name.rpartition(".")
        if section and not isinstance(document.get(section, {}), Mapping):
            raise BadDataError(f"{path}: {section} is not a section. Replace its line with [{section}].")
        if section:
            document.setdefault(section, tomlkit.table())[last] = value
        else:
            document[last] = value
    return tomlkit.dumps(document)


@contextmanager
def _lock(folder: Path) -> Iterator[None]:
    """Lock the folder, made if missing, against other studykit processes. No lock file is left behind."""
    from studykit.ordinary_file import explaining

    with explaining(f"{folder} cannot be made (", "). Name another file with --config.", StudyError):
        folder.mkdir(parents=True, exist_ok=True)
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        with suppress(OSError):  # a file system without locks
            fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


def scheduler_name(settings: Mapping[str, Any]) -> str:
    """Return the scheduler's name, "" for SM-2. Raise UsageError for settings that FSRS refuses."""
    return "" if settings["scheduler"] == SM2 else fsrs_of(settings).name


def fsrs_of(settings: Mapping[str, Any]) -> "Fsrs":
    """Return FSRS with the learner's retention and parameters, or raise UsageError if it refuses them."""
    from studykit.scheduling.fsrs import PUBLISHED, Fsrs

    own = settings["fsrs"]
    try:
        weights = [float(text) for text in own["parameters"]]
    except ValueError:
        raise UsageError(
            "fsrs.parameters holds something other than numbers. Give 21 numbers with commas between them."
        ) from None
    return Fsrs(own["retention"] / 100, weights or PUBLISHED)


def _text(path: Path) -> str:
    """Read the configuration file, or return "" if there is none.

    A shell prompt calls this, so it imports little.
    """
    try:
        if path.is_fifo():  # opening one would wait for a writer
            raise UsageError(f"{path} is a named pipe. Name a file with --config.")
        with path.open("rb") as file:
            data = file.read(MAX_FILE_BYTES + 1)  # a device has no end
        if len(data) > MAX_FILE_BYTES:
            raise BadDataError(f"{path} is larger than {MAX_FILE_BYTES:,} bytes. Name another file with --config.")
        return data.decode("utf-8").replace("\r\n", "\n")
    except FileNotFoundError:
        return ""
    except UnicodeDecodeError as error:
        raise BadDataError(f"{path} is not text in UTF-8. Save it as UTF-8.") from error
    except OSError as error:
        raise StudyError(
            f"{path} cannot be read ({error.strerror}). Allow reading it, or name another file with --config."
        ) from error


def _parse_file(path: Path) -> dict[str, object]:
    if not (text := _text(path)):
        return {}
    import tomllib

    try:
        return tomllib.loads(text)
    except RecursionError:
        raise BadDataError(f"{path}: its values are nested too deep. Correct the file by hand.") from None
    except ValueError as error:  # not TOMLDecodeError, for a number with thousands of digits
        raise BadDataError(f"{path}: {error}. Correct the file by hand.") from None


def _allowed_values(key: Setting) -> str:
    if key.choices:
        return "one of " + ", ".join(repr(choice) for choice in key.choices)
    kinds = {
        bool: "true or false",
        int: f"a whole number from 0 to {MAX_WHOLE_NUMBER:,}",
        list: "a list",
        str: "text",
    }
    return kinds[type(key.default)]
