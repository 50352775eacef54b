"""Make a bet on one snippet from a command line, and report the question or the settled bet."""

from collections.abc import Mapping
from pathlib import Path

from studykit.cards.card import NO_CARD
from studykit.errors import BadDataError, NotFoundError, UsageError
from studykit.exercise.bet import bench, describe
from studykit.exercise.bet.bounds import Count
from studykit.exercise.bet.record import showing_after
from studykit.exercise.bet.recorded import CARDS, Recording
from studykit.exercise.bet.score import Bet, BetOutcome
from studykit.exercise.bet.snippet import OWN, BetVariant, Size, Snippet
from studykit.exercise.kind import Report
from studykit.exercise.services import Services
from studykit.exercise.tries import unfinished_seed
from studykit.quantity.reading import BadAnswerError
from studykit.scheduling.event_kinds import EventKind
from studykit.text import sentence

MAX_BYTES = 100_000  # of a snippet


def read_bet(time: str | None, binds: str | None, interval: tuple[str, str] | None) -> Bet | None:
    """Parse the bet of a command line, or return None if there is none."""
    if time is None:
        if binds or interval:
            raise UsageError("A bet needs its time too, such as --bet 0.2ms.")
        return None
    reason = None if binds is None else describe.read_binds(binds)
    try:
        low, high = sorted(map(describe.read_time, interval)) if interval else (None, None)
        return Bet(describe.read_time(time), reason, low, high)
    except BadAnswerError as error:
        raise BadDataError(sentence(str(error))) from None


def bet_on(
    services: Services,
    name: str,
    device: str | None = None,
    seed: int | None = None,
    bet: Bet | None = None,
    *,
    asks: bool = False,
    unconfined: bool = False,
) -> Report:
    """Settle a bet on `bet.NAME` or a file. Without a bet, ask for one if `asks`, or else show the snippet.

    An `unconfined` snippet may run outside the sandbox if it cannot run inside.
    """
    permission = services.file_permission(unconfined)
    path = Path(name)
    if not (path.exists() or path.suffix == ".py" or name.startswith("bet.")):
        raise NotFoundError(f"{name!r} is not an exercise or a file. Find an exercise with", "study exercise list")
    file = None if name.startswith("bet.") and not path.exists() else own(path)
    if seed is None and asks and bet is None:
        seed = unfinished_seed(services, name)
    device_name = bench.chosen(services, device) if file is None else device or bench.AUTO
    if file is not None and device_name in CARDS:
        raise UsageError(f"Only the shipped bets were recorded. Measure {name} with --device cpu or cuda.")
    with bench.open_bench(services, device_name, permission) as place:
        if place.notice and (bet is not None or not asks):  # else the dialogue shows it
            services.tell(place.notice)
        variant = file or place.draw(bench.bet_named(name), services.seed() if seed is None else seed)
        if file is not None and isinstance(place, bench.OwnDevice):
            place.worker.check_own_file(permission)
        count = place.count(variant)
        if bet is not None:
            return _settle(services, place, variant, bet)
        if asks:
            return _ask_bet(services, place, variant)
        return Report(_question_document(variant, count, place.name), "\n".join(_question_lines(variant, count)))


def own(path: Path, sizes: Mapping[str, Size] | None = None) -> BetVariant:
    """Read the learner's own file as a snippet."""
    from studykit.ordinary_file import read_text

    if not path.exists():
        raise NotFoundError(f"{path} does not exist. Name a Python file.")
    source = read_text(path, MAX_BYTES, "Name a Python file.", BadDataError)
    return BetVariant(OWN, 1, 0, Snippet(source, str(path), sizes or {}))


def _settle(services: Services, place: bench.Bench, variant: BetVariant, bet: Bet) -> Report:
    """Log a bet before anything runs, then measure, judge and log the outcome."""
    if isinstance(place, Recording) and not place.row_of(variant).is_exact:
        raise UsageError(
            f"{variant.name} has no exact time on {place.place}. Leave --bet out to say what binds it."
        )
    bench.commit(services.store, variant, bet)
    outcome = place.outcome(variant, bet)
    services.store.log.record(EventKind.PRACTICE, NO_CARD, showing=showing_after(variant, outcome))
    conclusion = filter(None, (describe.verdict_line(outcome), describe.omission(outcome), variant.lesson))
    lines = [
        f"{variant.snippet.path} on {outcome.ceilings.device}",
        *([place.origin] if isinstance(place, Recording) else []),
        *(f"  {name} = {value}" for name, value in variant.snippet.sizes.items()),
        "",
        *(f"  {line}" for line in describe.table(outcome)),
    ]
    return Report(
        _outcome_document(variant, outcome),
        "\n".join(lines),
        outcome.verdict,
        tuple(bench.pictures(outcome)),
        "\n".join(conclusion),
    )


def _ask_bet(services: Services, place: bench.Bench, variant: BetVariant) -> Report:
    """Ask for a bet in a Ui of its own, and report its outcome in a line."""
    from studykit.exercise.bet.question import question_of
    from studykit.exercise.run import Run, RunState
    from studykit.exercise.turn import Asking, Turn
    from studykit.review.keymap import keymap

    turn = Turn(variant.name, variant.name, lambda asking, _done: question_of(asking, place, variant))
    with Asking(services) as asking, services.open_ui() as asking.ui:
        run = Run(asking, keymap(keys=services.settings("keys")), RunState((turn,)), why=variant.name)
        run.through()
    line = run.state.done[-1].asked.line if run.state.done else ""
    return Report({}, f"{variant.name}: {line}" if line else "")


def _question_lines(variant: BetVariant, count: Count) -> list[str]:
    seed = "" if variant.name == OWN else f" --seed {variant.seed}"
    device = f" --device {variant.device}" if variant.device else ""
    return [
        *variant.markdown.splitlines()[1:-1],
        *(f"# takes {described}" for described in count.inputs),
        f"\nNow bet: study time {variant.snippet.path}{seed}{device} --bet TIME --binds compute|memory|overhead",
    ]


def _question_document(variant: BetVariant, count: Count, device: str) -> dict[str, object]:
    return {
        "snippet": variant.name,
        "seed": variant.seed,
        "source": variant.snippet.source,
        "sizes": dict(variant.snippet.sizes),
        "inputs": list(count.inputs),
        "device": device,
    }


def _outcome_document(variant: BetVariant, outcome: BetOutcome) -> dict[str, object]:
    measured, bet = outcome.measured, outcome.bet
    return {
        "snippet": variant.snippet.path,
        "seed": variant.seed,
        "sizes": dict(variant.snippet.sizes),
        "bet": bet.seconds,
        "binds": bet.binds,
        "interval": None if bet.low is None else [bet.low, bet.high],
        "measured": {"median": measured.median, "p20": measured.p20, "p80": measured.p80},
        "samples": measured.samples,
        "fresh": None,  # a time that is not measured any more
        "flops": outcome.count.flops,
        "bytes": outcome.count.bytes_moved,
        "intensity": outcome.count.intensity,
        "bound": outcome.limits.reason,
        "reasons": sorted(outcome.limits.binds),
        "floor": outcome.limits.fused,
        "bounds": {"eager": outcome.limits.eager, "fused": outcome.limits.fused},
        "ceilings": outcome.ceilings.values(),
        "factor": outcome.factor,
        "device": outcome.ceilings.device,
        "verdict": outcome.verdict.name,
        "grade": None if outcome.grade is None else int(outcome.grade),
        "covered": outcome.covered,
        "slips": list(outcome.slips),
        "message": describe.verdict_line(outcome),
    }
