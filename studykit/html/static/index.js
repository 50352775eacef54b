// The index: a field that finds cards by their words.
const field = document.querySelector("#find");
field.parentNode.hidden = false;
field.addEventListener("input", () => {
  const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
  for (const deck of document.querySelectorAll(".deck")) {
    const name = deck.querySelector("h2").textContent.toLowerCase();
    let matches = 0;
    for (const item of deck.querySelectorAll(".cards li")) {
      const text = name + " " + item.textContent.toLowerCase();
      item.hidden = !words.every((word) => text.includes(word));
      matches += !item.hidden;
    }
    deck.hidden = !matches && words.length > 0;
    deck.querySelector("details").open = matches > 0 && words.length > 0;
  }
});
