// What matters most of the pages, in Chromium, Firefox and WebKit: ENGINES=firefox,webkit chooses. A folder is served from this machine,
// since a service worker needs an address; a page asked for with ?quiet runs no script, with ?paper it is drawn as on paper.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { PAGES } from "./browser.mjs";
import { ENGINES } from "./engines.mjs";

const LIMIT = { timeout: 90000 };
const TYPES = { html: "text/html; charset=utf-8", js: "text/javascript", png: "image/png", webmanifest: "application/manifest+json", json: "application/json" };
const chosen = (process.env.ENGINES || Object.keys(ENGINES).join()).split(",");

// Serves PAGES on a port of its own; `changed` replaces texts of files.
async function served() {
  const changed = new Map(), sockets = new Set();
  const server = createServer(async ({ url }, answer) => {
    const { pathname, search } = new URL(url, "http://localhost");
    try {
      let body = changed.get(pathname) ?? await readFile(join(PAGES, pathname));
      if (search === "?paper") body = String(body).replaceAll("@media print", "@media screen").replace(/<meta http-equiv[^>]*>/, "");
      const quiet = search === "?quiet" ? { "Content-Security-Policy": "script-src 'none'" } : {};
      answer.writeHead(200, { "Content-Type": TYPES[pathname.split(".").pop()] || "text/plain", "Cache-Control": "no-store", ...quiet });
      answer.end(body);
    } catch {
      answer.writeHead(404).end();
    }
  });
  server.on("connection", (socket) => sockets.add(socket.on("close", () => sockets.delete(socket))));
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  const stop = () => new Promise((done) => {
    server.close(done);
    for (const socket of sockets) socket.destroy();
  });
  return { at: (name) => `http://localhost:${server.address().port}/${name}`, changed, stop };
}

for (const name of chosen)
  describe(name, () => {
    let page, site;
    before(async () => {
      site = await served();
      page = await ENGINES[name]();
    }, { timeout: 90000 });
    after(async () => {
      await page?.stop();
      await site?.stop();
    }, { timeout: 30000 });

    const ask = (given, ...values) => page.evaluate(given, ...values);
    const text = (selector) => ask((css) => document.querySelector(css)?.textContent ?? null, selector);
    const until = async (given, ...values) => {
      for (let tries = 0; tries < 100; tries++, await pause(50)) if (await ask(given, ...values).catch(() => false)) return; // a page may be loading
      assert.fail(`${given} never held: ${await text("body")}`.slice(0, 600));
    };
    const graded = (yes) => until((wanted) => wanted === !!document.querySelector(".sk-now .sk-grades"), yes);
    const fresh = async (file = "showcase/showcase.html") => {
      await page.go(site.at(file));
      await ask(() => localStorage.clear());
      await page.go(site.at(file));
    };

    // Answers what is asked, by keys alone; a typed answer is wrong twice.
    const answer = async (key) => {
      if (await ask(() => document.activeElement.matches(".sk-field"))) {
        for (let tries = 0; tries < (await ask(() => !!document.querySelector(".sk-now[data-sk]")) ? 2 : 1); tries++) for (const press of ["1", "Enter"]) await page.press(press);
      } else if (await ask(() => !!document.querySelector(".sk-now[data-choice]"))) {
        for (const press of ["1", "Enter"]) await page.press(press);
      } else await page.press("Enter");
      await graded(true);
      const before = await text(".sk-now .sk-q"), left = await text(".sk-status");
      await page.press(key);
      await until((question, status) => document.querySelector(".sk-now .sk-q")?.textContent !== question || document.querySelector(".sk-status").textContent !== status, before, left);
      await pause(350); // for a moment after a grade nothing else is taken
    };
    const review = async (key) => {
      let answers = 0;
      for (; (await ask(() => !!document.querySelector(".sk-now"))) && answers < 30; answers++) await answer(key);
      return answers;
    };
    // What the page hands to the browser to save, and a copy handed to the page.
    const saved = (press) => ask(async (css, words) => {
      const make = URL.createObjectURL;
      const blob = new Promise((done) => { URL.createObjectURL = (given) => (done(given), make.call(URL, given)); });
      HTMLAnchorElement.prototype.click = () => {};
      (document.querySelector(css) || [...document.querySelectorAll("button")].find((button) => button.textContent === words)).click();
      return (await blob).text();
    }, press, "Save a copy");
    const read = (copy) => ask((given) => {
      const input = document.querySelector("input[type=file]"), chosenFiles = new DataTransfer();
      chosenFiles.items.add(new File([given], "progress.json", { type: "application/json" }));
      input.files = chosenFiles.files;
      input.dispatchEvent(new Event("change"));
    }, copy);

    test("the keyboard alone finishes a review, and a reload remembers it", LIMIT, async () => {
      await fresh();
      await ask(() => document.querySelector(".sk-go").focus());
      await page.press("Enter");
      const answers = await review("3");

      assert.equal(answers, 8);
      await page.go(site.at("showcase/showcase.html"));
      assert.equal(await text(".sk-bar button"), "Practise 8");
    });

    test("a mouse begins a review, and a grade again brings the card back the same day", LIMIT, async () => {
      await fresh();
      await page.click(".sk-go");
      const first = await text(".sk-now .sk-q");
      await answer("1");
      let met = 0;
      for (let n = 0; n < 8; n++) {
        met += (await text(".sk-now .sk-q")) === first;
        await answer("3");
      }

      assert.equal(met, 1);
      assert.equal(await ask(() => !!document.querySelector(".sk-now")), false);
    });

    test("undo brings the last card back", LIMIT, async () => {
      await fresh();
      await page.click(".sk-go");
      const first = await text(".sk-now .sk-q");
      await answer("3");
      await page.press("u");

      await until((question) => document.querySelector(".sk-now .sk-q").textContent === question, first);
    });

    test("a copy of progress is saved, and read where there is none", LIMIT, async () => {
      await fresh();
      await page.click(".sk-go");
      await review("3");
      const copy = await saved("[name=copy]");
      await fresh();
      assert.equal(await text(".sk-go"), "Review 8");
      await read(copy);

      await until(() => document.querySelector(".sk-status").textContent.startsWith("Answers added: 8. Cards changed: 8."));
      assert.equal(JSON.parse(copy).events.length, 8);
    });

    test("a later export knows a reworded card and a renamed deck, and another course does not", LIMIT, async () => {
      await fresh("cases/cases.html");
      await page.click(".sk-go");
      assert.equal(await review("3"), 3);
      await page.go(site.at("cases-2/cases.html")); // leads on to the deck's new address
      await until(() => document.querySelector("h1")?.textContent === "Renamed" && document.querySelector(".sk-status").textContent.startsWith("0 due, 0 new, 3 known."));
      await page.go(site.at("cases-other/cases.html"));
      await until(() => document.querySelector(".sk-status").textContent.startsWith("0 due, 3 new, 0 known."));
      await page.go(site.at("cases/cases.html")); // an old page that a worker kept
      await until(() => document.querySelector(".sk-status").textContent.startsWith("0 due, 0 new, 3 known."));
    });

    test("a typed word is judged as wrong and kept, and a choice once", LIMIT, async () => {
      await fresh("cases/cases.html");
      await page.click(".sk-go");
      await answer("3");
      for (const key of ["L", "y", "o", "n", "Enter"]) await page.press(key);
      await graded(true);
      assert.equal(await text(".sk-now output"), "Not right.");
      assert.match(await text(".sk-grades .sk-go"), /^Again/);
      await page.press("Enter");
      await until(() => Object.values(localStorage).some((kept) => kept.includes('"typed":"Lyon"')));
      await pause(350);
      await until(() => !!document.querySelector(".sk-now[data-choice]"));
      await ask(() => document.querySelectorAll(".sk-now .sk-options input").forEach((box) => { box.checked = box.closest("label").textContent.includes("clone"); }));
      await page.click(".sk-now .sk-form button");
      await graded(true);
      await ask(() => document.querySelectorAll(".sk-now .sk-options input").forEach((box) => { box.checked = !box.closest("label").textContent.includes("clone"); }));
      await page.click(".sk-now .sk-form button");
      assert.equal(await text(".sk-now output"), "Right.");
      assert.match(await text(".sk-grades .sk-go"), /^Again/);
    });

    test("without scripts every answer can be opened and read", LIMIT, async () => {
      await page.go(site.at("showcase/showcase.html?quiet"));
      const summaries = await ask(() => document.querySelectorAll(".sk-card summary").length);
      await page.click(".sk-card summary");
      const shown = await ask(() => document.querySelector(".sk-card .sk-text").getBoundingClientRect().height);

      assert.equal(summaries, 9);
      assert.ok(shown > 0);
      assert.equal(await ask(() => [...document.querySelectorAll("button, input")].filter((node) => node.checkVisibility({ visibilityProperty: true })).length), 0);
    });

    test("a link to an answer opens it without scripts", LIMIT, async () => {
      await page.go(site.at("showcase/showcase.html?quiet#a-adam-bytes"));

      await until(() => document.querySelector("#a-adam-bytes").closest("details").open);
    });

    test("on paper every answer stands and no control does", LIMIT, async () => {
      await page.go(site.at("showcase/showcase.html?paper"));
      const [answers, bars] = await ask(() => [".sk-text", ".sk-bar"].map((css) => [...document.querySelectorAll(css)].filter((node) => node.getBoundingClientRect().height > 0).length));

      assert.equal(answers, 9);
      assert.equal(bars, 0);
      if (!page.print) return; // WebKit's driver makes no PDF
      await page.go(site.at("showcase/showcase.html"));
      const file = join(PAGES, `${name}.pdf`);
      await writeFile(file, await page.print());
      const printed = execFileSync("pdftotext", ["-layout", file, "-"], { encoding: "utf8", timeout: 10000 });
      for (const words of ["each of the", "two moments", "below: memory-bound"]) assert.ok(printed.includes(words), `${words} is not on paper`);
    });

    test("no page is wider than the window, and formulas are drawn", LIMIT, async () => {
      await fresh();
      const [wide, window, formulas] = await ask(() => {
        for (const node of document.querySelectorAll(".sk-card .sk-a")) node.open = true;
        return [document.scrollingElement.scrollWidth, innerWidth, [...document.querySelectorAll("math")].every((math) => math.getBoundingClientRect().width > 4)];
      });

      assert.ok(wide <= window, `${wide} in ${window}`);
      assert.ok(formulas);
    });

    const appReady = () => until(() => document.querySelector("#state").textContent === "All of it works without a network.");

    test("the app leads through what is due in every deck, and its copy holds all of it", LIMIT, async () => {
      await fresh("app/app.html");
      await appReady();
      assert.equal(await text("#go"), "Review all 10");
      await page.click("#go");
      await until(() => !!document.querySelector(".sk-now"));
      let answers = await review("3");
      await page.click(".sk-end a"); // to the deck that follows, in its review
      await until(() => !!document.querySelector(".sk-now"));
      answers += await review("3");
      assert.equal(answers, 10); // as many new ones as a day allows, of all decks together
      await page.go(site.at("app/app.html"));
      const copy = await saved("#save"), { kind, events } = JSON.parse(copy);
      assert.equal(kind, "studykit-progress");
      assert.equal(events.length, 10);
      await fresh("app/app.html");
      await read(copy);
      await until(() => document.querySelector("#said").textContent.startsWith("Answers added: 10."));
      assert.equal(await text("#go"), "Nothing is due");
    });

    test("the app and every deck open without a network, once they were there", LIMIT, async () => {
      const gone = await served();
      await page.go(gone.at("app/app.html"));
      await appReady();
      const address = gone.at("app/");
      await gone.stop();
      await page.go(address + "app.html");
      assert.equal(await text("#go"), "Review all 10");
      await page.click("#go");
      await until(() => !!document.querySelector(".sk-now"));
      await page.go(address + "numbers.html");
      assert.equal(await text("h1"), "Numbers");
      await page.go(address);
      assert.equal(await text("h1"), "Decks");
    });

    test("the app tells of a new version, and takes it when asked", LIMIT, async () => {
      const newer = await served();
      await page.go(newer.at("app/app.html"));
      await appReady();
      const worker = String(await readFile(join(PAGES, "app/service-worker.js"))), old = String(await readFile(join(PAGES, "app/app.html")));
      newer.changed.set("/app/service-worker.js", worker.replace(/VERSION = "\w+"/, 'VERSION = "newer"'));
      newer.changed.set("/app/app.html", old.replace("<h1>", "<h1>Newer "));
      await page.go(newer.at("app/app.html"));
      assert.doesNotMatch(await text("h1"), /Newer/); // not before it is asked for
      newer.changed.set("/app/decks.json", String(await readFile(join(PAGES, "app/decks.json"))).replace(/"version": "\w+"/, '"version": "newer"'));
      await page.go(newer.at("app/app.html"));
      await until(() => !document.querySelector("#newer").hidden);
      await page.click("#newer button");

      await until(() => document.querySelector("h1")?.textContent.startsWith("Newer"));
      await newer.stop();
    });
  });
