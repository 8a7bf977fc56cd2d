// Forms that work without a reload. `data-live="a b"`: a form that asks; it asks again after each
// edit, and puts these parts, as links with `data-ask` in it do. `data-send="a b"`: a form that does
// something, then puts these parts.
import { ask, put, refuse } from "./parts.js";

const WAIT_MS = 60;
const asking = new WeakMap(); // the question of each live form that is on its way
const waiting = new WeakMap();
const sending = new Map(); // the form of each button that was pressed and not answered yet

function address_of(form) {
  const query = new URLSearchParams(new FormData(form));
  return `${form.action.split("?")[0]}?${query}`;
}

async function ask_again(form, address = address_of(form)) {
  asking.get(form)?.abort();
  const control = new AbortController();
  asking.set(form, control);
  const found = await ask_parts(address, form.dataset.live, control.signal);
  if (!found) return;
  history.replaceState(null, "", found.address ?? address);
  ask_later(form, control.signal);
}

/** Ask for parts, dimmed until they come; nothing if something newer is asked. */
async function ask_parts(address, parts, signal) {
  busy(parts, true);
  try {
    const found = await ask(address, parts, { signal });
    show(found);
    busy(parts, false);
    return found;
  } catch (error) {
    if (error.name !== "AbortError") {
      busy(parts, false);
      refuse(`Not counted: ${error.message}.`);
    }
  }
}

/** `data-later="a b"` in a form names parts that take longer: each is asked at `data-address`. */
function ask_later(form, signal) {
  for (const part of form.querySelectorAll("[data-later]")) {
    for (const name of part.dataset.later.split(" ").filter(Boolean)) {
      ask_parts(part.dataset.address, name, signal);
    }
  }
}

function busy(parts, is) {
  for (const name of parts.split(" ")) {
    document.getElementById(name)?.setAttribute("aria-busy", String(is));
  }
}

/** Follow what the server answered: put parts, or go elsewhere. */
export function show(found) {
  if (found.go) location.assign(found.go);
  if (found.parts) put(found.parts, found.revision);
  refuse(found.refused ?? "");
}

/** Send a form as if a button of it was pressed, and put what comes. */
export async function send(form, button) {
  const body = new URLSearchParams(new FormData(form, button));
  const target = button?.hasAttribute("formaction") ? button.formAction : form.action;
  if (sending.get(button) === form) return; // a second click is no second answer
  sending.set(button, form);
  form.setAttribute("aria-busy", "true");
  try {
    show(await ask(target, form.dataset.send, { body }));
  } catch (error) {
    refuse(`Not sent: ${error.message}. Nothing is lost; try again.`);
  } finally {
    sending.delete(button);
    form.removeAttribute("aria-busy");
  }
}

export function begin() {
  for (const form of document.querySelectorAll("form[data-live]")) {
    const control = new AbortController();
    asking.set(form, control);
    ask_later(form, control.signal);
  }
  document.addEventListener("click", (event) => {
    const link = event.target.closest("a[data-ask]");
    const form = link?.closest("form[data-live]");
    if (!form || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    ask_again(form, link.href);
  });
  document.addEventListener("input", (event) => {
    const form = event.target.form;
    if (!form?.dataset.live) return;
    clearTimeout(waiting.get(form));
    waiting.set(form, setTimeout(() => ask_again(form), WAIT_MS));
  });
  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (form.dataset.live && event.submitter?.formMethod !== "post") {
      event.preventDefault();
      ask_again(form);
    } else if (form.dataset.send) {
      event.preventDefault();
      send(form, event.submitter);
    }
  });
}
