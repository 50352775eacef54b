"""Search cards in plain lines, for screen readers, dumb terminals and pipes."""

import re

from studykit.cards.wording import excerpt, question
from studykit.errors import StudyError
from studykit.review.typed_answer import shown
from studykit.review.why import facts
from studykit.store.card_search import FoundCard
from studykit.terminal.markdown.render import one_line_text, plain_lines
from studykit.terminal.plain_ui import PlainUi
from studykit.terminal.search_list import SearchServices
from studykit.terminal.spans import clean
from studykit.text import sentence

_MAX_LISTED = 10
_COMMAND = re.compile(r"([e@*u-])?\s*(\d{1,4})?")
_HELP = (
    "Type words to find cards, a number for the whole card, e and a number to edit it, "
    "@, - or * and a number to suspend, bury or flag it, u to undo, q to quit."
)


class PlainSearch:
    """Read lines: words to search for, or the number of a card to show, or a key and a number to act on a card."""

    def __init__(self, ui: PlainUi, services: SearchServices) -> None:
        self._ui = ui
        self._services = services
        self._query = ""
        self._cards: tuple[FoundCard, ...] = ()

    def run(self, query: str) -> None:
        """Search until the input ends or the learner leaves."""
        self._say(_HELP)
        if query:
            self._find(query)
        while (line := self._ui.ask("find")) not in {None, "q", ":q", ":quit"}:
            self._take((line or "").strip())

    def _take(self, line: str) -> None:
        command = _COMMAND.fullmatch(line)
        if not line or line == "?":
            self._say(_HELP)
        elif line == "u":
            self._report(self._services.take_back())
        elif command is None or command[2] is None:
            self._find(line)
        elif not 1 <= int(command[2]) <= len(self._cards):
            self._say(f"The list has no card {command[2]}.")
        else:
            card = self._cards[int(command[2]) - 1]
            if command[1] is None:
                self._say_card(card)
            elif command[1] == "e":
                self._report(self._services.edit(card.card))
            else:
                self._report(self._services.press(command[1], card))

    def _report(self, message: str) -> None:
        self._say(sentence(message[:1].upper() + message[1:].rstrip(".")))
        if self._query:
            self._cards = self._services.find(self._query).cards

    def _find(self, query: str) -> None:
        try:
            result = self._services.find(query)
        except StudyError as error:
            self._say(f"Error: {error}")
            return
        self._query, self._cards = query, result.cards
        self._say(f"Found: {result.total}.")
        for number, each in enumerate(result.cards[:_MAX_LISTED], 1):
            marks = self._services.words_of(each)
            words = one_line_text(question(each.card), self._services.notation(each.card))
            self._say(f"{number}: {excerpt(words, 100)}" + (f" ({', '.join(marks)})" if marks else ""))
        if result.count > _MAX_LISTED:
            self._say("More words narrow the list.")

    def _say_card(self, result: FoundCard) -> None:
        card, notation = result.card, self._services.notation(result.card)
        for label, text in (("Question", question(card)), ("Answer", card.full or shown(card))):
            for row in plain_lines(text, notation) if text else ():
                self._say(f"{label}: {row}")
        self._say(f"Card: {card.id}, {card.path}:{card.line}.")
        for words in filter(None, facts(result.memory, self._services.today())):
            self._say(words.strip())

    def _say(self, text: str) -> None:
        self._ui.say(clean(text))
