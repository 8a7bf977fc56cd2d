// The theme that was chosen: the system's, light or dark. It runs before anything is painted.
{
  const order = ["", "light", "dark"];
  const words = { "": "Theme: auto", light: "Theme: light", dark: "Theme: dark" };
  const root = document.documentElement;
  let chosen = "";
  try { chosen = localStorage.getItem("theme") ?? ""; } catch { /* it is not kept, then */ }

  const show = () => {
    if (chosen) root.dataset.theme = chosen; else delete root.dataset.theme;
    const button = document.getElementById("theme-button");
    if (button) button.textContent = words[chosen] ?? words[""];
  };
  show();
  addEventListener("DOMContentLoaded", () => {
    show();
    document.getElementById("theme-button")?.addEventListener("click", () => {
      chosen = order[(order.indexOf(chosen) + 1) % order.length];
      try { localStorage.setItem("theme", chosen); } catch { /* it holds for this page */ }
      show();
    });
  });
}
