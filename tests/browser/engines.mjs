// Chromium, Firefox and WebKit behind one small interface: go, evaluate, press, click, print. Firefox is driven by WebDriver BiDi,
// WebKit by WebDriver; each is a process with a profile of its own that ends with the test.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import WebSocket from "ws";
import { start } from "./browser.mjs";

const KEYS = { Enter: "\uE007", Escape: "\uE00C", Tab: "\uE004", " ": " " };
const MINIBROWSERS = ["webkit2gtk-4.1", "webkitgtk-6.0", "webkit2gtk-4.0"].map((name) => `/usr/lib/x86_64-linux-gnu/${name}/MiniBrowser`);
const FIREFOX = process.env.FIREFOX || "/usr/bin/firefox-esr", DRIVER = process.env.WEBKIT_DRIVER || "/usr/bin/WebKitWebDriver";
const DISPLAY = ":97", PORT = 4517;

// A function of a page as text, called with values; its promise is waited for.
const called = (given, values) => `(${given})(${values.map((value) => JSON.stringify(value)).join(", ")})`;

async function ended(child) {
  if (child.exitCode !== null || child.signalCode) return;
  child.kill();
  await Promise.race([once(child, "exit"), pause(5000, undefined, { ref: false })]);
  child.kill("SIGKILL");
}

async function patiently(attempt, ms = 30000) {
  for (const began = Date.now(); ; await pause(100)) {
    try { return await attempt(); } catch (error) { if (Date.now() - began > ms) throw error; }
  }
}

async function chromium() {
  const held = await start(), context = await held.browser.newContext({ viewport: { width: 1000, height: 800 } }), page = await context.newPage();
  return {
    go: (url) => page.goto(url),
    evaluate: (given, ...values) => page.evaluate(called(given, values)),
    press: async (key) => page.keyboard.press(key === " " ? "Space" : key),
    click: (selector) => page.click(selector),
    print: () => page.pdf(),
    stop: held.stop,
  };
}

async function firefox() {
  const profile = await mkdtemp(join(tmpdir(), "study-firefox-")), waiting = new Map();
  await writeFile(join(profile, "user.js"), `user_pref("browser.download.folderList", 2);\nuser_pref("browser.download.dir", ${JSON.stringify(profile)});\n`);
  const child = spawn(FIREFOX, ["--headless", "--no-remote", "--profile", profile, "--remote-debugging-port", "0"], { env: { ...process.env, HOME: profile }, stdio: ["ignore", "ignore", "pipe"] });
  const stop = async () => {
    await ended(child);
    await rm(profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  };
  try {
    let said = "";
    child.stderr.on("data", (text) => { said += text; });
    const address = await patiently(() => /WebDriver BiDi listening on (ws:\S+)/.exec(said)?.[1] || Promise.reject(Error(`Firefox does not start: ${said}`)), 60000);
    const socket = new WebSocket(`${address}/session`);
    await once(socket, "open");
    socket.on("message", (text) => {
      const { id, type, result, error, message } = JSON.parse(text), [done, failed] = waiting.get(id) || [];
      if (type === "success") done?.(result);
      else if (type === "error") failed?.(Error(`${error}: ${message}`));
    });
    let number = 0;
    const ask = (method, params) => new Promise((done, failed) => {
      waiting.set(++number, [done, failed]);
      socket.send(JSON.stringify({ id: number, method, params }));
    });
    await ask("session.new", { capabilities: {} });
    const { context } = await ask("browsingContext.create", { type: "window" }); // the first one gets no focus, and keys do nothing in it
    await ask("browsingContext.activate", { context });
    await ask("browsingContext.setViewport", { context, viewport: { width: 1000, height: 800 } });
    const evaluate = async (given, ...values) => {
      const told = await ask("script.evaluate", { expression: `Promise.resolve(${called(given, values)}).then((value) => JSON.stringify(value) ?? "null")`, target: { context }, awaitPromise: true, userActivation: true });
      if (told.type === "exception") throw Error(told.exceptionDetails.text);
      return JSON.parse(told.result.value);
    };
    const act = (...actions) => ask("input.performActions", { context, actions });
    return {
      go: (url) => ask("browsingContext.navigate", { context, url, wait: "complete" }),
      evaluate,
      press: (key) => act({ type: "key", id: "keys", actions: ["keyDown", "keyUp"].map((type) => ({ type, value: KEYS[key] || key })) }),
      click: async (selector) => {
        const [x, y] = await evaluate(middle, selector);
        await act({ type: "pointer", id: "mouse", actions: [{ type: "pointerMove", x, y }, { type: "pointerDown", button: 0 }, { type: "pointerUp", button: 0 }] });
      },
      print: async () => Buffer.from((await ask("browsingContext.print", { context })).data, "base64"),
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

// Where to press a mouse for an element, which comes into view first.
const middle = String((selector) => {
  const element = document.querySelector(selector);
  element.scrollIntoView({ block: "center", behavior: "instant" });
  const { left, top, width, height } = element.getBoundingClientRect();
  return [Math.round(left + width / 2), Math.round(top + height / 2)];
});

async function webkit() {
  const home = await mkdtemp(join(tmpdir(), "study-webkit-")), env = { ...process.env, DISPLAY, HOME: home };
  const quiet = { env, stdio: "ignore" }, children = [spawn("Xvfb", [DISPLAY, "-screen", "0", "1024x900x24", "-nolisten", "tcp"], quiet), spawn(DRIVER, [`--port=${PORT}`], quiet)];
  let session;
  const ask = async (method, path, body) => {
    const got = await fetch(`http://127.0.0.1:${PORT}${path}`, { method, body: body && JSON.stringify(body) }), { value } = await got.json();
    if (value?.error) throw Error(`${value.error}: ${value.message}`);
    return value;
  };
  const stop = async () => {
    if (session) await ask("DELETE", session).catch(() => {});
    for (const child of children) await ended(child);
    await rm(home, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  };
  try {
    const options = { binary: MINIBROWSERS.find(existsSync), args: ["--automation"] };
    const { sessionId } = await patiently(() => ask("POST", "/session", { capabilities: { alwaysMatch: { "webkitgtk:browserOptions": options } } }));
    session = `/session/${sessionId}`;
    await ask("POST", `${session}/timeouts`, { script: 30000, pageLoad: 30000 });
    const act = (...actions) => ask("POST", `${session}/actions`, { actions });
    return {
      go: (url) => ask("POST", `${session}/url`, { url }),
      evaluate: async (given, ...values) => {
        const script = `const done = arguments[0]; Promise.resolve(${called(given, values)}).then((value) => done({ value }), (error) => done({ error: String(error) }));`;
        const { value, error } = await ask("POST", `${session}/execute/async`, { script, args: [] });
        if (error) throw Error(error);
        return value ?? null;
      },
      press: (key) => act({ type: "key", id: "keys", actions: ["keyDown", "keyUp"].map((type) => ({ type, value: KEYS[key] || key })) }),
      click: async (selector) => {
        const [element] = Object.values(await ask("POST", `${session}/element`, { using: "css selector", value: selector }));
        await ask("POST", `${session}/element/${element}/click`, {});
      },
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

export const ENGINES = { chromium, firefox, webkit };
