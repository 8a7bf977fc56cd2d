// What only tables need: the key of a link goes from the address into the form, links are copied,
// everybody goes to the game on the table, and a turn of one's own rings if that is wanted.
import { say } from "./parts.js";

/** The key stands in the fragment, which is sent to nobody; it doesn't stay in the history. */
function take_key() {
  const field = document.getElementById("key");
  if (!field || location.hash.length < 2) return;
  field.value = location.hash.slice(1);
  document.getElementById("key-field").hidden = true;
  history.replaceState(null, "", location.pathname);
}

async function copy(button) {
  const field = document.getElementById(button.dataset.copy);
  field.select();
  try {
    await navigator.clipboard.writeText(field.value);
  } catch {
    document.execCommand("copy"); // where the page came by plain http
  }
  say(button.dataset.done);
  button.textContent = button.dataset.done;
}

const game_on_table = () => document.getElementById("on_table")?.dataset.go ?? "";
const known_game = game_on_table();

function follow() {
  const now = game_on_table();
  if (!now || now === known_game) return;
  if (document.body.classList.contains("projector")) location.reload(); // its address stays
  else location.assign(now);
}

// -- whose turn --------------------------------------------------------------------------------

const is_mine = () => document.getElementById("turn")?.classList.contains("mine") ?? false;
let was_mine = is_mine(); // nothing rings when the page opens

function hear_turn() {
  if (is_mine() && !was_mine && is_loud()) ring();
  was_mine = is_mine();
}

function is_loud() {
  try { return localStorage.getItem("sound") === "on"; } catch { return false; }
}

function ring() {
  const audio = new AudioContext();
  const tone = audio.createOscillator();
  const loud = audio.createGain();
  tone.frequency.value = 660;
  loud.gain.setValueAtTime(0.15, audio.currentTime);
  loud.gain.exponentialRampToValueAtTime(0.001, audio.currentTime + 0.4);
  tone.connect(loud).connect(audio.destination);
  tone.start();
  tone.stop(audio.currentTime + 0.4);
  tone.addEventListener("ended", () => audio.close());
}

function begin_sound() {
  const box = document.getElementById("sound");
  if (!box) return;
  box.closest("[hidden]").hidden = false;
  box.checked = is_loud();
  box.addEventListener("change", () => {
    try { localStorage.setItem("sound", box.checked ? "on" : "off"); } catch { /* not kept */ }
    if (box.checked) ring();
  });
}

take_key();
begin_sound();
addEventListener("hashchange", take_key);
document.addEventListener("put", ({ detail }) => {
  follow();
  hear_turn();
  if (!detail.made_link) return;
  const made = document.getElementById("made_link");
  made.focus();
  if (!made.querySelector(".fault")) document.getElementById("link-form").reset(); // for the next
});
document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-copy]");
  if (button) copy(button);
});
