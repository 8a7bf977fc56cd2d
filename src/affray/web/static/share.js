// A setup that stands behind the # of a link: it is sent to the server, which shows it.
const packed = location.hash.slice(1);
if (packed) {
  document.getElementById("packed").value = packed;
  document.getElementById("open").requestSubmit();
}
