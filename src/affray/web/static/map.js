// The map: arrow keys walk over its buttons, and a press gives the answer that it stands for.

function buttons_of(map) {
  return [...map.querySelectorAll('[role="button"]')];
}

function middle(button) {
  const box = button.getBoundingClientRect();
  return [box.x + box.width / 2, box.y + box.height / 2];
}

const WAYS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/** The nearest button in a direction; those straight ahead come before those aside. */
function next_to(button, [right, down]) {
  const [x, y] = middle(button);
  let best = null, least = Infinity;
  for (const other of buttons_of(button.closest("[data-map]"))) {
    const [a, b] = middle(other);
    const ahead = (a - x) * right + (b - y) * down;
    const aside = Math.abs((a - x) * down) + Math.abs((b - y) * right);
    if (ahead > 1 && ahead + 2 * aside < least) [best, least] = [other, ahead + 2 * aside];
  }
  return best;
}

function press(button) {
  const wanted = button.dataset.options?.split("\n") ?? [];
  const pick = [...document.querySelectorAll("#question .panel option")].find((one) => wanted.includes(one.value));
  if (pick) { // a turn as one panel: it is chosen there, and done with the rest of the turn
    const list = pick.closest("select");
    list.value = pick.value;
    list.dispatchEvent(new Event("input", { bubbles: true }));
    document.querySelector("#question [data-first]").focus();
    return;
  }
  const answers = [...document.querySelectorAll('#question button[name="option"]')];
  const found = answers.filter((one) => wanted.includes(one.value));
  for (const one of answers) one.classList.toggle("meant", found.length > 1 && found.includes(one));
  if (found.length === 1) found[0].click();
  else found[0]?.focus();
}

document.addEventListener("focusin", (event) => {
  const map = event.target.closest?.("[data-map]");
  if (!map) return;
  for (const one of buttons_of(map)) one.setAttribute("tabindex", one === event.target ? "0" : "-1");
});
document.addEventListener("click", (event) => {
  const button = event.target.closest?.('[data-map] [role="button"]');
  if (button) press(button);
});
document.addEventListener("keydown", (event) => {
  const button = event.target.closest?.('[data-map] [role="button"]');
  if (!button || event.ctrlKey || event.altKey || event.metaKey) return;
  if (WAYS[event.key]) next_to(button, WAYS[event.key])?.focus();
  else if (event.key === "Enter" || event.key === " ") press(button);
  else return;
  event.preventDefault();
});
