// A chart as a PNG: the server's SVG is drawn by the browser and saved.
const SCALE = 2;

async function save_png(link) {
  const image = new Image();
  image.src = link.href;
  await image.decode();
  const canvas = document.createElement("canvas");
  canvas.width = image.naturalWidth * SCALE;
  canvas.height = image.naturalHeight * SCALE;
  canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
  canvas.toBlob((blob) => {
    const saved = document.createElement("a");
    saved.href = URL.createObjectURL(blob);
    saved.download = link.dataset.png;
    saved.click();
    URL.revokeObjectURL(saved.href);
  });
}

function offer() {
  for (const link of document.querySelectorAll("[data-png]")) link.hidden = false;
}

offer();
document.addEventListener("put", offer);
document.addEventListener("click", (event) => {
  const link = event.target.closest("[data-png]");
  if (!link) return;
  event.preventDefault();
  save_png(link);
});
