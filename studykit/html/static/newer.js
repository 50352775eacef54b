// Sees that the site has a newer export than this page, whether or not a worker keeps this one, and brings it.
const BESIDE = document.currentScript?.src || location.href;

function watchFor(version, offer) {
  const look = async () => {
    try {
      const list = await fetch(new URL("decks.json", BESIDE), { cache: "no-store" }), there = await list.json();
      if (there.version !== version) offer();
    } catch { } // without a network the page is the newest there is
  };
  if (!version || !/^http/.test(location.protocol)) return;
  look();
  addEventListener("visibilitychange", look);
}

async function renew() {
  const kept = await navigator.serviceWorker?.getRegistration(), go = () => location.reload();
  await kept?.update();
  const worker = kept?.waiting || kept?.installing;
  if (!worker) return go();
  navigator.serviceWorker.oncontrollerchange = go;
  worker.postMessage("update");
}
