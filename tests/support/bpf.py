"""Interpret seccomp filters: run a program of the kernel's packet filter on one system call.

Written from the manual page, and stricter than the kernel: an instruction that it does not know, a jump out
of the program or a load across words of the call's data is an error.
"""

import struct
from dataclasses import dataclass

ALLOW, KILL_PROCESS, ERRNO, USER_NOTIF = 0x7FFF0000, 0x80000000, 0x00050000, 0x7FC00000
MAX_INSTRUCTIONS = 4096
WORD = (1 << 32) - 1


class BadProgramError(Exception):
    """Raised for a program that the kernel would refuse, or that this interpreter does not know."""


@dataclass(frozen=True, slots=True)
class Instruction:
    code: int
    yes: int
    no: int
    k: int


def decoded(program: bytes) -> list[Instruction]:
    """Decode the instructions of a program."""
    if not program or len(program) % 8 or len(program) // 8 > MAX_INSTRUCTIONS:
        raise BadProgramError("The program is empty or too long, or its length is not a multiple of 8.")
    return [Instruction(*struct.unpack_from("<HBBI", program, at)) for at in range(0, len(program), 8)]


def call_data(number: int, architecture: int, arguments: tuple[int, ...] = ()) -> bytes:
    """Return the 64 bytes that the kernel shows to a filter."""
    padded = [*(argument % (1 << 64) for argument in arguments), *[0] * (6 - len(arguments))]
    return struct.pack("<IIQ6Q", number % (1 << 32), architecture, 0, *padded)


def run(program: list[Instruction], data: bytes) -> int:
    """Run the filter and return its answer."""
    accumulator = index = place = 0
    for _ in range(len(program)):  # jumps go forward only
        if place >= len(program):
            raise BadProgramError("The program jumps past its end.")
        line = program[place]
        place += 1
        source = index if line.code & 0x08 else line.k
        match line.code & 0x07:
            case 0x00:
                accumulator = _loaded(line, data)
            case 0x01:
                index = _loaded(line, data)
            case 0x04:
                accumulator = _calculated(line.code & 0xF0, accumulator, source)
            case 0x05:
                place += _jump(line, accumulator, source)
            case 0x06:
                return accumulator if line.code & 0x18 == 0x10 else line.k
            case _:
                raise BadProgramError(f"No filter here needs the instruction {line}.")
    raise BadProgramError("The program ends without a return.")


def _loaded(line: Instruction, data: bytes) -> int:
    match line.code & 0xE0:
        case 0x00:
            return line.k
        case 0x20 if line.code & 0x18 == 0 and line.k % 4 == 0 and line.k + 4 <= len(data):
            return int.from_bytes(data[line.k : line.k + 4], "little")
        case 0x80:
            return len(data)
    raise BadProgramError(f"The load {line} is unknown or crosses words of the call's data.")


def _calculated(operation: int, a: int, b: int) -> int:
    results = {
        0x00: a + b,
        0x10: a - b,
        0x20: a * b,
        0x40: a | b,
        0x50: a & b,
        0x60: a << (b & 31),
        0x70: a >> (b & 31),
        0x80: -a,
        0xA0: a ^ b,
    }
    if operation not in results:
        raise BadProgramError(f"The operation {operation:#x} is unknown.")
    return results[operation] & WORD


def _jump(line: Instruction, a: int, b: int) -> int:
    tests = {0x10: a == b, 0x20: a > b, 0x30: a >= b, 0x40: bool(a & b)}
    operation = line.code & 0xF0
    if operation == 0x00:
        return line.k
    if operation not in tests:
        raise BadProgramError(f"The jump {line} is unknown.")
    return line.yes if tests[operation] else line.no
