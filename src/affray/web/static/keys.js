// Keys of the page: `data-key` on a button or link is the key that presses it; `?` shows them all.

function is_typing(target) {
  return target.closest("input, select, textarea, [contenteditable]") !== null;
}

export function begin() {
  const dialog = document.getElementById("keys");
  document.getElementById("keys-button").addEventListener("click", () => dialog.showModal());
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || is_typing(event.target)) return;
    if (event.key === "?" && !dialog.open) {
      dialog.showModal();
      return;
    }
    const pressed = document.querySelector(`[data-key="${CSS.escape(event.key)}"]:not([disabled])`);
    if (pressed && !dialog.open) {
      event.preventDefault();
      pressed.click();
    }
  });
}
