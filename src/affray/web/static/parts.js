// Parts of the page: asked of the server, which makes all HTML, and put where they belong.

const texts = new Map(); // the HTML that each part has now, as it came

/** Ask the server for parts of a page, or send it a form and get the parts that changed. */
export async function ask(address, parts, { body, signal } = {}) {
  const answer = await fetch(address, {
    method: body ? "POST" : "GET", body, signal,
    headers: { "X-Parts": parts, Accept: "application/json" },
  });
  if (!answer.headers.get("content-type")?.startsWith("application/json")) {
    throw new Error(`the server answered ${answer.status}`);
  }
  return answer.json();
}

const known = new Map(); // the revision of the game at which each part was put

/** Forget what is known: after a break everything comes anew. */
export function forget() {
  known.clear();
}

/** Put parts into the page. What somebody holds stays in the hand: focus, and what was typed.
 *  What was overtaken by something newer is dropped; so are news of what an answer told already. */
export function put(parts, revision, is_news = false) {
  for (const [name, html] of Object.entries(parts)) {
    const last = known.get(name) ?? -1;
    if (revision < last || (is_news && revision === last)) continue;
    if (revision !== undefined) known.set(name, revision);
    const old = document.getElementById(name);
    if (!old || texts.get(name) === html) continue;
    texts.set(name, html);
    const made = document.createElement("template");
    made.innerHTML = html;
    const held = held_in(old);
    renew(old, made.content.firstElementChild, held.control);
    hold(held);
  }
  document.dispatchEvent(new CustomEvent("put", { detail: parts }));
}

/** Put a new element in place of an old one; the control in the hand stays the same control. */
function renew(old, made, control) {
  const twin = control?.id ? made.querySelector(`#${CSS.escape(control.id)}`) : null;
  if (!twin || old.tagName !== made.tagName || twin.tagName !== control.tagName) {
    old.replaceWith(made);
    return;
  }
  for (const { name } of [...old.attributes]) if (!made.hasAttribute(name)) old.removeAttribute(name);
  for (const { name, value } of made.attributes) if (name !== "value") old.setAttribute(name, value);
  if (old === control) {
    if (old.tagName === "BUTTON") old.replaceChildren(...made.childNodes);
    for (const [n, one] of [...(old.options ?? [])].entries()) one.text = made.options[n]?.text ?? one.text;
    return;
  }
  const [on, to] = [old, made].map((one, n) => [...one.children].find((child) => child.contains(n ? twin : control)));
  while (on.previousSibling) on.previousSibling.remove();
  while (on.nextSibling) on.nextSibling.remove();
  while (to.previousSibling) old.prepend(to.previousSibling);
  while (to.nextSibling) old.append(to.nextSibling);
  renew(on, to, control);
}

function held_in(part) {
  const held = document.activeElement;
  const typed = [...part.querySelectorAll("[data-keep][id]")]
    .filter((field) => field.value !== (field.defaultValue ?? ""))
    .map((field) => [field.id, field.value]);
  const open = [...part.querySelectorAll("details[id]")].map((one) => [one.id, one.open]);
  const at = held && part.contains(held) ? held : null;
  return { typed, open, control: at, id: at?.id, from: at?.selectionStart, to: at?.selectionEnd };
}

function hold({ typed, open, id, from, to }) {
  for (const [name, value] of typed) {
    const field = document.getElementById(name);
    if (field) field.value = value;
  }
  for (const [name, is] of open) {
    const one = document.getElementById(name);
    if (one) one.open = is;
  }
  const again = id ? document.getElementById(id) : null;
  if (!again || again === document.activeElement) return;
  again.focus({ preventScroll: true });
  if (from != null && again.setSelectionRange) {
    try { again.setSelectionRange(from, to); } catch { /* a field without a selection */ }
  }
}

/** Tell what was refused, or didn't work, where everybody sees it; "" takes it away. */
export function refuse(words) {
  document.getElementById("not-done").textContent = words;
}

/** Say something to those who hear the page. */
export function say(words) {
  document.getElementById("news").textContent = words;
}
