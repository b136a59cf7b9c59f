"use strict";
// One prompt is shown at a time, so that only its pictures are loaded. What is kept stays in the browser, and goes out, and comes back, as CSV.
const { prompts, count, keys, check } = JSON.parse(document.getElementById("data").textContent);
const STORE = "kept:" + document.body.dataset.mark;
const by = (id) => document.getElementById(id);
const kept = new Set();
let current = 0;
let here = 0;

const files = () => prompts[current].files;
const number = (prompt) => prompt.files.filter((file) => kept.has(file)).length;
const address = (file) => file.split("/").map(encodeURIComponent).join("/");

function store() {
  try {
    localStorage.setItem(STORE, JSON.stringify([...kept]));
  } catch {
    by("status").title = "This browser keeps nothing for pages on disk: save the CSV before you close the page.";
  }
  paint();
}

function tile(file, n) {
  const button = document.createElement("button");
  button.type = "button";
  button.dataset.file = file;
  const image = new Image();
  image.src = address(file);
  image.alt = file;
  button.append(image);
  if (keys[n]) button.append(Object.assign(document.createElement("kbd"), { textContent: keys[n] }));
  if (check && file in check.good) {
    button.append(Object.assign(document.createElement("small"), { textContent: `${check.by}: ${check.good[file] ? "yes" : "no"}` }));
  }
  button.addEventListener("click", () => { here = n; toggle(n); });
  button.addEventListener("mouseenter", () => { here = n; paint(); });
  return button;
}

function paint() {
  const tiles = [...by("grid").children];
  tiles.forEach((button, n) => {
    button.classList.toggle("kept", kept.has(button.dataset.file));
    button.classList.toggle("here", n === here);
    button.setAttribute("aria-pressed", kept.has(button.dataset.file));
  });
  const now = number(prompts[current]);
  by("count").textContent = `${now} of ${count} kept`;
  by("count").className = now === count ? "enough" : now > count ? "many" : "";
  const done = prompts.filter((prompt) => number(prompt) === count).length;
  by("status").textContent = `${current + 1} of ${prompts.length} prompts · ${done} finished`;
  document.querySelector("progress").value = done / prompts.length;
  by("group").value = prompts[current].group;
  if (!by("large").hidden) by("large").firstElementChild.src = address(files()[here]);
}

function go(to) {
  current = Math.min(prompts.length - 1, Math.max(0, to));
  here = 0;
  by("large").hidden = true;
  by("prompt").textContent = prompts[current].prompt;
  by("grid").replaceChildren(...files().map(tile));
  scrollTo(0, 0);
  paint();
}

function toggle(n) {
  const file = files()[n];
  if (!file) return;
  if (!kept.delete(file)) kept.add(file);
  here = n;
  store();
}

function move(by_) {
  here = Math.min(files().length - 1, Math.max(0, here + by_));
  by("grid").children[here].scrollIntoView({ block: "nearest" });
  paint();
}

function columns() {
  const tiles = [...by("grid").children];
  const below = tiles.findIndex((one) => one.offsetTop > tiles[0].offsetTop);
  return below < 0 ? tiles.length : below;
}

function nextUnfinished() {
  const order = prompts.map((_, n) => (current + 1 + n) % prompts.length);
  go(order.find((n) => number(prompts[n]) !== count) ?? current);
}

function enlarge() {
  by("large").hidden = !by("large").hidden;
  paint();
}

const MOVES = {
  ArrowRight: () => move(1),
  ArrowLeft: () => move(-1),
  ArrowDown: () => move(columns()),
  ArrowUp: () => move(-columns()),
  " ": () => toggle(here),
  Enter: () => go(current + 1),
  Backspace: () => go(current - 1),
  Escape: () => { by("large").hidden = true; },
  n: nextUnfinished,
  z: enlarge,
  c: () => { files().forEach((file) => kept.delete(file)); store(); },
  x: save,
};

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target === by("group")) return;
  const at = keys.indexOf(event.key);
  if (event.key.length === 1 && at >= 0) toggle(at);
  else if (MOVES[event.key]) MOVES[event.key]();
  else return;
  event.preventDefault();
});

const quoted = (cell) => (/[",;\t\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);

function save() {
  const rows = prompts.flatMap((prompt) => prompt.files.filter((file) => kept.has(file)).map((file) => [file, prompt.prompt]));
  const text = [["file", "prompt"], ...rows].map((row) => row.map(quoted).join(",") + "\r\n").join("");
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "text/csv" }));
  link.download = "kept.csv";
  link.click();
  URL.revokeObjectURL(link.href);
}

function load(text) {
  const known = new Set(prompts.flatMap((prompt) => prompt.files));
  const names = text.replace(/^\uFEFF/, "").split(/\r?\n/).map((line) => line.split(/[,;\t]/)[0].replace(/^"|"$/g, ""));
  const found = names.slice(1).filter((name) => known.has(name));
  found.forEach((name) => kept.add(name));
  store();
  by("status").textContent += ` · ${found.length} pictures loaded`;
}

by("load").addEventListener("change", async (event) => load(await event.target.files[0].text()));
by("save").addEventListener("click", save);
by("before").addEventListener("click", MOVES.Backspace);
by("after").addEventListener("click", MOVES.Enter);
by("unfinished").addEventListener("click", nextUnfinished);
by("large").addEventListener("click", MOVES.Escape);
for (const group of new Set(prompts.map((prompt) => prompt.group))) by("group").append(new Option(group));
by("group").addEventListener("change", (event) => {
  go(prompts.findIndex((prompt) => prompt.group === event.target.value));
  event.target.blur();
});

try {
  JSON.parse(localStorage.getItem(STORE) ?? "[]").forEach((file) => kept.add(file));
} catch {
  // Nothing was kept, or this browser keeps nothing for pages on disk.
}
go(0);
