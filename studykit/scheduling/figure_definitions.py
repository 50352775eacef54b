"""Define each figure of a learner's statistics once for terminal, page, JSON and help."""

from collections.abc import Mapping

from studykit.scheduling.mastery import MASTERED, RECENT, WEIGHT
from studykit.scheduling.review_rule import MATURE

DEFINITIONS: Mapping[str, str] = {
    "review": "your first answer of a study day to a new or due card; an undone answer does not count anywhere",
    "study day": "a local day that ends at four in the morning",
    "retention": (
        "the share of reviews of known cards that passed (hard, good, easy); repetitions on the same day, answers "
        "ahead of time and first answers to new cards do not count; the end of a review calls it first-try recall"
    ),
    "right at once": "an exercise judged right at the first try without a hint, and graded good or easy",
    "young, mature": f"cards by the interval before their review: below {MATURE} days, or from {MATURE}",
    "interval of 95 %": "where the true share probably lies, given how many answers were counted (Wilson)",
    "activity": "all answers of a day, cards and exercises; each shade is a quarter of your busiest day",
    "streak": "study days in a row with an answer, up to today, or up to yesterday if you have not answered today",
    "forecast": ("cards by their due day, overdue ones today; it cannot know what your next answers will change"),
    "intervals": "cards in use by the number of days from their last review to their due day",
    "ease": "the same cards by the factor by which SM-2 lengthens their interval",
    "stability": "the same cards by the days after which you still recall nine of ten such cards, under FSRS",
    "time of day": "reviews of known cards by the local hour",
    "answers": "all answers to cards by button; drill: answers that changed no schedule, also those ahead of time",
    "hardest": "cards by lapses: reviews in which you forgot a card that you had known the time before",
    "known": "cards in your decks that you have answered at least once",
    "slips": "mistakes that exercises recognized, by the family of the exercise",
    "bets": (
        "bets, those that were measured, recorded and counted apart; lean is the median of bet / answer, off the "
        "median factor in either direction; an interval should hold the answer eight times in ten"
    ),
    "mastery": (
        "Recall is the average probability that you recall a card of the objective today, over the cards that "
        "you have answered, by FSRS's forgetting curve fitted to your last reviews; unseen cards are counted "
        f"separately. Right at once is the share of your last {RECENT} tries that were so, pulled "
        f"towards your share over all objectives, which counts as {WEIGHT} tries. Intervals of 95 % cover "
        "chance and how well the curve is known. An objective is mastered if the whole interval of its weaker "
        f"share is above {MASTERED:.0%}, and weak if it is below. The weakest objective is the one with the "
        "fewest cards you would recall today, counting unseen cards as forgotten, or the one whose exercises "
        "are weaker still"
    ),
}
"""Each by the name that views and pages show."""
