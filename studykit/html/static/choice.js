// Choices on a page: options mixed at each showing, in one of the orders that Python drew, and judged as studykit/cards/choice.py judges.
const verdictOnPick = (chosen, wrong, missed) =>
  !chosen ? "skipped" : wrong || chosen < missed ? "incorrect" : missed ? "close" : "correct";

for (const card of document.querySelectorAll("[data-choice]")) {
  if (card.judge) continue; // a page may bring this script again
  const { showing, orders } = JSON.parse(card.dataset.choice), list = card.querySelector(".sk-options"), items = [...list.children];
  const find = (css) => [...list.querySelectorAll(css)];

  card.shown = () => {
    const [seed, ...places] = orders[Math.floor(Math.random() * orders.length)];
    showing.seed = seed;
    list.append(...places.map((place) => items[place]));
  };

  card.judge = () => {
    const chosen = find(":checked"), wrong = find(".sk-no :checked"), missed = find(".sk-yes input:not(:checked)");
    const verdict = verdictOnPick(chosen.length, wrong.length, missed.length);
    const answer = chosen.map((box) => box.value).join("; "), slips = wrong.map((box) => box.dataset.slip);
    return { verdict, event: { showing: { ...showing, answer, verdict, slips } } };
  };
}
