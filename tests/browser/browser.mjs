// One Chromium for a file of tests, always closed; every page reports what it asked for and what it said.
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";

const FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"];
const AXE = await readFile(new URL("node_modules/axe-core/axe.min.js", import.meta.url), "utf8");

export const PAGES = process.env.PAGES;
// A reader who is never too quick for a page: between two looks at the clock 400 ms go by.
export const patient = () => {
  const now = performance.now.bind(performance);
  let later = 0;
  performance.now = () => now() + (later += 400);
};
export const at = (...names) => pathToFileURL(join(PAGES, ...names)).href;

export async function start() {
  const folder = await mkdtemp(join(tmpdir(), "study-browser-"));
  const browser = await chromium.launch({ executablePath: process.env.CHROMIUM || "/usr/bin/chromium", args: FLAGS, timeout: 30000 });
  const stop = async () => {
    await browser.close().catch(() => {});
    await rm(folder, { recursive: true, force: true });
  };
  return { browser, stop, folder };
}

export async function open(browser, url, { hurried = false, ...options } = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
  context.setDefaultTimeout(20000);
  if (!hurried && options.javaScriptEnabled !== false) await context.addInitScript(patient);
  const page = await context.newPage();
  page.said = [];
  page.asked = [];
  page.missing = [];
  page.on("console", (message) => page.said.push(message.text()));
  page.on("pageerror", (error) => page.said.push(String(error)));
  page.on("request", (request) => page.asked.push(request.url()));
  page.on("response", (response) => response.status() >= 400 && page.missing.push(response.url()));
  await page.goto(url);
  return page;
}

// What axe finds wrong, a line for each.
export async function violations(page) {
  await page.evaluate(AXE);
  const found = await page.evaluate(() => axe.run(document, { resultTypes: ["violations"] }));
  return found.violations.map((v) => `${v.id} (${v.impact}): ${v.nodes.slice(0, 3).map((n) => n.html.slice(0, 160)).join(" | ")}`);
}

export const openAll = (page) => page.evaluate(() => document.querySelectorAll(".sk-card .sk-a").forEach((d) => { d.open = true; }));
