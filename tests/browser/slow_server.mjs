// Gives pages as a slow line does: what stands before the last script at once, the rest when the browser has drawn that.
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { join } from "node:path";

export async function serveSlowly(root, waitMs) {
  const server = createServer(async (request, response) => {
    const page = await readFile(join(root, decodeURIComponent(new URL(request.url, "http://x").pathname)), "utf8").catch(() => "");
    const script = page.lastIndexOf("<script"), at = script < 0 ? page.length : script;
    const type = { js: "text/javascript", json: "application/json" }[request.url.split(".").at(-1)] || "text/html";
    response.writeHead(page ? 200 : 404, { "content-type": `${type}; charset=utf-8` });
    response.write(page.slice(0, at));
    setTimeout(() => response.end(page.slice(at)), waitMs);
  });
  await new Promise((ready) => server.listen(0, "127.0.0.1", ready));
  return { home: `http://127.0.0.1:${server.address().port}`, stop: () => server.closeAllConnections() || server.close() };
}
