// Times pages of many cards at a quarter of the speed, the best of some runs: node tests/browser/speed.mjs [RUNS]
import { execFileSync } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { open, start } from "./browser.mjs";

const runs = +(process.argv[2] || 5), folder = await mkdtemp(join(tmpdir(), "study-speed-")), held = await start();
const python = process.env.PYTHON || new URL("../../.venv/bin/python", import.meta.url).pathname;
const made = "import sys; from pathlib import Path; import make_pages as m; Path(sys.argv[2]).write_text(m.many(int(sys.argv[1])), 'utf-8')";
for (const count of [1000, 5000]) {
  const deck = join(folder, `${count}.md`), out = join(folder, String(count));
  execFileSync(python, ["-c", made, String(count), deck], { cwd: new URL(".", import.meta.url).pathname });
  execFileSync(python, ["-m", "studykit", "export", "html", deck, "-o", out], { stdio: "ignore", env: { ...process.env, STUDYKIT_DB: join(folder, "study.db") } });
  const ready = [], grades = [];
  for (let run = 0; run < runs; run++) {
    const page = await open(held.browser, "about:blank", { hurried: true }), chromium = await page.context().newCDPSession(page);
    await page.addInitScript(() => {
      const answer = (_, n) => ({ id: `00000000-0000-7000-8000-${String(n).padStart(12, 0)}`, kind: "answer", card: `card-${n % 500}`, moment: 1.7e15 + n * 1e9, day: new Date(1.7e12 + n * 1e6).toISOString().slice(0, 10), zone: "UTC", grade: n % 7 ? 4 : 1 });
      localStorage["studykit:v1:many"] ||= JSON.stringify({ schema: 1, kind: "studykit-progress", events: Array.from({ length: 10000 }, answer) });
      const look = () => (document.querySelector(".sk-bar:not([hidden])") ? (window.ready = performance.now()) : requestAnimationFrame(look));
      look();
    });
    const address = pathToFileURL(join(out, `${count}-cards.html`)).href;
    await page.goto(address); // writes the answers
    await chromium.send("Emulation.setCPUThrottlingRate", { rate: 4 });
    await page.goto(address);
    ready.push(await page.evaluate(async () => {
      while (!window.ready) await new Promise(requestAnimationFrame);
      return window.ready;
    }));
    await page.click(".sk-go");
    grades.push(...await page.evaluate(async () => {
      const all = [];
      for (let n = 0; n < 6; n++) {
        await new Promise((later) => setTimeout(later, 400)); // until a page takes the next grade
        document.querySelector(".sk-now summary").click();
        const began = performance.now();
        document.querySelector(".sk-grades [value='4']").click();
        all.push(performance.now() - began);
      }
      return all;
    }));
    await page.context().close();
  }
  const best = (times) => Math.round(Math.min(...times));
  console.log(`${count} cards, 10,000 answers, 4x throttle: ready in ${best(ready)} ms, a grade in ${best(grades)} ms`);
}
await held.stop();
await rm(folder, { recursive: true, force: true });
