import { h, get, post, explained, quietly } from "./dom.js";
import { t, state, number, duration } from "./i18n.js";

const modules = { own: "own", metro: "metro", meteorites: "meteorites", zoo: "zoo", walks: "walks", city: "city" };
const kits = { own: "own", metro: "metro", meteorites: "meteorites", zoo: "zoo", walks: "walks", city: "civic" };
const modes = ["normal", "html", "truncated", "empty", "error500", "slow", "lying"];
const $ = (id) => document.getElementById(id);
const app = { newest: {}, listeners: new Map(), hello: null, inventory: null, before: null };

// MARK: Language and theme

const languages = ["en", "zh-Hant", "ko"];
const stored = localStorage.getItem("language");
const wish = (navigator.language ?? "en").startsWith("zh") ? "zh-Hant" : (navigator.language ?? "").startsWith("ko") ? "ko" : "en";
state.language = languages.includes(stored) ? stored : wish;
const scheme = matchMedia("(prefers-color-scheme: dark)");

function applyTheme() {
  const chosen = localStorage.getItem("theme");
  document.documentElement.dataset.theme = chosen ?? (scheme.matches ? "dark" : "light");
}

function applyLanguage() {
  document.documentElement.lang = state.language;
  $("language").value = state.language;
  for (const node of document.querySelectorAll("[data-i18n]")) node.textContent = t(node.dataset.i18n);
  for (const node of document.querySelectorAll("[data-i18n-label]")) node.setAttribute("aria-label", t(node.dataset.i18nLabel));
  const fault = $("fault");
  const value = fault.value || "normal";
  fault.replaceChildren(...modes.map((mode) => h("option", { value: mode }, t(`mode${mode[0].toUpperCase()}${mode.slice(1)}`))));
  fault.value = value;
  foot();
}

function foot() {
  $("foot").replaceChildren(
    h("p", {}, t("attribution")),
    h("p", {}, t("demo"), " ", (app.hello?.sources ?? []).map((source, index) => [index ? " · " : "", h("span", { lang: /[一-鿿]/.test(source) ? "zh-Hant" : "en" }, source)])));
}

applyTheme();
scheme.addEventListener("change", () => { applyTheme(); show(); });
$("theme").addEventListener("click", () => {
  localStorage.setItem("theme", document.documentElement.dataset.theme === "dark" ? "light" : "dark");
  applyTheme();
  show();
});
$("language").addEventListener("change", (event) => {
  state.language = event.target.value;
  localStorage.setItem("language", state.language);
  applyLanguage();
  connectionText();
  $("notice").hidden = true;
  show();
});

// MARK: Events

/** Calls a function with each event of a name, at once with the newest, until the view is left. */
function on(name, body) {
  if (!app.listeners.has(name)) app.listeners.set(name, new Set());
  app.listeners.get(name).add(body);
  if (app.newest[name]) quietly(() => body(app.newest[name]));
}

function connect() {
  const source = new EventSource("/events");
  for (const name of ["hello", "inventory", "own", "metro", "meteorites", "zoo", "walks", "walk", "city", "socrata", "progress", "refreshed"]) {
    source.addEventListener(name, (event) => {
      const value = JSON.parse(event.data);
      app.newest[name] = value;
      if (name === "hello") hello(value);
      if (name === "inventory") inventory(value);
      if (name === "refreshed") refreshed(value);
      for (const body of app.listeners.get(name) ?? []) quietly(() => body(value));
    });
  }
  source.addEventListener("open", () => { app.connected = true; connectionText(); });
  source.addEventListener("error", () => {
    app.connected = false;
    connectionText();
    // A browser gives up for good when the server responds with an error; ask again.
    if (source.readyState === EventSource.CLOSED) { source.close(); setTimeout(connect, 700); }
  });
}

function hello(value) {
  const isNew = app.hello && app.hello.process !== value.process;
  app.hello = value;
  $("offline").setAttribute("aria-pressed", String(value.mode === "offline"));
  if (value.mode !== "offline") $("fault").value = value.mode;
  app.connected = true;
  connectionText();
  foot();
  if (isNew) { app.isRestoring = true; show(); }
}

function connectionText() {
  $("lamp").className = `lamp ${app.connected ? (app.hello?.mode === "normal" ? "on" : "") : "off"}`;
  $("connection").textContent = app.connected && app.hello
    ? `${t("live")} · ${t("process", app.hello.process, app.hello.restarts)}` : app.hello ? t("lost") : "…";
}

// MARK: Killing and what is restored

function inventory(value) {
  if (app.before && value.process !== app.before.process) compare(value);
  app.inventory = value;
  document.documentElement.dataset.inventory = value.items.map((item) => item.kit).join(" ");
}

/** Compares what the new process has with what the old one had stored when it was killed. */
function compare(after) {
  const names = new Map(after.items.map((item) => [item.kit, item]));
  const rows = app.before.items.filter((item) => item.kit !== "metro").map((item) => {
    const now = names.get(item.kit);
    const isWalk = item.kit === "walk under way";
    return { kit: item.kit, then: item.count, now: now?.count, isKept: now && (isWalk ? now.count >= item.count : now.checksum === item.checksum) };
  });
  if (rows.some((row) => row.now === undefined) && Date.now() - app.killedAt < 15000) return;
  const isComplete = rows.every((row) => row.isKept);
  notice(isComplete ? "good" : "bad",
    h("b", {}, t(isComplete ? "restored" : "missing", app.before.process, after.process, duration(after.openingMilliseconds * 1000))),
    h("div", { class: "row" }, rows.map((row) =>
      h("span", {}, `${t(row.kit)}: ${number(row.then)} → ${row.now === undefined ? "—" : number(row.now)} `, row.isKept ? "✓" : "✗"))));
  app.before = null;
  document.documentElement.dataset.restored = String(isComplete);
}

$("kill").addEventListener("click", async () => {
  delete document.documentElement.dataset.restored;
  app.killedAt = Date.now();
  try { app.before = await post("/api/kill"); } catch { return; }
  notice("warn", h("b", {}, t("killed", app.before.process)));
});

// MARK: The network's controls

function notice(kind, ...content) {
  const box = $("notice");
  box.className = `notice ${kind}`;
  box.replaceChildren(...content);
  box.hidden = false;
}

async function setMode(mode) {
  try { hello(await post(`/api/network/${mode}`)); } catch (error) { notice("bad", ...explained(error)); return; }
  await refresh();
}

async function refresh() {
  const kit = kits[app.view];
  if (kit === "walks") { notice("", t("noFetch")); return; }
  const { own } = document.documentElement.dataset;
  if (kit === "own" && !own) { notice("", t("ownNone")); return; }
  $("refresh").disabled = true;
  notice("", t("refreshing"));
  try { refreshed(await post(kit === "own" ? `/api/own/${own}/refresh` : `/api/refresh/${kit}`)); } catch (error) { notice("bad", ...explained(error)); }
  $("refresh").disabled = false;
}

function refreshed(value) {
  if (value.kit !== kits[app.view]) return;
  if (value.failure) {
    notice("bad", h("div", { class: "small" }, t("failed"), " ", t("kept")), ...explained(value.failure));
  } else {
    notice("good", t("refreshed", duration(value.milliseconds * 1000), number(value.rows), number(value.added), number(value.updated), number(value.removed)));
  }
}

$("offline").addEventListener("click", () => setMode(app.hello?.mode === "offline" ? "normal" : "offline"));
$("fault").addEventListener("change", (event) => setMode(event.target.value));
$("refresh").addEventListener("click", refresh);

// MARK: Code

$("code").addEventListener("click", () => {
  const isOpen = $("code").getAttribute("aria-expanded") === "true";
  $("code").setAttribute("aria-expanded", String(!isOpen));
  $("drawer").hidden = isOpen;
  document.querySelector(".stage").classList.toggle("split", !isOpen);
  if (!isOpen) quietly(code);
});

async function code() {
  if ($("drawer").hidden) return;
  const parts = [...await get(`/api/code/${app.view}`), ...await get("/api/code/shell")];
  $("drawer").replaceChildren(
    h("h2", {}, t("codeTitle")), h("p", { class: "small soft" }, t("codeLead")),
    ...parts.map((part) => h("figure", {}, h("figcaption", {}, `${part.file}:${part.line}`),
      h("pre", { lang: "en", tabindex: "0", "aria-label": part.file }, h("code", {}, highlighted(part.code))))));
}

function highlighted(text) {
  const pattern = /(\/\/[^\n]*)|("(?:[^"\\\n]|\\.)*")|\b(let|var|func|try|await|for|in|if|else|return|guard|switch|case|async|throws|import|struct|enum|init|self|while|where|nil|true|false)\b|\b([A-Z][A-Za-z0-9]+)\b/g;
  const parts = [];
  let place = 0;
  for (const match of text.matchAll(pattern)) {
    parts.push(text.slice(place, match.index));
    parts.push(h("span", { class: match[1] ? "c" : match[2] ? "s" : match[3] ? "k" : "t" }, match[0]));
    place = match.index + match[0].length;
  }
  return [...parts, text.slice(place)];
}

// MARK: Views

let showing = 0;

/** The outline of a view, while it loads. */
function skeleton() {
  $("view").setAttribute("aria-busy", "true");
  return h("div", { class: "skeleton", role: "status" }, h("h1", {}, t(app.view)), h("p", { class: "lead" }, t("loading"), "…"),
    h("div", { class: "grid", "aria-hidden": "true" }, h("div", { class: "block tall" }), h("div", { class: "side" }, h("div", { class: "block" }), h("div", { class: "block" }))));
}

async function show() {
  const name = location.hash.slice(1);
  app.view = modules[name] ? name : "own";
  const turn = ++showing;
  app.listeners.clear();
  app.leave?.();
  app.leave = null;
  for (const link of document.querySelectorAll("nav a")) {
    if (link.dataset.view === app.view) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  document.title = `${t(app.view)} · Atlas`;
  document.documentElement.dataset.ready = "";
  // A view that takes a while is announced by its outline. The first one's is part of the page.
  const waiting = setTimeout(() => { if (turn === showing) $("view").replaceChildren(skeleton()); }, 200);
  const module = await import(`./${modules[app.view]}.js`).catch((error) => ({ show: () => { throw error; } }));
  if (turn !== showing) { clearTimeout(waiting); return; }
  const view = document.createElement("div");
  try {
    app.leave = await module.show(view, on);
  } catch (error) {
    view.replaceChildren(h("div", { class: "card" }, explained(error)));
  }
  clearTimeout(waiting);
  if (turn !== showing) { app.leave?.(); return; }
  $("view").replaceChildren(view);
  $("view").removeAttribute("aria-busy");
  view.dispatchEvent(new Event("placed"));
  document.documentElement.dataset.ready = app.view;
  quietly(code);
}

addEventListener("hashchange", () => { $("notice").hidden = true; show(); $("view").focus({ preventScroll: true }); scrollTo(0, 0); });
matchMedia("(max-width: 759px)").addEventListener("change", () => show());
applyLanguage();
connect();
show();
