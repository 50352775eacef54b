// Cards in every host, in the scheme that the machine is not set to: contrast of what is seen, room on a telephone, lessons, order.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { open, openAll, start } from "./browser.mjs";
import { measure, SCALE, tooWeak } from "./contrast.mjs";
import { inScheme, serve } from "./site_server.mjs";

const LIMIT = { timeout: 90000 };
const HOSTS = {
  Starlight: { deck: "/course/decks/showcase/", lesson: "/course/lesson/", index: "/course/decks/" },
  "MkDocs Material": { deck: "/mk/decks/showcase/", lesson: "/mk/lesson/", index: "/mk/decks/" },
  Furo: { deck: "/furo/decks/showcase.html", lesson: "/furo/lesson.html", index: "/furo/decks/index.html" },
  pydata: { deck: "/pydata/decks/showcase.html", lesson: "/pydata/lesson.html", index: "/pydata/decks/index.html" },
  Hugo: { deck: "/hugo/decks/showcase/", lesson: "/hugo/lesson/", index: "/hugo/decks/" },
};
let held, served;

before(async () => {
  held = await start();
  served = await serve();
}, { timeout: 40000 });
after(async () => {
  served?.stop();
  await held?.stop();
}, { timeout: 20000 });

const visit = (path, options) => open(held.browser, served.home + path, { reducedMotion: "reduce", ...options });

for (const [host, { deck, lesson, index }] of Object.entries(HOSTS)) {
  for (const scheme of ["light", "dark"])
    test(`${host}, ${scheme} on a machine set to the other: every text is 4.5 to 1, every edge of a control 3 to 1`, LIMIT, async () => {
      const page = await visit(deck, { colorScheme: scheme === "light" ? "dark" : "light", deviceScaleFactor: SCALE });
      await inScheme(page, scheme);
      await openAll(page);
      const cards = await measure(page);
      await page.click(".sk-go");
      await page.keyboard.press("Enter");
      await page.waitForSelector(".sk-grades");
      const review = await measure(page);

      assert.ok(cards.length > 100 && review.length > 8, `${cards.length} and ${review.length} were measured`);
      assert.deepEqual(tooWeak([...cards, ...review]), []);
      await page.context().close();
    });

  test(`${host}: nothing stands out of a telephone's page`, LIMIT, async () => {
    for (const path of [deck, lesson]) {
      const page = await visit(path, { viewport: { width: 375, height: 700 } });
      await openAll(page);
      const wide = await page.evaluate(() => {
        const within = document.querySelector(".sk").getBoundingClientRect().right + 0.5 * parseFloat(getComputedStyle(document.documentElement).fontSize) + 0.5; // the cards' own margins
        return [...document.querySelectorAll(".sk *")]
          .filter((each) => each.checkVisibility() && !each.parentElement.closest(".sk-code, .sk-scroll, .sk-math, svg") && !each.matches(".sk-vh"))
          .filter((each) => each.getBoundingClientRect().right > Math.min(within, 376))
          .map((each) => each.outerHTML.slice(0, 80));
      });

      assert.deepEqual(wide, []);
      assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= 375);
      await page.context().close();
    }
  });

  test(`${host}: a lesson's three cards share their progress with the page of their deck`, LIMIT, async () => {
    const page = await visit(lesson);
    const group = page.locator(".sk-few").first();
    assert.equal(await group.locator(".sk-card").count(), 3);
    await group.locator(".sk-go").click();
    for (let n = 0; n < 3; n++) {
      await page.keyboard.press("Enter");
      await page.waitForSelector(".sk-grades");
      await page.keyboard.press("3");
    }
    await page.waitForFunction(() => document.querySelector(".sk-few .sk-end"));
    const [kept] = await page.evaluate(() => Object.entries(localStorage).filter(([name]) => name.startsWith("studykit:")));
    assert.equal(JSON.parse(kept[1]).events.length, 3);

    await page.goto(served.home + deck);
    await page.waitForSelector(".sk-go");
    assert.match(await page.locator(".sk-go").first().textContent(), /5/); // of the deck's 8 that a day would bring
    await page.context().close();
  });

  test(`${host}: a lesson is read without scripts`, LIMIT, async () => {
    const page = await visit(lesson, { javaScriptEnabled: false });
    await page.locator("#c-matmul-flops summary").click();

    assert.ok(await page.locator("#a-matmul-flops").isVisible());
    await page.context().close();
  });

  test(`${host}: an index of its own lists the decks in the order of the course`, LIMIT, async () => {
    const page = await visit(index);
    const listed = await page.evaluate(() => [...document.querySelectorAll("main a, article a")].map((link) => link.textContent.trim()).filter((text) => /^(Counting the cost|\d\. )/.test(text)));

    assert.deepEqual([...new Set(listed)].slice(0, 3), ["Counting the cost", "2. Tensors and their memory", "9. Counting a Transformer"]); // not by file name
    await page.context().close();
  });
}

for (const [host, path] of Object.entries({ Starlight: HOSTS.Starlight.deck, "MkDocs Material": HOSTS["MkDocs Material"].deck, Furo: HOSTS.Furo.deck, pydata: HOSTS.pydata.deck }))
  test(`${host}: the deck that follows in the course is the next page`, LIMIT, async () => {
    const page = await visit(path.replace("showcase", "tensors")); // by file name flops would be two before it
    const next = await page.evaluate(() => [...document.querySelectorAll("a[rel=next], .md-footer__link--next, .next-page, a.right-next")].map((link) => link.href).filter(Boolean));

    assert.ok(next.some((href) => /\/flops(\/|\.html)$/.test(href)), next.join(" "));
    await page.context().close();
  });
