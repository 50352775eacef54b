// Contrast as it is seen: a picture of the page is taken, and every text and every edge of a control is measured in it.
export const SCALE = 2;

// What is to be measured, in CSS pixels of the page: boxes of text, and edges of buttons and fields.
function boxesOfPage() {
  const boxes = [], seen = (element) => element.checkVisibility({ visibilityProperty: true, contentVisibilityAuto: false });
  const name = (element) => `${element.closest("[class]")?.className.toString().split(" ").pop() || ""} ${element.localName}`.trim();
  const add = (kind, element, text, { left, top, width, height }) => {
    if (width > 2 && height > 4) boxes.push({ kind, what: name(element), text: text.trim().slice(0, 30), x: left + scrollX, y: top + scrollY, width, height });
  };
  for (const root of document.querySelectorAll(".sk")) {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    for (let node; (node = walker.nextNode()); ) {
      const { parentElement: element, textContent: text } = node, range = document.createRange();
      if (!text.trim() || element.closest("template, .sk-vh, svg") || !seen(element) || element.closest(":disabled")) continue;
      range.selectNodeContents(node);
      for (const box of range.getClientRects()) add("text", element, text, box);
    }
    for (const element of root.querySelectorAll("button, .sk-field"))
      if (seen(element)) {
        add("edge", element, element.textContent, element.getBoundingClientRect());
        if (element.placeholder) add("text", element, element.placeholder, element.getBoundingClientRect());
      }
  }
  return boxes;
}

// The ratio of each box by WCAG: of a text its strongest pixel against its ground, of an edge against what lies outside of it.
async function measuredIn(picture, boxes, scale) {
  const image = await createImageBitmap(await (await fetch(picture)).blob());
  const canvas = new OffscreenCanvas(image.width, image.height), context = canvas.getContext("2d", { willReadFrequently: true });
  context.drawImage(image, 0, 0);
  const linear = (part) => (part / 255 <= 0.04045 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4);
  const luminance = ([r, g, b]) => 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b);
  const ratio = (one, other) => (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
  const pixels = (x, y, width, height) => {
    const { data } = context.getImageData(Math.round(x * scale), Math.round(y * scale), Math.max(1, Math.round(width * scale)), Math.max(1, Math.round(height * scale)));
    return Array.from({ length: data.length / 4 }, (_, at) => [data[4 * at], data[4 * at + 1], data[4 * at + 2]]);
  };
  const inText = ({ x, y, width, height }) => {
    const found = pixels(x, y, width, height), counts = new Map();
    for (const color of found) counts.set(color.join(), (counts.get(color.join()) || 0) + 1);
    const [ground] = [...counts].reduce((most, each) => (each[1] > most[1] ? each : most));
    const behind = luminance(ground.split(",").map(Number));
    return Math.max(...found.map((color) => ratio(luminance(color), behind)));
  };
  const onEdge = ({ x, y, height }) => {
    const middle = y + height / 2, [outside] = pixels(x - 3, middle, 0, 0);
    return Math.max(...pixels(x - 0.5, middle, 2, 0).map((color) => ratio(luminance(color), luminance(outside))));
  };
  return boxes
    .filter(({ x, y, width, height }) => x >= 4 && (x + width) * scale <= image.width && (y + height) * scale <= image.height)
    .map((box) => ({ ...box, ratio: box.kind === "text" ? inText(box) : onEdge(box) }));
}

// Everything in the page's cards, measured. The page was opened with `deviceScaleFactor: SCALE`.
export async function measure(page) {
  const still = await page.addStyleTag({ content: ".sk .sk-card { content-visibility: visible !important; } * { caret-color: #0000 !important; }" });
  await page.mouse.move(0, 0);
  const boxes = await page.evaluate(boxesOfPage);
  const picture = await page.screenshot({ fullPage: true, animations: "disabled" });
  const blank = await page.context().browser().newPage();
  const measured = await blank.evaluate(`(${measuredIn})(${JSON.stringify(`data:image/png;base64,${picture.toString("base64")}`)}, ${JSON.stringify(boxes)}, ${SCALE})`);
  await blank.close();
  await still.evaluate((style) => style.remove());
  return measured;
}

// What falls short of what WCAG asks: 4.5 for text, 3 for the edge of a control.
export const tooWeak = (measured) =>
  measured.filter(({ kind, ratio }) => ratio < (kind === "text" ? 4.5 : 3)).map(({ kind, what, text, ratio }) => `${kind} ${what} "${text}": ${ratio.toFixed(2)}`);
