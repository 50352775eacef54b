// Pictures for the README: a deck in light, a review in dark, on a telephone.
import { join } from "node:path";
import { at, open, start } from "./browser.mjs";

const folder = process.argv[2];
const held = await start();
const shoot = async (name, options, act) => {
  const page = await open(held.browser, at("showcase", "showcase.html"), { deviceScaleFactor: 2, reducedMotion: "reduce", ...options });
  await act(page);
  await page.waitForTimeout(100);
  await page.screenshot({ path: join(folder, name) });
  await page.context().close();
};
const review = async (page) => {
  await page.click(".sk-go");
  for (let n = 0; n < 4; n++) {
    await page.keyboard.press("Enter");
    await page.waitForSelector(".sk-grades");
    if (n < 3) await page.keyboard.press("3");
  }
};
try {
  await shoot("html-light.png", { colorScheme: "light", viewport: { width: 820, height: 780 } }, (page) =>
    page.evaluate(() => document.querySelectorAll("#c-matmul-flops .sk-a, #c-adam-bytes .sk-a").forEach((d) => { d.open = true; })));
  await shoot("html-dark.png", { colorScheme: "dark", viewport: { width: 820, height: 780 } }, (page) =>
    page.evaluate(() => document.querySelectorAll("#c-matmul-flops .sk-a, #c-adam-bytes .sk-a").forEach((d) => { d.open = true; })));
  await shoot("html-review-light.png", { colorScheme: "light", viewport: { width: 390, height: 700 } }, review);
  await shoot("html-review-dark.png", { colorScheme: "dark", viewport: { width: 390, height: 700 } }, review);
} finally {
  await held.stop();
}
