// Fragments inside real sites: Astro Starlight and MkDocs Material, built from an export, served on this machine.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { open, openAll, start, violations } from "./browser.mjs";
import { serve } from "./site_server.mjs";

const LIMIT = { timeout: 60000 };
let held, served, home;

before(async () => {
  held = await start();
  served = await serve();
  home = served.home;
}, { timeout: 40000 });
after(async () => {
  served?.stop();
  await held?.stop();
}, { timeout: 20000 });

const PAGES = { ".mdx page": "/course/decks/showcase/", "fragment in .md": "/course/pasted/", "MkDocs page": "/mk/decks/showcase/" };
// What the host's own pages say on the console or to axe is not ours.
const ours = (found) => found.filter((line) => /sk-|study/.test(line));

// The host's own control, to the other scheme and back where that is what is wanted.
async function toggle(page, theme) {
  const select = page.locator("starlight-theme-select select").first();
  if (await select.count()) {
    for (const step of [theme === "light" ? "dark" : "light", theme]) await select.selectOption(step);
    return;
  }
  for (const scheme of theme === "light" ? ["slate", "default"] : ["slate"]) {
    await page.click("label[title]:not([hidden])[for^=__palette]");
    await page.waitForSelector(`body[data-md-color-scheme=${scheme}]`);
  }
}

for (const [name, path] of Object.entries(PAGES))
  for (const theme of ["light", "dark"])
    test(`${name}, ${theme} on a machine set to the other: axe finds nothing in the cards`, LIMIT, async () => {
      const page = await open(held.browser, home + path, { colorScheme: theme === "light" ? "dark" : "light", bypassCSP: true, reducedMotion: "reduce" });
      await toggle(page, theme);
      await openAll(page);
      await page.waitForTimeout(400); // the host fades its colors

      assert.equal(await page.locator(".sk-card").count(), 9);
      assert.deepEqual(ours(await violations(page)), []);
      assert.deepEqual(page.said.filter((line) => !line.startsWith("Failed to load resource")), []);
      assert.deepEqual(page.missing.filter((url) => url.includes("study")), []); // a host's missing icon is its own
      await page.context().close();
    });

for (const [name, path] of Object.entries(PAGES)) {
  test(`${name}: a review works`, LIMIT, async () => {
    const page = await open(held.browser, home + path);
    await page.click(".sk-go");
    await page.keyboard.press("Enter");
    await page.waitForSelector(".sk-grades");
    await page.keyboard.press("3");

    await page.waitForFunction(() => document.querySelector(".sk-status").textContent === "Card 2 of 8");
    await page.context().close();
  });

  test(`${name}: formulas sit on the line of their sentence, summaries look as ours`, LIMIT, async () => {
    const page = await open(held.browser, home + path);
    await openAll(page);
    const off = await page.evaluate(() => [...document.querySelectorAll(".sk-card p > math:not([display])")].filter((math) => {
      const range = document.createRange();
      range.selectNodeContents(math.parentNode);
      const box = math.getBoundingClientRect();
      return ![...range.getClientRects()].some((line) => Math.abs(line.top + line.bottom - box.top - box.bottom) < 24 && line.width > box.width);
    }).length);
    const summary = await page.evaluate(() => {
      const style = getComputedStyle(document.querySelector(".sk-card summary"));
      return [style.backgroundColor, style.display, parseFloat(style.paddingLeft) <= 12];
    });

    assert.equal(off, 0);
    assert.deepEqual(summary, ["rgba(0, 0, 0, 0)", "list-item", true]);
    await page.context().close();
  });
}

test("the search of every host reads formulas as lines of text", LIMIT, async () => {
  const page = await open(held.browser, home + "/course/");
  const excerpts = await page.evaluate(async () => {
    const pagefind = await import("/course/pagefind/pagefind.js");
    const found = await pagefind.search("utilization of a run");
    return (await Promise.all(found.results.map((result) => result.data()))).map(({ content, excerpt }) => content || excerpt).join();
  });
  const indexes = { Pagefind: excerpts };
  for (const [name, path] of Object.entries({ MkDocs: "/mk/search/search_index.json", Sphinx: "/furo/searchindex.js" })) indexes[name] = await (await fetch(home + path)).text();

  assert.match(indexes.Pagefind, /6ND\/\(seconds × GPUs × P\)/);
  assert.match(JSON.stringify(JSON.parse(indexes.MkDocs)), /6ND\/\(seconds × GPUs × P\)/);
  assert.match(indexes.Sphinx, /"16d(²|\\u00b2)"/);
  for (const [name, text] of Object.entries(indexes)) assert.doesNotMatch(text, /6NDsecond|16d2/i, name);
  for (const path of ["/mk/decks/showcase/", "/furo/decks/showcase.html"]) assert.ok((await (await fetch(home + path)).text()).includes("<mfrac>"), path); // and readers get them drawn
  await page.context().close();
});

test("Pagefind finds a word of a card and links to the card", LIMIT, async () => {
  const page = await open(held.browser, home + "/course/");
  const links = await page.evaluate(async () => {
    const pagefind = await import("/course/pagefind/pagefind.js");
    const found = await pagefind.search("mixed-precision Adam");
    const pages = await Promise.all(found.results.map((result) => result.data()));
    return pages.flatMap((each) => each.sub_results.map((part) => part.url));
  });

  assert.ok(links.some((link) => link.endsWith("/decks/showcase/#q-adam-bytes")), links.join(" "));
  await page.context().close();
});
