// Typed answers on a page: compared as studykit/review/typed_answer.py compares them, with the right ones that Python wrote down.
const TEX = [
  [/(?<=[\p{L}\p{N}_]) ?\*\* ?(?=[\p{L}\p{N}_(-])/gu, "^"],
  [/([\^_])\{([\p{L}\p{N}_.+-]*)\}/gu, "$1$2"],
  [/([\^_])\{([^{}]*)\}/g, "$1($2)"],
  [/\\(?:text|mathrm|mathbf|mathit|operatorname)\{([^{}]*)\}/g, "$1"],
  [/\\d?frac\{([^{}]*)\}\{([^{}]*)\}/g, "$1/$2"],
  [/\\(?:times|cdot)(?![a-zA-Z]) ?/g, "×"],
  [/\\approx(?![a-zA-Z]) ?/g, "≈"],
  [/\\[,;! ]/g, " "],
  [/[⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺ⁿ]+/g, (signs) => "^" + lowered(signs)],
  [/[₀₁₂₃₄₅₆₇₈₉]+/g, (signs) => "_" + lowered(signs)],
];
const lowered = (signs) => [...signs].map((sign) => "0123456789-+n0123456789"[[..."⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺ⁿ₀₁₂₃₄₅₆₇₈₉"].indexOf(sign)]).join("");
const folded = (text) => text.toUpperCase().toLowerCase().replace(/ς/g, "σ").normalize("NFC");

function tight(text) {
  if (/^(?=.*\p{L}{3})[\p{L}\s-]+\.?$/u.test(text)) text = text.replace(/[\s-]+/g, "");
  for (const [pattern, instead] of TEX) text = text.replace(pattern, instead);
  text = folded(text.replace(/[`$]/g, "").replace(/\s+/g, " ").normalize("NFC").trim());
  return text.replace(/[×·⋅]/g, "*").replace(/−/g, "-").replace(/ ?([^\p{L}\p{N}_\s]) ?/gu, "$1").replace(/\.$/, "");
}

const stems = (text) => (text.match(/[\p{L}]+/gu) || []).map((word) => folded(word).replace(/s$/, ""));
const sizes = (text) => /^(?:shape ?(?:is |= ?)?)?(?:torch\.size)?[([]{0,2}(\d+(?:(?:[,* ]| ?x ?| by )\d+){2,}),?[)\]]{0,2}$/.exec(tight(text))?.[1].match(/\d+/g).join();

// Whether a text is right; undefined for an amount that only a terminal can read.
function isRight({ texts, amounts, shapes, words }, text) {
  if (texts.includes(tight(text)) || shapes.includes(sizes(text))) return true;
  if (!amounts.length || !/\d/.test(text)) return false;
  const plain = text.trim().replace(/\.$/, "").replace(/ ?[×x*] ?10(?:\^|\*\*)\(?([-+]?\d+)\)?/, "e$1");
  const [, number, unit] = /^[~≈]? ?([-+]?(?:\d{1,3}(?:,\d{3})+|\d+)?(?:\.\d*)?(?:e[-+]?\d+)?)(?![\d.,]) ?([^\d]*)$/i.exec(plain) || [], value = +number?.replace(/,/g, "");
  const named = amounts.filter(([, own]) => (own ? tight(unit ?? "") === tight(own) : stems(unit ?? "").every((word) => words.includes(word)) && !/[^\p{L}\s/]/u.test(unit)));
  if (!number || Number.isNaN(value) || !named[0]) return undefined;
  return named.some(([wanted]) => Math.abs(value - wanted) <= 1e-9 * Math.abs(wanted));
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
