"use strict";
// One item is shown at a time. Choices are kept in the browser as they are made, and go out, and come back, as CSV.
const items = [...document.querySelectorAll("article")];
const { keys: KEYS, order: ORDER, switch: SWITCH } = document.body.dataset;
const NAMES = JSON.parse(document.body.dataset.questions);
const STORE = `labels:${document.body.dataset.mark}:${location.pathname}`; // another annotator's copy does not show these labels
const annotator = document.getElementById("annotator");
const status = document.getElementById("status");
let current = 0;
let active = 0;
const done = []; // what undo takes back: [item, field, its value before]
let leaving = 0; // timer: an item that is done is shown for a moment more

const fields = (item) => [...item.querySelectorAll("fieldset")];
const chosen = (field) => field.querySelector("input:checked");
const value = (item, name) => item.querySelector(`fieldset[data-name="${name}"] input:checked`)?.value ?? "";
const isDone = (item) => fields(item).every(chosen);

// Each annotator's own order: items sorted by a hash of order, name and id (FNV-1a, then MurmurHash3's last mixing).
function hash(text) {
  let h = 2166136261;
  for (const c of text) h = Math.imul(h ^ c.codePointAt(0), 16777619);
  h = Math.imul(h ^ (h >>> 16), 2246822507);
  h = Math.imul(h ^ (h >>> 13), 3266489909);
  return (h ^ (h >>> 16)) >>> 0;
}

function arrange() {
  const name = annotator.value.trim();
  document.body.classList.toggle("nameless", !name);
  const rank = new Map(items.map((item) => [item, hash(`${ORDER}|${name}|${item.dataset.id}`)]));
  items.sort((one, other) => rank.get(one) - rank.get(other));
}

// Where a page has an order for each annotator, it keeps the labels of each, too.
const slot = () => (ORDER ? `${STORE}|${annotator.value.trim()}` : STORE);

function kept(key) {
  try {
    return JSON.parse(localStorage.getItem(key) ?? "{}");
  } catch {
    return {}; // this browser keeps nothing for pages on disk
  }
}

function restore(saved) {
  fill(saved.labels ?? {});
  recall(saved.seen ?? []);
}

function meet() {
  if (!ORDER) return keep();
  for (const field of items.flatMap(fields)) {
    for (const input of field.querySelectorAll("input")) input.checked = false;
    delete field.dataset.was;
  }
  for (const item of items) delete item.dataset.seen;
  done.length = 0;
  restore(kept(slot()));
  begin();
  keep();
}

function begin() {
  if (!ORDER) return;
  arrange();
  go(Math.max(0, items.findIndex((item) => !isDone(item))));
}

function labels() {
  return Object.fromEntries(items.map((item) => [item.dataset.id, NAMES.map((name) => value(item, name))]));
}

function keep() {
  try {
    const told = { annotator: annotator.value };
    if (ORDER) localStorage.setItem(STORE, JSON.stringify(told)); // who was here last
    localStorage.setItem(slot(), JSON.stringify({ ...told, labels: labels(), seen: seen() }));
  } catch {
    status.title = "This browser keeps nothing for pages on disk: save the CSV before you close the page.";
  }
  paint();
}

const seen = () => items.filter((item) => item.dataset.seen).map((item) => item.dataset.id);

function recall(ids) {
  for (const item of items) if (ids.includes(item.dataset.id)) item.dataset.seen = "yes";
}

function fill(saved) {
  let known = 0;
  for (const item of items) {
    NAMES.forEach((name, n) => {
      const wanted = saved[item.dataset.id]?.[n]?.trim().toLowerCase();
      for (const input of item.querySelectorAll(`fieldset[data-name="${name}"] input`)) {
        const text = input.nextElementSibling.firstChild.textContent;
        if (wanted && [input.value, text].some((own) => own.toLowerCase() === wanted)) {
          input.checked = true;
          input.closest("fieldset").dataset.was = input.value;
          known += 1;
        }
      }
    });
  }
  return known;
}

function paint() {
  items.forEach((item, n) => item.classList.toggle("shown", n === current));
  if (items.length) {
    if (SWITCH && document.body.classList.contains("switched") && items[current].querySelector(".more")) {
      items[current].dataset.seen = "yes";
    }
    fields(items[current]).forEach((field, n) => field.classList.toggle("active", n === active));
  }
  const labelled = items.filter(isDone).length;
  status.textContent = `${items.length ? current + 1 : 0} of ${items.length} · ${labelled} labelled`;
  document.querySelector("progress").value = labelled;
}

function go(to) {
  if (!items.length) return;
  current = Math.min(items.length - 1, Math.max(0, to));
  active = Math.max(0, fields(items[current]).findIndex((field) => !chosen(field)));
  scrollTo(0, 0);
  paint();
}

function nextUnlabelled() {
  const order = items.map((_, n) => (current + 1 + n) % items.length);
  go(order.find((n) => !isDone(items[n])) ?? current);
}

function choose(field, input) {
  input.checked = !input.checked;
  note(field);
  keep();
  if (!input.checked) return;
  const left = fields(items[current]).findIndex((one) => !chosen(one));
  if (left >= 0) {
    active = left;
    paint();
  } else {
    leaving = setTimeout(leave, 120); // long enough to see the choice
  }
}

function note(field) {
  done.push([field.closest("article"), field, field.dataset.was ?? ""]);
  field.dataset.was = chosen(field)?.value ?? "";
}

function undo() {
  const [item, field, before] = done.pop() ?? [];
  if (!item) return;
  for (const input of field.querySelectorAll("input")) input.checked = input.value === before;
  field.dataset.was = before;
  go(items.indexOf(item));
  active = fields(item).indexOf(field);
  keep();
}

function toggle() {
  document.getElementById("switch")?.click();
}

function leave() {
  if (!leaving) return;
  clearTimeout(leaving);
  leaving = 0;
  go(current + 1);
}

const MOVES = {
  ArrowRight: () => go(current + 1),
  ArrowLeft: () => go(current - 1),
  ArrowDown: () => { active = Math.min(active + 1, fields(items[current]).length - 1); paint(); },
  ArrowUp: () => { active = Math.max(active - 1, 0); paint(); },
  u: nextUnlabelled,
  m: () => { const hint = items[current].querySelector("details.suggestion"); if (hint) hint.open = !hint.open; },
  z: undo,
  Backspace: undo,
  t: toggle,
  s: save,
};

document.addEventListener("keydown", (event) => {
  if (event.target === annotator && event.key === "Enter") annotator.blur();
  if (event.target === annotator || document.body.classList.contains("nameless") || event.ctrlKey || event.metaKey || event.altKey || !items.length) return;
  const at = KEYS.indexOf(event.key);
  if (at >= 0 && event.repeat) return; // a key held down is one choice
  leave(); // what is typed faster is meant for the next item
  const field = fields(items[current])[active];
  const input = at >= 0 ? field?.querySelectorAll("input")[at] : undefined;
  if (input) choose(field, input);
  else if (MOVES[event.key]) MOVES[event.key]();
  else return;
  event.preventDefault();
});

const quoted = (cell) => (/[",;\t\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);

function save() {
  const rows = [["id", "annotator", ...NAMES, ...(SWITCH ? [SWITCH] : [])]];
  for (const item of items) {
    const shown = SWITCH ? [item.dataset.seen ?? ""] : [];
    rows.push([item.dataset.id, annotator.value.trim(), ...NAMES.map((name) => value(item, name)), ...shown]);
  }
  const text = rows.map((row) => row.map(quoted).join(",") + "\r\n").join("");
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "text/csv" }));
  const who = annotator.value.trim().replace(/[^\p{L}\p{N}]+/gu, "_");
  link.download = document.body.dataset.name + (who ? `_${who}` : "") + ".csv";
  link.click();
  URL.revokeObjectURL(link.href);
}

function parse(text) {
  const head = text.split("\n", 1)[0];
  const mark = [",", ";", "\t"].reduce((best, one) => (head.split(one).length > head.split(best).length ? one : best));
  const rows = [[""]];
  let inside = false;
  for (let n = 0; n < text.length; n += 1) {
    const row = rows.at(-1);
    const c = text[n];
    if (inside && c === '"' && text[n + 1] === '"') row[row.length - 1] += text[(n += 1)];
    else if (c === '"') inside = !inside;
    else if (inside || ![mark, "\n", "\r"].includes(c)) row[row.length - 1] += c;
    else if (c === mark) row.push("");
    else if (c === "\n") rows.push([""]);
  }
  return rows;
}

function load(text) {
  const [head, ...rows] = parse(text.replace(/^\uFEFF/, ""));
  const columns = ["id", ...NAMES].map((name) => head.indexOf(name));
  if (columns.includes(-1)) {
    status.textContent = `This CSV has no column ${["id", ...NAMES].filter((name) => !head.includes(name)).join(", ")}.`;
    return;
  }
  const saved = Object.fromEntries(rows.map((row) => [row[columns[0]], columns.slice(1).map((at) => row[at] ?? "")]));
  annotator.value ||= rows[0]?.[head.indexOf("annotator")] ?? "";
  const known = fill(saved);
  if (SWITCH) recall(rows.filter((row) => row[head.indexOf(SWITCH)] === "yes").map((row) => row[columns[0]]));
  begin();
  keep();
  status.textContent += ` · ${known} labels loaded`;
}

document.getElementById("load").addEventListener("change", async (event) => load(await event.target.files[0].text()));
document.getElementById("save").addEventListener("click", save);
document.getElementById("before").addEventListener("click", MOVES.ArrowLeft);
document.getElementById("after").addEventListener("click", MOVES.ArrowRight);
document.getElementById("unlabelled").addEventListener("click", nextUnlabelled);
document.addEventListener("change", (event) => {
  if (event.target.type !== "radio") return;
  note(event.target.closest("fieldset"));
  keep();
});
annotator.addEventListener("input", () => { if (!ORDER) keep(); });
annotator.addEventListener("change", meet);
document.getElementById("switch")?.addEventListener("change", (event) => {
  document.body.classList.toggle("switched", event.target.checked);
  event.target.blur();
  keep();
});

document.body.classList.add("running");
annotator.value = kept(STORE).annotator ?? "";
restore(kept(slot()));
go(0);
begin();
