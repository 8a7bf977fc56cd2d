// Chances beside the options: asked for in the background as a question comes up, and by a button.
// What was asked of another question, or of another choice in the turn, is dropped.
import { show } from "./forms.js";
import { ask, say } from "./parts.js";

let asking = null;

async function ask_hits(button, wins) {
  asking?.abort();
  const { signal } = (asking = new AbortController());
  const body = new URLSearchParams(new FormData(button.form, wins ? button : null));
  if (wins) button.setAttribute("aria-busy", "true");
  try {
    const found = await ask(button.formAction, "question map", { body, signal });
    if (!signal.aborted) show(found);
  } catch (error) {
    if (error.name !== "AbortError" && wins) say(`Not counted: ${error.message}`);
  } finally {
    button.removeAttribute("aria-busy");
  }
}

function begin() {
  const button = document.querySelector('#question [data-hits="now"]');
  if (button) ask_hits(button, false);
}

document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-hits]");
  if (!button) return;
  event.preventDefault();
  ask_hits(button, true);
});
document.addEventListener("input", (event) => {
  if (event.target.closest("#question")) asking?.abort();
});
document.addEventListener("put", ({ detail }) => {
  if (!detail.question) return;
  asking?.abort();
  begin();
});
begin();
