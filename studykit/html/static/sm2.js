// SM-2, profile sm2-text: the twin of studykit/scheduling/sm2.py. Days are counted from 1970, ease in hundredths.
// No day that is kept is so late that an interval could leave the calendar.
const LONGEST = 36500;

function after(past, grade, reviewed) {
  const { repetition, interval, ease, lapses } = past || { repetition: 0, ease: 250, lapses: 0 }, miss = 5 - grade;
  if (grade < 3) return { repetition: 0, interval: 1, ease, lapses: lapses + (repetition > 0), reviewed };
  return {
    repetition: repetition + 1,
    interval: Math.min([1, 6][repetition] || Math.ceil(interval * ease / 100), LONGEST),
    ease: Math.max(130, ease + 10 - miss * (8 + 2 * miss)),
    lapses,
    reviewed,
  };
}

// No number where nothing is known.
const dueDay = (past) => past?.reviewed + past?.interval;
