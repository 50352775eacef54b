// Typed answers on a page: compared as studykit/review/typed_answer.py compares them, with the right ones that Python wrote down.
function tight(text) {
  text = text.replace(/\b x \b|(\d) ?x ?(?=\d)/gi, "$1*"); // m x n, 16x16
  if (/^(?=.*\p{L}{3})[\p{L}\s-]+\.?$/u.test(text)) text = text.replace(/[\s-]+/g, "");
  text = text.replace(/[¹²³⁰-ⁿ]+/g, "^$&").replace(/[₀-₉]+/g, "_$&").replace(/[`$]/g, "").toUpperCase().normalize("NFKC");
  text = text.replace(/[×·⋅]/g, "*").replace(/−/g, "-").replace(/\s+/g, " ").trim().replace(/[ ]?([^\p{L}\p{N}_\s]) ?/gu, "$1");
  return text.replace(/\*\*/g, "^").replace(/\.$/, "");
}

// The verdict on a text: malformed for what only a terminal can read, none where the learner compares.
function verdictOnText({ texts, amounts, shapes, formula }, text) {
  const typed = tight(text), wrong = formula ? undefined : "incorrect"; // another form of a formula may be right
  const shape = /^([\d\s,*()[\]=x]|torch\.size|shape|is|by)+$/i.test(text) && String(text.match(/\d+/g)); // of 2x3x4 or torch.Size([2, 3, 4])
  if (texts.includes(typed) || shapes.includes(shape)) return "correct";
  if (!/[\\{]/.test(text) && !(amounts[0] && /\d/.test(text))) return wrong;
  const plain = typed.replace(/[ ]?[X*] ?10\^\(?([-+]?\d+)\)?/, "E$1").replace(/,(?=\d{3}(?!\d))/g, "");
  const [, number, unit] = /^[~≈]?([-+]?[\d.]+(?:E[-+]?\d+)?) ?(\D*)$/.exec(plain) || [];
  const wanted = amounts.filter(([, units]) => units.includes(unit));
  if (!wanted[0] || isNaN(number)) return "malformed";
  return wanted.some(([value]) => Math.abs(number - value) <= 1e-9 * Math.abs(value)) ? "correct" : wrong;
}

for (const card of document.querySelectorAll("[data-right]")) {
  const field = card.querySelector(".sk-field");
  card.judge = () => {
    const typed = field.value.trim(), verdict = typed && verdictOnText(JSON.parse(card.dataset.right), typed);
    return { verdict, event: verdict === "incorrect" && { typed } };
  };
}
