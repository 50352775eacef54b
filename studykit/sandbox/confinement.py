"""Decide what may run outside the sandbox.

If the sandbox blocks the GPU, or cannot be enforced on this machine, the learner's own code may still run:

- code typed or edited inside `study exercise` and `study review`, after asking once with the reason; the setting
  `sandbox.unconfined` answers that question for good;
- a file named to `study grade` or `study time`, with `--unconfined` each time, whatever the setting says.

Code without a `Permission` (a batch, a cluster's workers, a class) never runs outside, whatever flag or setting.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from studykit.errors import MissingError
from studykit.sandbox.gpu import NO_GPU
from studykit.sandbox.lockdown import Containment

if TYPE_CHECKING:
    from studykit.sandbox.worker import Worker
    from studykit.ui import Ui

ASK, ALWAYS, NEVER = "ask", "always", "never"
ANSWERS = (ASK, ALWAYS, NEVER)
SETTING = "sandbox.unconfined"
_FLAG_HELP = "add --unconfined to run your own file outside it"
_SETTING_HELP, _SETTING_COMMAND = "let your answers run outside it", f"study config set {SETTING} always"
_NOTHING_HELP = "only your own file (--unconfined) or an answer in `study exercise` may run outside it"
_Place = TypeVar("_Place")


@dataclass(slots=True)
class Permission:
    """Hold whether the learner's own code may run outside the sandbox, and remember their answer."""

    answer: str
    advice: str  # what to do if the answer is no
    open_worker: "Callable[[str], Worker]"  # without bubblewrap, which would wrap the child too
    command: str = ""  # that does what the advice says

    @classmethod
    def of_file(cls, open_worker: "Callable[[str], Worker]", *, flag: bool) -> "Permission":
        """Return the permission for a file on the command line. Only the flag decides it."""
        return cls(ALWAYS if flag else NEVER, _FLAG_HELP, open_worker)

    @classmethod
    def of_typed(cls, open_worker: "Callable[[str], Worker]", setting: str) -> "Permission":
        """Return the permission for code typed in a session, which the setting decides or leaves to a question."""
        return cls(setting, _SETTING_HELP, open_worker, _SETTING_COMMAND)

    def allows(self, why: str, ui: "Ui | None" = None) -> bool:
        """Return whether code may run outside, after asking the learner once if the setting is `ask`."""
        if self.answer == ASK and ui is not None:
            ui.tell(
                f"{_capitalized(why)}. Your answers can run outside the sandbox instead, as `python` would "
                f"run them; they could then read and change your files. `study config set {SETTING} always` "
                "(or `never`) answers this for good."
            )
            key = ui.choose("Run your answers outside the sandbox?", (("y", "yes, until I leave"), ("n", "no")))
            self.answer = ALWAYS if key == "y" else NEVER
        return self.answer == ALWAYS


def require_enforcement(containment: Containment, permission: Permission | None, ui: "Ui | None" = None) -> None:
    """Raise MissingError if the sandbox cannot be enforced and the learner does not permit running outside it."""
    if containment.whole:
        return
    why = f"the sandbox cannot limit {', '.join(containment.missing())} on this machine"
    if permission is None or not permission.allows(why, ui):
        advice, command = (permission.advice, permission.command) if permission else (_NOTHING_HELP, "")
        stop = "" if command else "."
        raise MissingError(f"{_capitalized(why)}, so nothing was run. {_capitalized(advice)}{stop}", command)


def _capitalized(text: str) -> str:
    return f"{text[0].upper()}{text[1:]}"


def place_on_gpu(
    inside: _Place,
    outside: Callable[[Permission], _Place],
    trouble: Callable[[_Place], str],
    permission: Permission | None,
    ui: "Ui | None" = None,
    *,
    required: bool = False,
) -> tuple[_Place | None, str, str]:
    """Choose where to use the GPU: inside the sandbox, else outside it if permitted, else nowhere (None).

    Also return why the sandbox cannot use it, and a notice to show the learner before anything is measured or
    graded. `trouble` tries a place and returns what is wrong with it, or "". Raise MissingError if the GPU works
    nowhere and is `required`.
    """
    if not (why := trouble(inside)):
        return inside, "", ""
    why = f"{NO_GPU} ({why})"
    advice, command = (permission.advice, permission.command) if permission else ("", "")
    if permission is not None and permission.allows(why, ui):
        place = outside(permission)
        if not (elsewhere := trouble(place)):
            return place, why, f"Note: {why}, so your code runs outside it."
        why, advice, command = f"{why}, and does not work outside it ({elsewhere})", "", ""
    if required:
        stop = "" if command else "."
        raise MissingError(f"{_capitalized(why)}. Use --device cpu{advice and f', or {advice}'}{stop}", command)
    steps = (advice and f"; {advice}") + (command and f" ({command})")
    return None, why, f"Note: {why}, so the CPU is used{steps}."
