"""`study check --fix`: what is certain is mended in deck files, each replaced whole, and progress moves along."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from studykit.cards.card import CardId
from studykit.cards.repairs import MendedDeck, mended
from studykit.cli.context import Context
from studykit.collection.collection import sources
from studykit.collection.files import DeckPath, Origin, Source, discover, read_text
from studykit.collection.readable_deck import deck_in
from studykit.errors import StudyError
from studykit.ordinary_file import replace_file
from studykit.paths import copies
from studykit.scheduling.events import EventKind


@dataclass(frozen=True, slots=True)
class FileRepair:
    """One thing that was mended in a file."""

    path: str
    line: int
    message: str


def mend(context: Context, named: Sequence[Path]) -> list[FileRepair]:
    """Mend the learner's own decks, or those of these files and folders; what was mended, file by file."""
    known = discover(
        (*sources(context.environ, context.config, context.config_file), Source(copies(), Origin.COPIED))
    )
    files = discover([Source(path, Origin.OWN) for path in named]).files if named else known.files
    own = [file for file in files if not _ships(file, known.files)]
    if not context.address.is_missing:
        context.refreshed_store()  # the cards as they were, so that what changes is seen
    taken, unnamed = _known(context, (*known.files, *own))
    repairs: list[FileRepair] = []
    renamed: dict[CardId, CardId] = {}
    for file in own:
        done = _mend_file(file, taken, _elsewhere(unnamed, file.path))
        repairs += [FileRepair(file.path, repair.line, repair.message) for repair in done.repairs]
        renamed |= done.renamed
        taken |= {str(new) for new in done.renamed.values()}
    if renamed and not context.address.is_missing:
        _move_progress(context, renamed)
    return repairs


def _ships(file: DeckPath, known: Iterable[DeckPath]) -> bool:
    return any(each.place == file.place and each.origin is Origin.SHIPPED for each in known)


def _known(context: Context, files: Iterable[DeckPath]) -> tuple[set[str], dict[str, set[str]]]:
    """Every id that a card has or had, and the content hashes of the cards without one, by file."""
    taken: set[str] = set()
    unnamed: dict[str, set[str]] = {}
    for file in {file.path: file for file in files}.values():
        text, _, wrong = read_text(file.path)
        deck, _ = deck_in(text, file.path, wrong)
        taken |= {str(name) for card in deck.cards if card.named for name in (card.id, card.note)}
        unnamed[file.path] = {card.content_hash for card in deck.cards if not card.named}
    if not context.address.is_missing:
        taken |= {str(name) for card in context.store.cards.orphans() for name in (card.id, card.note)}
        taken |= {str(name) for name in context.store.schedule.moved()}
    return taken, unnamed


def _elsewhere(unnamed: dict[str, set[str]], path: str) -> set[str]:
    return {content for other, contents in unnamed.items() if other != path for content in contents}


def _mend_file(file: DeckPath, taken: set[str], elsewhere: set[str]) -> MendedDeck:
    """Mend one file; nothing where it is no text, or where somebody else writes it meanwhile."""
    text, _, wrong = read_text(file.path)
    if wrong is not None:
        return MendedDeck(text)
    done = mended(text, file.path, taken, elsewhere)
    if not done.repairs:
        return done
    path = Path(file.path).resolve()
    try:
        if path.read_bytes() != text.encode():
            raise StudyError(f"{file.path} was changed by another program meanwhile; run it again.")
        replace_file(path, done.text.encode())
    except OSError as error:
        raise StudyError(f"{file.path} cannot be written ({error.strerror}); allow it.") from None
    return done


def _move_progress(context: Context, renamed: dict[CardId, CardId]) -> None:
    """Let each card go on under its new id, where reading the decks again has not done so."""
    context.collection.refresh()
    store = context.store
    known = store.schedule.memories()
    for old, new in renamed.items():
        if old in known and new not in known and store.cards.present(new) is not None:
            store.log.record(EventKind.RELINK, new, target=old)
