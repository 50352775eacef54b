"""What each figure of a learner's statistics means: one definition for terminal, page, JSON and help."""

from collections.abc import Mapping

from studykit.scheduling.mastery import MASTERED, RECENT, WEIGHT
from studykit.scheduling.review_rule import MATURE

DEFINITIONS: Mapping[str, str] = {
    "review": "the first answer of a study day to a card that is new or due; what is undone counts nowhere",
    "study day": "a local day that ends at four in the morning",
    "retention": (
        "reviews of known cards that passed (hard, good, easy), as a share of all of them; drill, answers "
        "ahead of time and first answers to new cards are left out; the end of a review calls it first-try recall"
    ),
    "right at once": "an exercise judged right at the first try without a hint, and graded good or easy",
    "young, mature": f"by the interval that a review ended: below {MATURE} days, or from {MATURE}",
    "interval of 95 %": "where a share may lie that was counted so few times (Wilson's interval)",
    "activity": "all answers of a day, cards and exercises; a shade is a quarter of the busiest day",
    "streak": "study days in a row with an answer, up to today, or to yesterday while today has none",
    "forecast": (
        "cards by the day on which they fall due as things stand, on today with all that are overdue; what "
        "your answers will change is not foreseen"
    ),
    "intervals": "cards that are asked, by the days from their last review to their due day",
    "ease": "the same cards by the factor by which SM-2 lengthens an interval",
    "stability": "the same cards by the days after which nine of ten such are still recalled, under FSRS",
    "time of day": "reviews of known cards by the hour of the place where you were",
    "answers": "all answers to cards by button; drill: those that changed no schedule, those ahead of time too",
    "hardest": "cards by lapses: reviews in which a card was forgotten that had been passed at the last one",
    "known": "cards in the decks that were answered at least once",
    "slips": "mistakes that exercises recognized, by the family of the exercise in which they were made",
    "bets": (
        "timing bets that were measured; lean is the median of bet / measured, off the median factor either "
        "way; an interval is meant to hold the measurement eight times in ten"
    ),
    "mastery": (
        "recall is the mean, over the cards of an objective that were answered, of the probability that each is "
        "recalled today, by FSRS's curve of forgetting with its odds fitted to your last reviews; unseen "
        f"cards are counted beside it. Exercises are the last {RECENT} tries that were right at once, shrunk "
        f"towards your share over all objectives, which counts for {WEIGHT} tries. Intervals are of 95 %: "
        "chance, and how well the curve is known. Mastered is an objective whose weaker share has its whole "
        f"interval above {MASTERED:.0%}, weak one that has it below; the weakest is the one of whose cards the "
        "fewest would be recalled today, unseen ones as forgotten, or whose exercises are weaker still"
    ),
}
"""Each by the name under which views and pages tell it."""
