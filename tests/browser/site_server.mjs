// The built sites, served on this machine under the addresses that they were built for.
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join, normalize } from "node:path";

const TYPES = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".json": "application/json", ".svg": "image/svg+xml", ".wasm": "application/wasm" };
export const SITES = { "/course": process.env.STARLIGHT, "/mk": process.env.MKDOCS, "/furo": process.env.FURO, "/pydata": process.env.PYDATA, "/hugo": process.env.HUGO };

// The address of the server, and what stops it.
export async function serve() {
  const server = createServer(async (request, response) => {
    const path = decodeURIComponent(new URL(request.url, "http://localhost").pathname);
    const prefix = Object.keys(SITES).find((name) => path.startsWith(name + "/"));
    const file = join(SITES[prefix] || "/nowhere", normalize(path.slice((prefix || "").length)), path.endsWith("/") ? "index.html" : "");
    try {
      const content = await readFile(file);
      response.writeHead(200, { "content-type": TYPES[extname(file)] || "application/octet-stream" }).end(content);
    } catch { response.writeHead(404).end(); }
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  const stop = () => {
    server.closeAllConnections();
    server.close();
  };
  return { home: `http://127.0.0.1:${server.address().port}`, stop };
}

// Sets the scheme that the host's own control would set and remember, and shows the page in it.
export async function inScheme(page, scheme) {
  await page.evaluate((to) => {
    const material = { index: to === "dark" ? 1 : 0, color: { scheme: to === "dark" ? "slate" : "default" } };
    localStorage.setItem(`/${location.pathname.split("/")[1]}/.__palette`, JSON.stringify(material));
    for (const name of ["theme", "mode", "starlight-theme"]) localStorage.setItem(name, to); // Furo, pydata, Starlight
  }, scheme);
  await page.reload();
  await page.waitForTimeout(400); // hosts fade their colors
}
