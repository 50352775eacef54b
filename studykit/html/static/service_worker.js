// Keeps the files of one export, all or none, and answers from them; nothing else of the site is touched.
const OURS = "studykit:" + registration.scope + ":", HERE = OURS + VERSION;
const address = (name) => new URL(name, registration.scope).href;

// A redirected answer may not be given to a page that is opened: its content is taken without its way.
async function put(cache, name) {
  const got = await fetch(address(name), { cache: "no-cache" });
  if (!got.ok) throw Error(name);
  await cache.put(address(name), new Response(await got.blob(), { headers: got.headers }));
}

// The file that an address means; hosts leave out index.html, and some the ending of every page.
function named(url) {
  const path = url.split(/[?#]/)[0];
  return [path, path + "index.html", path + ".html"].find((one) => KEPT.has(one));
}

const KEPT = new Set(FILES.map(address));

addEventListener("install", (event) => event.waitUntil(caches.open(HERE).then((cache) => Promise.all(FILES.map((name) => put(cache, name))))));

addEventListener("activate", (event) => {
  const clear = async () => {
    for (const name of await caches.keys()) if (name.startsWith(OURS) && name !== HERE) await caches.delete(name);
    await clients.claim();
  };
  event.waitUntil(clear());
});

addEventListener("message", ({ data }) => data === "update" && skipWaiting());

addEventListener("fetch", (event) => {
  const file = event.request.method === "GET" && named(event.request.url);
  if (file) event.respondWith(caches.open(HERE).then((cache) => cache.match(file)).then((kept) => kept || fetch(event.request)));
});
