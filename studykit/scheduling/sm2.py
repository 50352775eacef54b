"""Implement SM-2, profile `sm2-text`: how a review changes a card's numbers.

Wozniak's text (Optimization of Learning, 1990) where it is explicit, SuperMemo's own Delphi source where the text
is silent: intervals round up, they use the ease from *before* the review, and a failure keeps the ease.

Ease is counted in hundredths. Every SM-2 adjustment is a whole number of hundredths, so intervals come out the
same on every machine; with floats about one history in forty is off by a day.

Formulas only, on whole numbers: `review_rule` decides which answers are reviews. Nothing is imported here, since a
shell prompt loads this file.
"""

PROFILE = "sm2-text"
INITIAL_EASE = 250
MINIMUM_EASE = 130
FIRST_INTERVAL, SECOND_INTERVAL = 1, 6  # days, of the first two passes
MAX_INTERVAL = 36_500  # days; also keeps due days inside what a date can hold
PASSING_GRADE = 3
DRILLED_BELOW = 4  # a card is repeated the same day until it scores this


def review(repetition: int, interval: int, ease: int, grade: int, longest: int) -> tuple[int, int, int]:
    """Return repetition, interval and ease after a review. The interval is at most `longest` days."""
    if grade < PASSING_GRADE:
        return 0, FIRST_INTERVAL, ease
    if repetition > 1:
        interval = -(-exact_interval(interval, ease) // 100)  # rounded up
    else:
        interval = SECOND_INTERVAL if repetition else FIRST_INTERVAL
    if interval > MAX_INTERVAL or interval > longest:
        interval = min(MAX_INTERVAL, longest)
    if change := _EASE_CHANGE[grade]:
        ease = max(MINIMUM_EASE, ease + change)
    return repetition + 1, interval, ease


def exact_interval(interval: int, ease: int) -> int:
    """Return the interval of a third or later pass, in hundredths of a day, before it is rounded up."""
    return interval * ease


def ease_change(grade: int) -> int:
    """Return the hundredths that a passing grade adds to the ease: +10, 0 or -14."""
    miss = 5 - grade
    return 10 - miss * (8 + 2 * miss)


_EASE_CHANGE = tuple(ease_change(grade) for grade in range(6))
