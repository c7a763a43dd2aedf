// Elements without innerHTML: foreign text only ever becomes a text node.
import { t, state } from "./i18n.js";

const spaces = "http://www.w3.org/2000/svg";

function fill(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (name === "value" || name === "checked" || name === "disabled") node[name] = value;
    else node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.flat(3).filter((child) => child !== null && child !== undefined && child !== false));
  return node;
}

export const h = (name, attributes = {}, ...children) => fill(document.createElement(name), attributes, children);
export const s = (name, attributes = {}, ...children) => fill(document.createElementNS(spaces, name), attributes, children);

/** The value of a custom property of the theme. */
export const color = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

/** An address of the server. Blanks are written as %20, because a plus is one only in forms. */
function address(path, parameters) {
  const url = new URL(path, location.origin);
  for (const [name, value] of Object.entries(parameters)) if (value !== "" && value !== undefined) url.searchParams.set(name, value);
  url.search = url.search.replaceAll("+", "%20");
  return url;
}

export async function get(path, parameters = {}) {
  return read(await request(address(path, parameters)));
}

export async function post(path, parameters = {}, body) {
  return read(await request(address(path, parameters), { method: "POST", headers: { "X-Atlas": "1" }, body }));
}

/** Deletes what is at a path. */
export async function erase(path) {
  return read(await request(new URL(path, location.origin), { method: "DELETE", headers: { "X-Atlas": "1" } }));
}

const scripts = [["ko", "\\uac00-\\ud7af"], ["zh-Hant", "\\u3040-\\u30ff\\u3400-\\u9fff"]];
const runs = new RegExp(scripts.map(([, range]) => `[${range}]+`).join("|"), "g");

/** A text from somebody else's data, whose languages are known by their scripts at most. */
export function foreign(text) {
  const parts = [];
  let place = 0;
  for (const run of String(text).matchAll(runs)) {
    parts.push(text.slice(place, run.index), h("span", { lang: scripts.find(([, range]) => new RegExp(`[${range}]`).test(run[0]))[0] }, run[0]));
    place = run.index + run[0].length;
  }
  return h("bdi", { lang: "und" }, parts, String(text).slice(place));
}

/** Fetches an address; without an answer, the error is in the page's language. */
const request = (url, options) => fetch(url, options).catch(() => { throw Object.assign(new Error(t("lost")), { isLost: true }); });

/** Does something unasked. Without a connection, the page says so already, and starts afresh once it is back. */
export async function quietly(body) {
  try { await body(); } catch (error) { if (!error.isLost) throw error; }
}

async function read(response) {
  const type = response.headers.get("Content-Type") ?? "";
  if (!type.includes("json")) {
    if (!response.ok) throw new Error(`HTTP ${response.status}`);
    return response.arrayBuffer();
  }
  const value = await response.json();
  if (!response.ok) throw Object.assign(new Error(value.message ?? `HTTP ${response.status}`), { code: value.code, problems: value.problems, words: value.words });
  return value;
}

/** A failure in the page's language: what happened and what to do, with the developer's message as a detail. */
export function explained(failure) {
  const words = failure.words?.[state.language];
  if (!words) return [failure.message];
  return [h("b", {}, words.title), " ", words.reason, " ", words.advice,
    h("details", { class: "small" }, h("summary", {}, t("details")), h("code", {}, failure.code), " ",
      h("span", { lang: "en" }, [failure.message, ...failure.problems ?? []].join(" ")))];
}

/** Calls a function once the calls have stopped for a while. */
export function later(milliseconds, body) {
  let timer;
  return (...values) => { clearTimeout(timer); timer = setTimeout(() => quietly(() => body(...values)), milliseconds); };
}
