// SM-2, profile sm2-text: the twin of studykit/sm2.py. Days are counted from 1970, ease in hundredths.
const LONGEST_INTERVAL = 36500, LAST_DAY = 2932896; // 9999-12-31

function after(memory, grade, on) {
  const m = memory || { repetition: 0, interval: 0, ease: 250, lapses: 0 };
  if (grade < 3) return { repetition: 0, interval: 1, ease: m.ease, lapses: m.lapses + (m.repetition > 0), reviewed: on };
  const grown = m.repetition === 0 ? 1 : m.repetition === 1 ? 6 : Math.ceil((m.interval * m.ease) / 100);
  const miss = 5 - grade;
  return {
    repetition: m.repetition + 1,
    interval: Math.min(grown, LONGEST_INTERVAL, LAST_DAY - on),
    ease: Math.max(130, m.ease + 10 - miss * (8 + 2 * miss)),
    lapses: m.lapses,
    reviewed: on,
  };
}

const due = (memory) => memory.reviewed + memory.interval;
