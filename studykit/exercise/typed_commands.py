"""Commands of a dialogue that a learner types without their colon, where an answer is read."""

GIVING_UP = "The steps tell the answer, so they end this attempt. `:steps` once more shows them."
_NAMES = {"h": "hint", "s": "steps", "e": "editor", "k": "skip", "q": "quit", "u": "undo"}


def habits(letters: str) -> dict[str, str]:
    """The letters and words that are never an answer, each with the name of its command."""
    return {word: _NAMES[letter] for letter in letters for word in (letter, _NAMES[letter])}


def letters_are_letters(command: str) -> str:
    """What to say to the letter or word of a command that was typed as an answer."""
    return f"While you type, letters are letters: a command begins with a colon, `:{command}`."
