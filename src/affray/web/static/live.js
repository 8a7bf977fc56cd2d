// The one socket of the page. It hears of what `data-watch` names; after a break it comes again and
// gets whatever it missed.
import { forget, put, say } from "./parts.js";

const MOST_WAIT_MS = 8000;
let wait = 250;
let was_lost = false;

function state(words) {
  document.getElementById("link-state").textContent = words;
}

function open() {
  const { watch, revision } = document.body.dataset;
  const scheme = location.protocol === "https:" ? "wss" : "ws";
  const socket = new WebSocket(`${scheme}://${location.host}/live`);
  socket.addEventListener("open", () => {
    wait = 250;
    state(was_lost ? "Connected again" : "");
    if (was_lost) forget();
    for (const topic of watch.split(" ")) {
      const known = topic.startsWith("game:") && revision !== "" && !was_lost ? Number(revision) : null;
      socket.send(JSON.stringify({ watch: topic, since: known }));
    }
  });
  socket.addEventListener("message", (event) => {
    const news = JSON.parse(event.data);
    if (news.problem) {
      state(news.problem.detail);
      return;
    }
    put(news.view.parts ?? {}, news.topic.startsWith("game:") ? news.revision : undefined, true);
    if (news.view.say) say(news.view.say);
    if (news.view.go) location.assign(news.view.go);
    document.dispatchEvent(new CustomEvent("news", { detail: news.view }));
  });
  socket.addEventListener("close", (event) => {
    if (event.code >= 4400 && event.code < 4500 && event.code !== 4429) {
      state(event.reason);
      if (event.code < 4404) location.reload(); // shut out: what this page shows is no longer ours
      return;
    }
    was_lost = true;
    state("Not connected; trying again. What you typed stays.");
    setTimeout(open, wait);
    wait = Math.min(wait * 2, MOST_WAIT_MS);
  });
}

export function begin() {
  if (document.body.dataset.watch) open();
}
