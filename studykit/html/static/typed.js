// Typed answers on a page: compared as studykit/review/typed_answer.py compares them, with the right ones that Python wrote down.
const folded = (text) => text.toUpperCase().toLowerCase().replace(/ς/g, "σ").normalize("NFC");
const stems = (text) => (text.match(/\p{L}+/gu) || []).map((word) => folded(word).replace(/s$/, ""));

function tight(text) {
  if (/^(?=.*\p{L}{3})[\p{L}\s-]+\.?$/u.test(text)) text = text.replace(/[\s-]+/g, "");
  text = text.replace(/[⁰¹²³⁴-⁹⁻⁺ⁿ]+/g, (signs) => "^" + signs.normalize("NFKC")).replace(/[₀-₉]+/g, (signs) => "_" + signs.normalize("NFKC"));
  text = folded(text.replace(/[`$]/g, "").replace(/\s+/g, " ").trim()).replace(/[×·⋅]/g, "*").replace(/−/g, "-");
  return text.replace(/[ ]?([^\p{L}\p{N}_\s]) ?/gu, "$1").replace(/(?<=[\p{L}\p{N}_])\*\*(?=[\p{L}\p{N}_(-])/gu, "^").replace(/\.$/, "");
}

// The sizes of a shape, such as 2x3x4 or torch.Size([2, 3, 4]).
const sizes = (text) => (/^[\d\s,*()[\]=]+$/.test(text.replace(/torch\.size|shape( is)?|by|x/gi, " ")) ? String(text.match(/\d+/g)) : "");

// Whether a text is right; undefined for what only a terminal can read.
function isRight({ texts, amounts, shapes, words }, text) {
  if (texts.includes(tight(text)) || shapes.includes(sizes(text))) return true;
  if (/[\\{]/.test(text)) return undefined;
  if (!amounts.length || !/\d/.test(text)) return false;
  const plain = text.trim().replace(/\.$/, "").replace(/[ ]?[×x*] ?10(?:\^|\*\*)\(?([-+]?\d+)\)?/, "e$1");
  const [, number, unit] = /^[~≈]? ?([-+]?(?:\d{1,3}(?:,\d{3})+|\d+)?(?:\.\d*)?(?:e[-+]?\d+)?)(?![\d.,]) ?(\D*)$/i.exec(plain) || [], value = +number?.replace(/,/g, "");
  if (!number || Number.isNaN(value)) return undefined;
  const named = amounts.filter(([, own]) => (own ? tight(unit) === tight(own) : !/[^\p{L}\s/]/u.test(unit) && stems(unit).every((word) => words.includes(word))));
  return named[0] && named.some(([wanted]) => Math.abs(value - wanted) <= 1e-9 * Math.abs(wanted));
}

beginWith(".sk-card[data-right]", (card) => {
  const right = JSON.parse(card.dataset.right), [field, said] = card.querySelector(".sk-typed").children, details = card.querySelector(".sk-a");
  const say = (text, verdict = "") => Object.assign(said, { textContent: text }).setAttribute("data-verdict", verdict);
  card.addEventListener("sk-shown", () => {
    withdraw(card);
    say("");
  });
  // Judges what was typed; whether the answer stays closed, since it could not be.
  card.judge = () => {
    const text = field.value.trim();
    if (!text || card.suggested || details.open) return false;
    const judged = isRight(right, text);
    if (!judged && right.formula) return false; // another form of it may be right: the learner compares
    if (judged === undefined) return say(T.plain_number), field.focus(), true;
    say(judged ? T.right : T.wrong, judged ? "correct" : "incorrect");
    suggest(card, judged ? 4 : 1, judged ? {} : { typed: text.slice(0, 300) });
  };
  details.firstElementChild.addEventListener("click", (event) => card.matches(".sk-now") && card.judge() && event.preventDefault());
});
