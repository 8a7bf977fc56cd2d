// A fight: with "after every change" the chance to win is asked for whenever something happened.
let follows = false;

function show() {
  const label = document.querySelector("[data-follow]");
  if (!label) return;
  label.hidden = false;
  label.querySelector("input").checked = follows;
}

document.addEventListener("change", (event) => {
  if (!event.target.closest("[data-follow]")) return;
  follows = event.target.checked;
  if (follows) event.target.form.requestSubmit();
});
document.addEventListener("put", (event) => {
  show();
  if (follows && event.detail.turn) document.querySelector("[data-chances]")?.requestSubmit();
});
show();
