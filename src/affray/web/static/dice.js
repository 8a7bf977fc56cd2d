// Dice as they are typed: a full face is laid on the table and the next field gets the focus.
import { send } from "./forms.js";

let is_laying = false;
let is_more = false;

/** Lay what is typed on the table, one after the other: what was typed last is laid last. */
async function lay() {
  is_more = true;
  if (is_laying) return;
  is_laying = true;
  while (is_more) {
    is_more = false;
    const button = document.querySelector("#question [data-lay]");
    if (button) await send(button.form, button);
  }
  is_laying = false;
}

function is_full(field) {
  if (field.tagName === "SELECT") return field.value !== "";
  const faces = field.dataset.faces.split(" ");
  return faces.includes(field.value) && !faces.some((face) => face !== field.value && face.startsWith(field.value));
}

function could_be(field) {
  if (field.tagName === "SELECT" || field.value === "") return true;
  return field.dataset.faces.split(" ").some((face) => face.startsWith(field.value) || Number(face) === Number(field.value));
}

function to_the_next(field) {
  const dice = [...field.form.querySelectorAll("[data-die]")];
  const next = dice.slice(dice.indexOf(field) + 1).find((one) => one.value === "");
  (next ?? field.form.querySelector("[data-first]")).focus();
  if (dice.length > 1) lay();
}

// A space ends a face: the 1 of a d10 that doesn't begin a 10. The space after a full face counts for nothing.
document.addEventListener("keydown", (event) => {
  const field = event.target;
  if (event.key !== " " || !field.matches("input[data-die]")) return;
  event.preventDefault();
  if (field.value !== "" && could_be(field)) to_the_next(field);
});

document.addEventListener("input", (event) => {
  const field = event.target;
  if (!field.matches("[data-die]")) return;
  field.setAttribute("aria-invalid", String(!could_be(field)));
  if (is_full(field)) to_the_next(field);
});

function begin_typing() {
  const held = document.activeElement;
  if (held && held !== document.body) return;
  const dice = [...document.querySelectorAll("#question [data-die]")];
  const first = dice.find((one) => one.value === "") ?? document.querySelector("#question [data-first]");
  first?.focus({ preventScroll: true });
}

document.addEventListener("put", (event) => {
  const title = document.getElementById("turn")?.dataset.title;
  if (title) document.title = `${title} · affray`;
  if (event.detail.question) begin_typing();
});
begin_typing();

document.addEventListener("news", (event) => {
  const { log } = event.detail;
  const list = document.getElementById("log");
  if (!log || !list) return;
  const open = [...list.querySelectorAll("details[open]")].map((one) => one.id);
  for (const one of [...list.children]) {
    const { n, part } = one.dataset;
    if (part ? Number(part) >= log.parts : Number(n) >= log.keep) one.remove();
  }
  const made = document.createElement("template");
  made.innerHTML = log.html;
  if (log.keep > 0) {
    for (const one of list.children) one.classList.remove("new");
    for (const one of made.content.children) one.classList.add("new");
  }
  list.append(made.content);
  for (const id of open) document.getElementById(id)?.setAttribute("open", "");
});
