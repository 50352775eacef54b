// The app: a worker keeps every page for the time without a network.
const state = document.querySelector("#state");
navigator.serviceWorker
  ? navigator.serviceWorker.register("service-worker.js").then(() => navigator.serviceWorker.ready).then(() => (state.textContent = A.offline), () => (state.textContent = A.online))
  : (state.textContent = A.online);
