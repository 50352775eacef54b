// Typed answers on a page: compared as studykit/review/typed_answer.py compares them, with the right ones that Python wrote down.
function tight(text) {
  if (/^(?=.*\p{L}{3})[\p{L}\s-]+\.?$/u.test(text)) text = text.replace(/[\s-]+/g, "");
  text = text.replace(/[¹²³⁰-ⁿ]+/g, "^$&").replace(/[₀-₉]+/g, "_$&").replace(/[`$]/g, "").toUpperCase().normalize("NFKC");
  text = text.replace(/[×·⋅]/g, "*").replace(/−/g, "-").replace(/\s+/g, " ").trim().replace(/[ ]?([^\p{L}\p{N}_\s]) ?/gu, "$1");
  return text.replace(/\*\*/g, "^").replace(/\.$/, "");
}

// The sizes of a shape, such as 2x3x4 or torch.Size([2, 3, 4]).
const sizes = (text) => /^([\d\s,*()[\]=x]|torch\.size|shape|is|by)+$/i.test(text) && String(text.match(/\d+/g));

// Whether a text is right; undefined for what only a terminal can read.
function isRight({ texts, amounts, shapes, words }, text) {
  const typed = tight(text);
  if (texts.includes(typed) || shapes.includes(sizes(text))) return true;
  if (!/[\\{]/.test(text) && !(amounts[0] && /\d/.test(text))) return false;
  const plain = typed.replace(/[ ]?[X*] ?10\^\(?([-+]?\d+)\)?/, "E$1").replace(/,(?=\d{3}(?!\d))/g, "");
  const [, number, unit] = /^[~≈]?([-+]?[\d.]+(?:E[-+]?\d+)?) ?(\D*)$/.exec(plain) || [];
  const named = amounts.filter(([, own]) => (own ? unit === own : unit?.split(/[ /]/).every((word) => !word || words.includes(word.replace(/S$/, "")))));
  if (named[0] && !isNaN(number)) return named.some(([wanted]) => Math.abs(number - wanted) <= 1e-9 * Math.abs(wanted));
}

for (const card of document.querySelectorAll("[data-right]")) {
  const [field, said] = card.querySelector(".sk-typed").children;
  const tell = (text, verdict = "") => {
    said.textContent = text;
    said.dataset.verdict = verdict;
  };
  card.shown = () => tell("");
  // Judges what was typed; whether the answer stays closed, since it could not be.
  card.judge = () => {
    const typed = field.value.trim(), right = JSON.parse(card.dataset.right), judged = typed && isRight(right, typed);
    if (!typed || card.judged || (judged === false && right.formula)) return; // another form of a formula may be right: the learner compares
    if (judged === undefined) return tell(T.plain_number), field.focus(), true;
    tell(judged ? T.right : T.wrong, judged ? "correct" : "incorrect");
    card.judged = judged ? { grade: 4 } : { grade: 1, event: { typed } };
  };
}
