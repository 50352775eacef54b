"""Codes in the place of students' names: the same in every report of this installation, by a key of its own."""

import hmac
import os
from base64 import b32encode
from collections.abc import Callable
from pathlib import Path

from studykit.errors import StudyError
from studykit.store.privacy import create_private

_KEY_BYTES = 32
_CODE_BYTES = 5
_HALF = 4


def code_maker(key_file: Path) -> Callable[[str], str]:
    """Gives a name's code, such as k7q2-m3xa, by a key that is made at the first time."""
    key = _key(key_file)

    def code(name: str) -> str:
        digest = hmac.digest(key, name.encode(errors="replace"), "sha256")[:_CODE_BYTES]
        letters = b32encode(digest).decode().lower()
        return f"{letters[:_HALF]}-{letters[_HALF:]}"

    return code


def _key(file: Path) -> bytes:
    try:
        create_private(file)
        key = file.read_bytes()
        if len(key) < _KEY_BYTES:
            key = os.urandom(_KEY_BYTES)
            file.write_bytes(key)
    except OSError as error:
        raise StudyError(f"{file}, the key of the codes, cannot be kept: {error.strerror}.") from None
    return key
