"""What may run outside the sandbox: the one rule.

Where the sandbox keeps the GPU away, or does not hold on this machine, the learner's own code may still run:

- what is typed or edited inside `study exercise` and `study review`, after one question with its reason, which the
  setting `sandbox.unconfined` answers for good;
- a file that `study grade` or `study time` names, by `--unconfined` each time, whatever the setting says.

Whatever has no `Permission` never does: a batch, a worker of a cluster, a class. No flag or setting changes that.
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
_SETTING_HELP = f"to allow it: study config set {SETTING} always"
_NOTHING_HELP = "only your own file (--unconfined) or an answer in `study exercise` may run outside it"
_Place = TypeVar("_Place")


@dataclass(slots=True)
class Permission:
    """Whether the learner's own code may run outside the sandbox. The learner's answer is remembered."""

    answer: str
    advice: str  # what to do where the answer is no
    open_worker: "Callable[[str], Worker]"  # without bubblewrap, which would be around the child as well

    @classmethod
    def of_file(cls, open_worker: "Callable[[str], Worker]", *, flag: bool) -> "Permission":
        """Make the permission for a file on the command line, which only the flag decides."""
        return cls(ALWAYS if flag else NEVER, _FLAG_HELP, open_worker)

    @classmethod
    def of_typed(cls, open_worker: "Callable[[str], Worker]", setting: str) -> "Permission":
        """Make the permission for code typed in a session: the setting, or a question if the setting is `ask`."""
        return cls(setting, _SETTING_HELP, open_worker)

    def allows(self, why: str, ui: "Ui | None" = None) -> bool:
        """Return the permission. Ask the learner once, with the reason, if it is not known yet."""
        if self.answer == ASK and ui is not None:
            ui.tell(
                f"{why[0].upper()}{why[1:]}. Your answers can run outside the sandbox instead, as `python` would "
                f"run them; they could then read and change your files. `study config set {SETTING} always` "
                "(or `never`) answers this for good."
            )
            key = ui.choose("Run your answers outside the sandbox?", (("y", "yes, until I leave"), ("n", "no")))
            self.answer = ALWAYS if key == "y" else NEVER
        return self.answer == ALWAYS


def require_enforcement(containment: Containment, permission: Permission | None, ui: "Ui | None" = None) -> None:
    """Refuse to run untrusted code if the sandbox does not hold here and running it is not permitted."""
    if containment.whole:
        return
    why = f"the sandbox cannot limit {', '.join(containment.missing())} on this machine"
    if permission is None or not permission.allows(why, ui):
        raise MissingError(f"{why}, so nothing was run; {permission.advice if permission else _NOTHING_HELP}.")


def place_on_gpu(
    inside: _Place,
    outside: Callable[[Permission], _Place],
    trouble: Callable[[_Place], str],
    permission: Permission | None,
    ui: "Ui | None" = None,
    *,
    required: bool = False,
) -> tuple[_Place | None, str, str]:
    """Choose where to use the GPU: inside the sandbox, else outside it if that is permitted, else nowhere.

    Then why it is not used in the sandbox, and a notice for the learner before anything is measured or graded.
    `trouble` tries a place, and says what is wrong with it. MissingError where it works in none and is `required`.
    """
    if not (why := trouble(inside)):
        return inside, "", ""
    why = f"{NO_GPU} ({why})"
    advice = f"; {permission.advice}" if permission else ""
    if permission is not None and permission.allows(why, ui):
        place = outside(permission)
        if not (elsewhere := trouble(place)):
            return place, why, f"Note: {why}, so your code runs outside it."
        why, advice = f"{why}, and does not work outside it ({elsewhere})", ""
    if required:
        raise MissingError(f"{why}{advice}, or use --device cpu.")
    return None, why, f"Note: {why}, so the CPU is used{advice}."
