"""Match new cards with cards that are gone, so that edited cards keep their progress.

A match is certain if the content is the same under another id. It is also certain if the question or the answer is
unchanged, or nine tenths of the text are, provided that numbers and identifiers are unchanged and no other card
fits. A changed figure makes a new card, however similar the words.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from studykit.cards.card import Card, CardId, Kind
from studykit.cards.wording import excerpt, plain, same_marks, words

CERTAIN = 0.9  # typos score 0.96 and more, rewordings 0.74 to 0.83, replacements seldom 0.9
LIKELY = 0.7
MIN_QUESTION_RATIO = 0.75  # if only a short answer is unchanged
MIN_DISTINCTIVE_CHARACTERS = 20  # two cards hardly share so long an answer by chance
_GLOSS = re.compile(r"\([^()]{0,80}\)")
_MAX_EXCERPT_CHARACTERS = 50
_MAX_POSTINGS = 600  # cards looked up by their words, for each card that is gone
_MIN_SHARED_WORDS = 0.4  # of a card's words
_MAX_CANDIDATES = 3  # compared letter by letter
_MAX_CHARACTERS = 2_000  # of a text compared letter by letter
_MAX_COMPARISONS = 300_000_000  # letters times letters, in total


@dataclass(frozen=True, slots=True)
class Relink:
    """Pair a card that is gone with the new card that replaces it."""

    old: Card
    new: Card

    def sentence(self) -> str:
        """Return a sentence that tells the learner how to confirm this pair."""
        new, old = self.words
        return f"{new} looks like {old} reworded. To move the progress, run: study deck relink"

    @property
    def words(self) -> tuple[str, str]:
        """Return the names of the new and the old card: their ids if an author gave them, else their words."""
        if self.new.named and self.old.named:
            return self.new.id, self.old.id
        return _quoted(self.new, self.old), _quoted(self.old, self.new)


@dataclass(frozen=True, slots=True)
class Relinks:
    """Hold the certain pairs, in an order that overwrites nothing, and likely ones for a person to confirm."""

    certain: tuple[Relink, ...] = ()
    likely: tuple[Relink, ...] = ()


def relink(gone: Sequence[Card], fresh: Sequence[Card]) -> Relinks:
    """Match cards that are gone from the decks with new ones, each at most once."""
    if not gone or not fresh:
        return Relinks()
    match = _Match(list(gone), list(fresh))
    match.by(lambda card: (card.kind, card.content_hash))
    match.by(lambda card: (card.kind, plain(card.prompt)) if card.prompt else None, _unchanged)
    match.by(_bare_key, _unchanged)
    match.by(_answer_key, _goes_on)
    match.by_words()
    return Relinks(tuple(match.certain), tuple(match.likely))


def renumbered(before: Sequence[Card], after: Sequence[Card]) -> tuple[Relink, ...]:
    """Pair the clozes of a note whose numbers changed, in an order that overwrites nothing.

    If a gap was inserted, the ids stay but mean other gaps, so that each memory must follow its content.
    """
    new_place = {(card.note, card.content_hash): card for card in after if card.kind is Kind.CLOZE}
    moves = [
        Relink(card, moved)
        for card in before
        if card.kind is Kind.CLOZE
        and (moved := new_place.get((card.note, card.content_hash)))
        and moved.id != card.id
    ]
    return _in_order(moves)


def _in_order(moves: list[Relink]) -> tuple[Relink, ...]:
    """Order moves so that no target is overwritten before it has moved. Skip moves in a ring."""
    sources = {move.old.id: move for move in moves}
    ordered: list[Relink] = []
    settled: set[CardId] = set()
    for move in moves:
        chain: list[Relink] = []
        current: Relink | None = move
        while current is not None and current.old.id not in settled and current not in chain:
            chain.append(current)
            current = sources.get(current.new.id)
        settled.update(link.old.id for link in chain)
        if current is None or current not in chain:
            ordered += reversed(chain)
    return tuple(ordered)


class _Match:
    """Pair old and new cards step by step."""

    def __init__(self, gone: list[Card], fresh: list[Card]) -> None:
        self.certain: list[Relink] = []
        self.likely: list[Relink] = []
        self._gone = {card.id: card for card in gone}
        self._fresh = {card.id: card for card in fresh}

    def by(
        self, key: Callable[[Card], Hashable | None], agree: Callable[[Card, Card], bool] = lambda *_: True
    ) -> None:
        """Pair an old and a new card if each is the only one with a key, and they agree."""
        old_cards, new_cards = _only(self._gone, key), _only(self._fresh, key)
        for shared, old in old_cards.items():
            new = new_cards.get(shared)
            if old is not None and new is not None and agree(old, new):
                self._settle(old, new)

    def by_words(self) -> None:
        """Pair cards with similar texts, found by the rarest words that they share."""
        texts = {card.id: _text(card) for card in (*self._gone.values(), *self._fresh.values()) if card.prompt}
        index = _index(self._fresh, texts)
        ranked: dict[CardId, list[tuple[float, CardId]]] = {}
        budget = _MAX_COMPARISONS
        for old in self._gone.values():
            text = texts.get(old.id, "")
            scores: list[tuple[float, CardId]] = []
            for candidate in _candidates(text, index):
                budget -= len(text) * len(texts[candidate])
                if budget > 0 and self._fresh[candidate].kind is old.kind:
                    scores.append((_ratio(text, texts[candidate]), candidate))
            ranked[old.id] = sorted(scores, reverse=True)
        self._pair(ranked)

    def _pair(self, ranked: dict[CardId, list[tuple[float, CardId]]]) -> None:
        claims = Counter(scores[0][1] for scores in ranked.values() if scores and scores[0][0] >= CERTAIN)
        for old_id, scores in ranked.items():
            if not scores or scores[0][0] < LIKELY:
                continue
            score, new_id = scores[0]
            old, new = self._gone[old_id], self._fresh.get(new_id)
            if new is None:
                continue
            is_unrivalled = claims[new_id] <= 1 and all(second < CERTAIN for second, _ in scores[1:2])
            if score >= CERTAIN and is_unrivalled and _unchanged(old, new):
                self._settle(old, new)
            else:
                self.likely.append(Relink(old, new))

    def _settle(self, old: Card, new: Card) -> None:
        self.certain.append(Relink(old, new))
        del self._gone[old.id], self._fresh[new.id]


def _only(cards: dict[CardId, Card], key: Callable[[Card], Hashable | None]) -> dict[Hashable, Card | None]:
    """Map each key to its one card, or to None if several have it."""
    only: dict[Hashable, Card | None] = {}
    for card in cards.values():
        name = key(card)
        if name is not None:
            only[name] = None if name in only else card
    return only


def _answer_key(card: Card) -> Hashable | None:
    answer = plain(card.answer)
    return (card.kind, answer) if answer else None


def _bare_key(card: Card) -> Hashable | None:
    """Return a card's words, if it has any, without glosses such as "(noun)", which do not make a new card."""
    prompt, answer = (plain(_GLOSS.sub(" ", text)) for text in (card.prompt, card.answer))
    return (card.kind, prompt, answer) if prompt else None


def _quoted(card: Card, other: Card) -> str:
    """Quote a card's question, and its answer if that is what differs, or an exercise's id."""
    if not card.prompt:
        return card.id
    differs = (
        " / " + excerpt(card.answer, _MAX_EXCERPT_CHARACTERS)
        if card.prompt == other.prompt and card.answer
        else ""
    )
    return f'"{excerpt(card.prompt, _MAX_EXCERPT_CHARACTERS)}{differs}"'


def _unchanged(old: Card, new: Card) -> bool:
    return same_marks(old.prompt, new.prompt) and same_marks(old.answer, new.answer)


def _goes_on(old: Card, new: Card) -> bool:
    """Return whether cards with the same answer are one card. A short answer also needs a similar question."""
    if not _unchanged(old, new):
        return False
    if len(plain(old.answer)) >= MIN_DISTINCTIVE_CHARACTERS and old.kind is not Kind.CLOZE:
        return True
    prompts = plain(old.prompt), plain(new.prompt)
    is_short = max(map(len, prompts)) <= _MAX_CHARACTERS
    return is_short and _ratio(*prompts, MIN_QUESTION_RATIO) >= MIN_QUESTION_RATIO


def _text(card: Card) -> str:
    text = f"{plain(card.prompt)}\n{plain(card.answer)}"
    return text if len(text) <= _MAX_CHARACTERS else ""


def _index(cards: dict[CardId, Card], texts: dict[CardId, str]) -> dict[str, list[CardId]]:
    index: dict[str, list[CardId]] = defaultdict(list)
    for card in cards:
        for word in set(words(texts.get(card, ""))):
            index[word].append(card)
    return index


def _candidates(text: str, index: dict[str, list[CardId]]) -> list[CardId]:
    """Find the few new cards that share most of a text's rarest words."""
    shared: Counter[CardId] = Counter()
    looked_up, postings = 0, 0
    own = sorted(set(words(text)), key=lambda word: (len(index.get(word, ())), word))
    for word in own:
        holders = index.get(word, ())
        if postings + len(holders) > _MAX_POSTINGS and postings:
            break
        looked_up, postings = looked_up + 1, postings + len(holders)
        shared.update(holders[:_MAX_POSTINGS])
    enough = [card for card, count in shared.items() if count >= looked_up * _MIN_SHARED_WORDS]
    return sorted(enough, key=lambda card: (-shared[card], card))[:_MAX_CANDIDATES]


def _ratio(old: str, new: str, least: float = LIKELY) -> float:
    """Return the similarity of two texts, 0 to 1, or 0 if a cheap bound already rules out a match."""
    matcher = SequenceMatcher(None, old, new, autojunk=False)
    if matcher.real_quick_ratio() < least or matcher.quick_ratio() < least:
        return 0.0
    return matcher.ratio()
