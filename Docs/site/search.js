// One search over every title, symbol, and article of all modules. The index is fetched at the first use.
//
// An entry of search.json is [title, path, kind, parent, abstract]; kind is an index into `kinds`.
const box = document.querySelector(".fk-search");
const field = box.querySelector("input"), list = box.querySelector("[role=listbox]"), status = box.querySelector("[role=status]");
// The site may be below a path; the paths of the index begin after it.
const root = new URL("..", import.meta.url).pathname.slice(0, -1);
const moduleOf = (path) => path.slice(root.length).split("/")[2] ?? "";
const module = () => moduleOf(location.pathname);
let index, active = -1;

const load = () => index ??= fetch(new URL("search.json", import.meta.url)).then((answer) => {
  if (!answer.ok) throw new Error(`search.json: ${answer.status}`);
  return answer.json();
}).then(({ kinds, entries }) => entries.map(([title, path, kind, parent, abstract]) => ({
  title, path, kind: kinds[kind], parent, abstract, name: title.replace(/\(.*/, "").toLowerCase(),
  around: `${parent} ${path.split("/")[2]}`.toLowerCase(), text: `${title} ${abstract}`.toLowerCase(),
}))).catch((error) => { index = undefined; throw error; });

const weights = { Article: 12, Tutorial: 12, Module: 14, Protocol: 9, Structure: 9, Class: 9, Enumeration: 9, Actor: 9 };

// How well a word matches an entry; 0 if it doesn't.
function rank(entry, word) {
  const { name, title, around, text } = entry;
  if (name === word || title.toLowerCase() === word) return 100;
  if (name.startsWith(word)) return 60;
  const at = name.indexOf(word);
  if (at > 0) return title[at] !== title[at].toLowerCase() || title[at - 1] === " " ? 45 : 20;
  if (around.split(/[ .]/).includes(word)) return 15;
  return text.includes(word) ? 6 : around.includes(word) ? 4 : 0;
}

// The best entries for a query: every word has to match the title, the parent, or the abstract.
export function find(entries, query, here, limit = 40) {
  const whole = query.trim().toLowerCase(), words = whole.split(/[\s.]+/).filter(Boolean);
  if (!words.length) return [];
  const found = [];
  for (const entry of entries) {
    let score = entry.title.toLowerCase() === whole ? 50 : 0;
    for (const word of words) {
      const points = rank(entry, word);
      if (!points) { score = -1; break; }
      score += points;
    }
    if (score < 0) continue;
    score += (weights[entry.kind] ?? 0) + (entry.path.split("/")[2] === here ? 5 : 0) - entry.title.length / 50;
    found.push({ entry, score });
  }
  return found.sort((a, b) => b.score - a.score).slice(0, limit).map(({ entry }) => entry);
}

function option(entry, number) {
  const link = document.createElement("a");
  Object.assign(link, { href: `${root}${entry.path}/`, id: `fk-option-${number}`, tabIndex: -1 });
  link.setAttribute("role", "option");
  if (["Article", "Tutorial", "Module"].includes(entry.kind)) link.className = "fk-prose";
  for (const [tag, text] of [["b", entry.title], ["i", `${entry.kind} · ${entry.parent}`], ["span", entry.abstract]]) {
    if (text) link.append(Object.assign(document.createElement(tag), { textContent: text }));
  }
  return link;
}

function select(number) {
  const options = list.querySelectorAll("[role=option]");
  active = options.length ? (number + options.length) % options.length : -1;
  options.forEach((node, place) => node.setAttribute("aria-selected", place === active));
  options[active]?.scrollIntoView({ block: "nearest" });
  if (active < 0) field.removeAttribute("aria-activedescendant");
  else field.setAttribute("aria-activedescendant", options[active].id);
}

function show(isOpen) {
  list.hidden = !isOpen;
  field.setAttribute("aria-expanded", isOpen);
}

async function search() {
  const query = field.value;
  if (!query.trim()) { status.textContent = ""; list.replaceChildren(); select(-1); return show(false); }
  let lines;
  try {
    const found = find(await load(), query, module());
    if (query !== field.value) return;
    status.textContent = found.length === 1 ? "1 result" : `${found.length} results`;
    lines = found.map(option);
    if (!lines.length) lines = [Object.assign(document.createElement("p"), { textContent: `Nothing matches “${query}”.` })];
  } catch {
    status.textContent = "The search index couldn't be loaded.";
    lines = [Object.assign(document.createElement("p"), { textContent: status.textContent })];
  }
  list.replaceChildren(...lines);
  list.dataset.query = query;
  show(true);
  select(0);
}

field.addEventListener("focus", () => load().catch(() => {}), { once: true });
field.addEventListener("input", search);
field.addEventListener("focus", () => field.value && list.children.length && show(true));
field.addEventListener("keydown", (event) => {
  const options = list.querySelectorAll("[role=option]");
  if (event.key === "Escape") { if (list.hidden) field.value = ""; show(false); }
  else if (event.key === "ArrowDown" && !list.hidden) select(active + 1);
  else if (event.key === "ArrowUp" && !list.hidden) select(active - 1);
  else if (event.key === "Enter" && !list.hidden && options[active]) options[active].click();
  else return;
  event.preventDefault();
});
document.addEventListener("pointerdown", (event) => {
  if (!box.contains(event.target)) show(false);
  for (const menu of document.querySelectorAll(".fk-menu[open]")) if (!menu.contains(event.target)) menu.open = false;
});
box.addEventListener("focusout", (event) => { if (!box.contains(event.relatedTarget)) show(false); });
// Before DocC's handlers, so that "/" means the same on every page.
document.addEventListener("keydown", (event) => {
  const isTyping = event.target.closest?.("input, textarea, select, [contenteditable]");
  if (event.key === "Escape") for (const menu of document.querySelectorAll(".fk-menu[open]")) menu.open = false;
  if (event.key !== "/" || isTyping || event.metaKey || event.ctrlKey || event.altKey) return;
  event.preventDefault();
  event.stopPropagation();
  field.focus();
  field.select();
}, true);
for (const link of document.querySelectorAll(".fk-panel a")) {
  if (moduleOf(link.pathname) === module()) link.setAttribute("aria-current", "true");
}
