// Choices on a page: options mixed at each showing, picked by mouse or by their numbers, judged and graded.
const order = (seed, count) => {
  const places = [...Array(count).keys()];
  let state = (Math.imul(seed, 2654435761) + 1013904223) >>> 0; // the order that Python gives the seed
  for (let last = count - 1; last > 0; last--) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    const other = (state >>> 8) % (last + 1);
    [places[last], places[other]] = [places[other], places[last]];
  }
  return places;
};

const pick = (options, chosen) => {
  const wrong = chosen.filter((at) => options[at].slip), missed = options.filter(({ slip }, at) => !slip && !chosen.includes(at)).length;
  const verdict = wrong.length ? "incorrect" : !missed ? "correct" : chosen.length >= missed ? "close" : "incorrect";
  return { verdict, slips: wrong.map((at) => options[at].slip) };
};

function ask(card) {
  const data = JSON.parse(card.dataset.choice), list = card.querySelector(".sk-options");
  const items = [];
  let seed = data.version; // the page comes in its order, and stays so until it is asked
  order(seed, list.children.length).forEach((place, at) => (items[place] = list.children[at]));
  const boxes = items.map((item) => item.querySelector("input"));
  const form = card.querySelector(".sk-form"), [button, said] = form.children, details = card.querySelector(".sk-a");
  form.hidden = false;

  button.onclick = () => {
    const chosen = [...boxes.keys()].filter((at) => boxes[at].checked);
    if (!chosen.length) return;
    const { verdict, slips } = pick(data.options, chosen);
    items.forEach((item, at) => (item.className = data.options[at].slip ? "sk-no" : "sk-yes"));
    said.textContent = { correct: T.right, close: T.close, incorrect: T.wrong }[verdict];
    said.dataset.verdict = verdict;
    details.open = true;
    const answer = chosen.map((at) => data.options[at].text).join("; ");
    const showing = { exercise: "choice", version: data.version, seed, parameters: "{}", answer, verdict, slips };
    suggest(card, suggestedGrade(verdict, 1, 0), { showing });
  };

  solvedBefore(card, details);
  card.judge = () => boxes.some((box) => box.checked) && !card.judged && (button.click(), true);
  card.onkeydown = (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.repeat || details.open) return;
    const box = list.children[event.key - 1]?.querySelector("input");
    if (box) {
      box.click();
      box.focus();
    } else if (event.key === "Enter" && event.target.matches("input")) button.click();
    else return;
    return false;
  };

  card.shown = () => {
    seed = Math.floor(Math.random() * 2 ** 31);
    list.append(...order(seed, items.length).map((at) => items[at]));
    for (const box of boxes) box.checked = false;
    for (const item of items) item.className = "";
    said.textContent = "";
    delete said.dataset.verdict;
    details.open = false;
  };
}

beginWith(".sk-card[data-choice]", ask);
