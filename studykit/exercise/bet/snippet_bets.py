"""A bet on one snippet, as a command line makes it: the question, the settled bet, and both in words."""

from collections.abc import Sequence
from pathlib import Path
from uuid import UUID

from studykit.cards.card import NO_CARD
from studykit.errors import BadDataError, NotFoundError, UsageError
from studykit.exercise.bet import describe, device_ceilings, measuring
from studykit.exercise.bet.bounds import Count
from studykit.exercise.bet.record import showing_after
from studykit.exercise.bet.score import Bet, BetOutcome
from studykit.exercise.bet.snippet import Snippet
from studykit.exercise.kind import Report
from studykit.exercise.services import Services
from studykit.graders.host.device_worker import DeviceWorker, device_worker
from studykit.quantity.reading import BadAnswerError
from studykit.scheduling.event_kinds import EventKind
from studykit.scheduling.outcomes import NOT_SCORED
from studykit.text import sentence

LONGEST_SOURCE, _MOST_BYTES = 100_000, 4  # characters; bytes of one


def read_bet(time: str | None, binds: str | None, interval: tuple[str, str] | None) -> Bet | None:
    """The bet of a command line; None where none is made."""
    if time is None:
        if binds or interval:
            raise UsageError("a bet needs its time too, such as --bet 0.2ms.")
        return None
    reason = None if binds is None else describe.read_binds(binds)
    try:
        low, high = describe.in_order(*map(describe.read_time, interval)) if interval else (None, None)
        return Bet(describe.read_time(time), reason, low, high)
    except BadAnswerError as error:
        raise BadDataError(sentence(str(error))) from None


def bet_on(
    services: Services,
    name: str,
    device: str = "auto",
    seed: int | None = None,
    bet: Bet | None = None,
    *,
    asks: bool = False,
    unconfined: bool = False,
) -> Report:
    """The bet on `bet.NAME` or a file, settled; where none was made it is asked for if `asks`, else shown.

    An `unconfined` snippet may run outside the sandbox where it cannot inside.
    """
    permission = services.file_permission(unconfined)
    with device_worker(services.open_worker, device, permission) as worker:
        if worker.notice and (bet is not None or not asks):  # else the dialogue tells it
            services.tell(worker.notice)
        variant = variant_named(services, name, worker.device, seed)
        if variant.name == measuring.OWN:
            worker.check_own_file(permission)
        count = worker.count(variant.snippet)
        if bet is not None:
            return _settled(services, worker, variant, bet)
        if asks:
            return _asked(services, worker, variant)
        return Report(_question_document(variant, count, worker.device), "\n".join(_question(variant, count)))


def own(path: Path) -> measuring.BetVariant:
    """The learner's own file as a snippet; refused when it cannot be read."""
    from studykit.ordinary_file import read_text

    if not path.exists():
        raise NotFoundError(f"there is no exercise and no file {str(path)!r}; see: study exercise list")
    source = read_text(path, _MOST_BYTES * LONGEST_SOURCE, "name a Python file.", BadDataError)
    if len(source) > LONGEST_SOURCE:
        raise BadDataError(f"{path} is too long for a snippet; keep it under {LONGEST_SOURCE:,} characters.")
    return measuring.BetVariant(measuring.OWN, 1, 0, Snippet(source, str(path), {}))


def variant_named(services: Services, name: str, device: str, seed: int | None) -> measuring.BetVariant:
    """The bet of that id with sizes for a device, or the learner's own file."""
    if name.startswith("bet.") and not Path(name).exists():
        return measuring.draw_bet(measuring.bet_named(name), device, services.seed() if seed is None else seed)
    return own(Path(name))


def _settled(services: Services, worker: DeviceWorker, variant: measuring.BetVariant, bet: Bet) -> Report:
    """The bet committed before anything runs, then measured, judged and logged."""
    event = measuring.commit(services.store, variant, bet)
    outcome = measuring.measure(services, worker, variant, bet)
    showing = showing_after(event.showing, outcome) if event.showing is not None else None
    services.store.log.record(EventKind.PRACTICE, NO_CARD, showing=showing)
    whys = [line for line in (describe.oversight(outcome), variant.lesson) if line]
    conclusion = [describe.verdict_line(outcome), *(f"{why[0].upper()}{why[1:].rstrip('.')}." for why in whys)]
    lines = [
        f"{_spoken(variant)} on {outcome.ceilings.device}",
        *(f"  {name} = {value}" for name, value in variant.snippet.sizes.items()),
        "",
        *(f"  {line}" for line in (*describe.table(outcome), *measuring.problems(outcome.count))),
    ]
    return Report(
        _document(variant, outcome, outcome.slips),
        "\n".join(lines),
        outcome.verdict,
        tuple(measuring.pictures(outcome)),
        "\n".join(conclusion),
    )


def _asked(services: Services, worker: DeviceWorker, variant: measuring.BetVariant) -> Report:
    """Ask the bet in a Ui of its own, and log it without a grade."""
    from studykit.exercise.bet.question import question_of
    from studykit.exercise.run import Run
    from studykit.exercise.turn import Asking, Done, Turn
    from studykit.review.keymap import keymap

    def record(run: Run, done: Done) -> UUID | None:
        if done.asked.verdict == NOT_SCORED:
            return None
        return run.store.log.record(EventKind.PRACTICE, NO_CARD, showing=done.asked.showing).event.id

    turn = Turn(variant.name, variant.name, lambda asking, _done: question_of(asking, worker, variant))
    with Asking(services) as asking, services.open_ui() as asking.ui:
        run = Run(asking, keymap(keys=services.settings("keys")), [turn], why=variant.name, record=record)
        run.through()
    line = run.done[-1].asked.line if run.done else ""
    return Report({}, f"{variant.name}: {line}" if line else "")


def _question(variant: measuring.BetVariant, count: Count) -> list[str]:
    target = variant.snippet.path if variant.name == measuring.OWN else f"{variant.name} --seed {variant.seed}"
    return [
        *variant.markdown.splitlines()[1:-1],
        *(f"# takes {described}" for described in count.inputs),
        f"\nNow bet: study time {target} --bet TIME --binds compute|memory|overhead",
    ]


def _spoken(variant: measuring.BetVariant) -> str:
    return variant.name if variant.name != measuring.OWN else variant.snippet.path


def _question_document(variant: measuring.BetVariant, count: Count, device: str) -> dict[str, object]:
    return {
        "snippet": variant.name,
        "seed": variant.seed,
        "source": variant.snippet.source,
        "sizes": dict(variant.snippet.sizes),
        "inputs": list(count.inputs),
        "device": device,
    }


def _document(variant: measuring.BetVariant, outcome: BetOutcome, slips: Sequence[str]) -> dict[str, object]:
    measured, bet, by_itself = outcome.measured, outcome.bet, None
    if fresh := measured.fresh:
        by_itself = {"median": fresh.median, "first_touch": fresh.first_touch, "page_faults": fresh.pages}
    return {
        "snippet": _spoken(variant),
        "seed": variant.seed,
        "sizes": dict(variant.snippet.sizes),
        "bet": bet.seconds,
        "binds": bet.binds,
        "interval": None if bet.low is None else [bet.low, bet.high],
        "measured": {"median": measured.median, "p20": measured.p20, "p80": measured.p80},
        "samples": measured.samples,
        "fresh": by_itself,
        "flops": outcome.count.flops,
        "bytes": outcome.count.bytes_moved,
        "intensity": outcome.count.intensity,
        "bound": outcome.limits.reason,
        "reasons": sorted(outcome.limits.binds),
        "floor": outcome.limits.fused,
        "bounds": {"eager": outcome.limits.eager, "fused": outcome.limits.fused},
        "ceilings": device_ceilings.values(outcome.ceilings),
        "factor": outcome.factor,
        "device": outcome.ceilings.device,
        "verdict": outcome.verdict.name,
        "grade": None if outcome.grade is None else int(outcome.grade),
        "points": outcome.points,
        "covered": outcome.covered,
        "slips": list(slips),
        "message": describe.verdict_line(outcome),
    }
