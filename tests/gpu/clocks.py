"""Read a GPU's clocks from the driver: its power state, and why it runs slower than it could."""

import subprocess

_FIELDS = ("pstate", "clocks.sm", "clocks.max.sm", "clocks.mem", "power.draw", "power.limit", "temperature.gpu")
_REASONS = ("clocks_event_reasons.active", "clocks_throttle_reasons.active")  # the second is the older name
_WORDS = {
    0x1: "idle",
    0x2: "clocks set for applications",
    0x4: "power cap",
    0x8: "hardware slowdown",
    0x10: "in step with another GPU",
    0x20: "thermal, by the driver",
    0x40: "thermal, by the hardware",
    0x80: "power brake",
    0x100: "clocks set for a display",
}
_SECONDS = 10


def readings() -> dict[str, str]:
    """Return nvidia-smi's fields by name, with `reasons` for a slow clock in words, or {} without an answer."""
    values = _query(_FIELDS)
    for field in _REASONS if values else ():
        if active := _query((field,)).get(field, ""):
            return values | {"reasons": reasons(active)}
    return values


def reasons(active: str) -> str:
    """Name the reasons for a slow clock in a mask such as 0x0000000000000004. Return any other text unchanged."""
    try:
        bits = int(active, 16)
    except ValueError:
        return active
    return ", ".join(word for bit, word in _WORDS.items() if bits & bit) or "none"


def sentence(values: dict[str, str]) -> str:
    """Format the fields in one line."""
    if not values:
        return "nvidia-smi does not answer here"
    clock = f"SM {values['clocks.sm']} of {values['clocks.max.sm']} MHz, memory {values['clocks.mem']} MHz"
    power = f"{values['power.draw']} of {values['power.limit']} W, {values['temperature.gpu']} degrees"
    return f"{values['pstate']}, {clock}, {power}; slowed by: {values.get('reasons', 'unknown')}"


def _query(fields: tuple[str, ...]) -> dict[str, str]:
    command = ["nvidia-smi", f"--query-gpu={','.join(fields)}", "--format=csv,noheader,nounits", "--id=0"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=_SECONDS, check=True)
    except (OSError, subprocess.SubprocessError):
        return {}
    values = [value.strip() for value in done.stdout.strip().split(",")]
    return dict(zip(fields, values, strict=True)) if len(values) == len(fields) else {}
