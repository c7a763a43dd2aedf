// Elements without innerHTML: foreign text only ever becomes a text node.
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

export async function get(path, parameters = {}) {
  const url = new URL(path, location.origin);
  for (const [name, value] of Object.entries(parameters)) if (value !== "" && value !== undefined) url.searchParams.set(name, value);
  return read(await fetch(url));
}

export async function post(path, parameters = {}, body) {
  const url = new URL(path, location.origin);
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return read(await fetch(url, { method: "POST", headers: { "X-Atlas": "1" }, body }));
}

async function read(response) {
  const type = response.headers.get("Content-Type") ?? "";
  if (!type.includes("json")) {
    if (!response.ok) throw new Error(`HTTP ${response.status}`);
    return response.arrayBuffer();
  }
  const value = await response.json();
  if (!response.ok) throw Object.assign(new Error(value.message ?? `HTTP ${response.status}`), { code: value.code });
  return value;
}

/** Calls a function once the calls have stopped for a while. */
export function later(milliseconds, body) {
  let timer;
  return (...values) => { clearTimeout(timer); timer = setTimeout(() => body(...values), milliseconds); };
}
