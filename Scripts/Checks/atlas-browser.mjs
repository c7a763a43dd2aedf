// Drives Chromium over its DevTools protocol: every view of Atlas at four widths, light and dark, in three
// languages, by keyboard, and with the three controls. Arguments: the atlas binary, and a folder for screenshots
// (optional).
import { spawn } from "node:child_process";
import { mkdtempSync, mkdirSync, readFileSync, rmSync, writeFileSync, existsSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

const [binary, shots] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), "atlas-browser-"));
const port = await freePort();
const base = `http://127.0.0.1:${port}`;
// A view, and of the visitor's own data, a dataset.
const views = ["own/caf", "own/gtfs", "metro", "meteorites", "zoo", "walks", "city"];
const languages = { en: "Meteorites", "zh-Hant": "隕石", ko: "운석" };
let passed = 0, failed = 0;

function check(isTrue, what) {
  if (isTrue) passed++;
  else { failed++; console.log(`✗ ${what}`); }
}

const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

async function until(what, body, seconds = 60) {
  const end = Date.now() + seconds * 1000;
  let last;
  while (Date.now() < end) {
    try { last = await body(); if (last) return last; } catch (error) { last = error; }
    await pause(150);
  }
  throw new Error(`timed out waiting for ${what} (${last})`);
}

function freePort() {
  return new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}

// The server and the browser

const atlas = spawn(binary, ["--port", String(port), "--data", join(folder, "data")], { stdio: ["ignore", "inherit", "inherit"] });
const chromium = spawn("chromium", ["--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--mute-audio",
  "--remote-debugging-port=0", `--user-data-dir=${join(folder, "profile")}`, "about:blank"], { stdio: "ignore" });
const timer = setTimeout(() => { console.log("✗ the whole run took more than 15 minutes"); finish(1); }, 900_000);

let isFinishing = false;
async function finish(code) {
  if (isFinishing) return;
  isFinishing = true;
  clearTimeout(timer);
  const ended = new Promise((resolve) => atlas.once("exit", resolve));
  atlas.kill("SIGTERM");
  chromium.kill("SIGKILL");
  const status = await Promise.race([ended, pause(8000).then(() => "none")]);
  if (code === 0) check(status === 0, `SIGTERM ends the server in order (status ${status})`);
  if (status === "none") atlas.kill("SIGKILL");
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  console.log(`atlas-browser: ${passed} passed, ${failed} failed`);
  process.exit(code || (failed ? 1 : 0));
}

class Page {
  static async open() {
    const file = join(folder, "profile", "DevToolsActivePort");
    const [port] = (await until("the browser", () => existsSync(file) && readFileSync(file, "utf8"), 30)).split("\n");
    const targets = await (await fetch(`http://127.0.0.1:${port}/json`)).json();
    const page = new Page();
    page.socket = new WebSocket(targets.find((target) => target.type === "page").webSocketDebuggerUrl);
    await new Promise((resolve) => page.socket.addEventListener("open", resolve));
    page.waiting = new Map();
    page.errors = [];
    page.frames = [];
    page.next = 1;
    page.socket.addEventListener("message", ({ data }) => page.receive(JSON.parse(data)));
    for (const domain of ["Page", "Runtime", "Log", "Network"]) await page.send(`${domain}.enable`);
    return page;
  }

  receive(message) {
    if (message.id) {
      const { resolve, reject } = this.waiting.get(message.id);
      this.waiting.delete(message.id);
      if (message.error) reject(new Error(message.error.message)); else resolve(message.result);
    } else if (message.method === "Runtime.exceptionThrown") {
      this.errors.push(message.params.exceptionDetails.exception?.description ?? message.params.exceptionDetails.text);
    } else if (message.method === "Runtime.consoleAPICalled" && ["error", "warning"].includes(message.params.type)) {
      this.errors.push(message.params.args.map((value) => value.value ?? value.description).join(" "));
    } else if (message.method === "Log.entryAdded" && message.params.entry.level === "error") {
      this.errors.push(`${message.params.entry.text} ${message.params.entry.url ?? ""}`);
    }
  }

  send(method, params = {}) {
    const id = this.next++;
    this.socket.send(JSON.stringify({ id, method, params }));
    return new Promise((resolve, reject) => this.waiting.set(id, { resolve, reject }));
  }

  async run(expression) {
    const { result, exceptionDetails } = await this.send("Runtime.evaluate", { expression, awaitPromise: true, returnByValue: true });
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
    return result.value;
  }

  async size(width, scheme, height = width < 600 ? 844 : 900) {
    this.window = [width, scheme];
    await this.send("Emulation.setDeviceMetricsOverride", { width, height, deviceScaleFactor: width < 600 ? 2 : 1, mobile: width < 600 });
    await this.send("Emulation.setEmulatedMedia", { features: [{ name: "prefers-color-scheme", value: scheme }, { name: "prefers-reduced-motion", value: "reduce" }] });
  }

  async show(view) {
    await this.run(`location.hash = "${view}"`);
    await until(`the view ${view}`, () => this.run(`document.documentElement.dataset.ready === "${view}"`), 40);
    await pause(450);
  }

  /** Shows one of the visitor's datasets, by the beginning of its title. */
  async choose(title) {
    await this.run(`[...document.querySelectorAll(".tabs button")].find((node) => node.textContent.startsWith("${title}")).click()`);
    await until(`the dataset ${title}`, () => this.run(`[...document.querySelectorAll(".tabs [aria-pressed=true]")].some((node) => node.textContent.startsWith("${title}")) && Number(document.querySelector(".dataset canvas")?.dataset.drawn) > 9`), 30);
  }

  async shot(name, isWhole = false) {
    if (!shots) return;
    mkdirSync(shots, { recursive: true });
    // A window as high as the page: capturing beyond the window changes media queries for a moment.
    if (isWhole) {
      await this.size(...this.window, await this.run("document.documentElement.scrollHeight"));
      await until("the pictures", () => this.run("[...document.images].every((image) => image.complete)"), 10);
      await pause(150);
    }
    const { data } = await this.send("Page.captureScreenshot", { format: "png" });
    writeFileSync(join(shots, `${name}.png`), Buffer.from(data, "base64"));
    if (isWhole) await this.size(...this.window);
  }

  /** Takes a picture of the part of the page around elements, with a margin. */
  async part(name, selectors) {
    if (!shots) return;
    const box = await this.run(`(() => { const boxes = ${JSON.stringify(selectors)}.map((selector) => document.querySelector(selector).getBoundingClientRect()); const [x, y] = [Math.min(...boxes.map((box) => box.left)) - 16, Math.min(...boxes.map((box) => box.top)) + scrollY - 16]; return { x, y, width: Math.max(...boxes.map((box) => box.right)) + 16 - x, height: Math.max(...boxes.map((box) => box.bottom)) + scrollY + 16 - y }; })()`);
    await this.size(...this.window, await this.run("document.documentElement.scrollHeight"));
    await pause(500);
    const { data } = await this.send("Page.captureScreenshot", { format: "png", clip: { ...box, scale: 1 } });
    mkdirSync(shots, { recursive: true });
    writeFileSync(join(shots, `${name}.png`), Buffer.from(data, "base64"));
    await this.size(...this.window);
  }

  /** Adds a frame to the film, `milliseconds` long; of short ones, at most two a second. */
  async film(milliseconds) {
    if (!shots || (milliseconds < 500 && Date.now() - this.filmed < 500)) return;
    this.filmed = Date.now();
    const { data } = await this.send("Page.captureScreenshot", { format: "webp", quality: 70, clip: { x: 0, y: 0, width: 1440, height: 900, scale: .5 } });
    this.frames.push({ milliseconds, file: Buffer.from(data, "base64") });
  }

  speak(language) {
    return this.run(`document.getElementById("language").value = "${language}"; document.getElementById("language").dispatchEvent(new Event("change"))`);
  }

  /** Presses the Tab key until the focus has been on every element of the page, or 60 times; returns what is wrong. */
  async focusOrder() {
    await this.run(`scrollTo(0, 0); document.querySelector("a").focus(); window.order = [document.activeElement];`);
    for (let turn = 0; turn < 60; turn++) {
      for (const type of ["rawKeyDown", "keyUp"]) await this.send("Input.dispatchKeyEvent", { type, key: "Tab", code: "Tab", windowsVirtualKeyCode: 9 });
      if (!await this.run(`document.activeElement !== document.body && !order.includes(document.activeElement) && order.push(document.activeElement) > 0`)) break;
      const problem = await this.run(`new Promise(requestAnimationFrame).then(() => {
        const node = order.at(-1), before = order.at(-2), box = (node.closest(".file, .drop") ?? node).getBoundingClientRect();
        const name = "<" + node.tagName.toLowerCase() + "> " + (node.getAttribute("aria-label") ?? node.textContent).trim().slice(0, 30);
        if (before && !(before.compareDocumentPosition(node) & Node.DOCUMENT_POSITION_FOLLOWING)) return "focus goes back to " + name;
        if (box.bottom < 0 || box.top > innerHeight || box.width < 2) return "focus isn't in sight: " + name;
        if (getComputedStyle(node.closest(".file, .drop") ?? node).outlineStyle === "none" && !node.matches(".stop")) return "focus doesn't show: " + name;
      })`);
      if (problem) return problem;
    }
    return await this.run(`order.length < 12 && "only " + order.length + " elements get the focus"`);
  }

  takeErrors() { return this.errors.splice(0); }
}

/** Joins WebP pictures of one size into an animated one. */
function animation(frames, width, height) {
  const bytes = (value, count) => Buffer.from(Array.from({ length: count }, (_, index) => value >>> (8 * index) & 255));
  const chunk = (name, ...parts) => { const body = Buffer.concat(parts); return Buffer.concat([Buffer.from(name), bytes(body.length, 4), body, Buffer.alloc(body.length % 2)]); };
  const picture = ({ file }) => {
    for (let place = 12; place < file.length;) {
      const size = file.readUInt32LE(place + 4), next = place + 8 + size + size % 2;
      if (["VP8 ", "VP8L"].includes(file.toString("latin1", place, place + 4))) return file.subarray(place, next);
      place = next;
    }
    throw new Error("a frame isn't WebP");
  };
  const size = Buffer.concat([bytes(width - 1, 3), bytes(height - 1, 3)]);
  return chunk("RIFF", Buffer.from("WEBP"), chunk("VP8X", bytes(2, 4), size), chunk("ANIM", bytes(0xffffffff, 4), bytes(0, 2)),
    ...frames.map((frame) => chunk("ANMF", bytes(0, 6), size, bytes(frame.milliseconds, 3), bytes(2, 1), picture(frame))));
}

// What axe would check: names, roles, contrast, languages, ids, headings. Runs in the page.
function audit() {
  const problems = [];
  const tell = (node, what) => problems.push(`${what}: <${node.tagName.toLowerCase()} class="${node.getAttribute("class") ?? ""}"> ${(node.textContent ?? "").trim().slice(0, 40)}`);
  const isShown = (node) => { const box = node.getBoundingClientRect(); return box.width > 1 && box.height > 1 && getComputedStyle(node).visibility !== "hidden"; };
  const name = (node) => node.getAttribute("aria-label") || node.closest("label")?.textContent.trim() || node.textContent.trim() || node.getAttribute("alt") || node.getAttribute("title");
  for (const node of document.querySelectorAll("button, a[href], input, select, [role=button], [role=img], [role=group]")) if (!name(node)) tell(node, "no name");
  for (const node of document.querySelectorAll("img")) if (!node.hasAttribute("alt")) tell(node, "no alt");
  const ids = [...document.querySelectorAll("[id]")].map((node) => node.id);
  for (const id of new Set(ids.filter((id, index) => ids.indexOf(id) !== index))) problems.push(`id twice: ${id}`);
  const levels = [...document.querySelectorAll("h1, h2, h3, h4")].filter(isShown).map((node) => Number(node.tagName[1]));
  levels.forEach((level, index) => { if (level > (levels[index - 1] ?? 0) + 1) problems.push(`h${level} after h${levels[index - 1] ?? 0}`); });
  for (const node of document.querySelectorAll("[tabindex]")) if (node.tabIndex > 0) tell(node, "a tabindex above 0");
  for (const node of document.querySelectorAll("[aria-hidden=true] :is(a, button, input, select), [role=img] :is(a, button, [tabindex])")) tell(node, "hidden from readers, but takes the focus");
  for (const node of document.querySelectorAll("th:not([scope])")) tell(node, "no scope");
  for (const node of document.querySelectorAll("select, input:not([type=range]):not([type=file])")) {
    if (isShown(node) && node.scrollWidth > node.clientWidth + 1 && !node.value) tell(node, "cut off");
  }
  if (document.querySelectorAll("h1").length !== 1) problems.push(`${document.querySelectorAll("h1").length} h1`);
  if (document.querySelectorAll("main").length !== 1) problems.push("no single main");
  if (document.querySelectorAll("[aria-current=page]").length !== 1) problems.push("no current page");
  if (document.documentElement.scrollWidth > innerWidth) {
    problems.push(`${document.documentElement.scrollWidth} px wide in ${innerWidth}`);
    for (const node of document.querySelectorAll("body *")) if (node.getBoundingClientRect().right > innerWidth + 1) { tell(node, "too wide"); break; }
  }
  for (const node of document.querySelectorAll("button, nav a, select")) { const box = node.getBoundingClientRect(); if (isShown(node) && (box.height < 24 || box.width < 24)) tell(node, `only ${Math.round(box.width)}×${Math.round(box.height)} px`); }
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = 1;
  const pen = canvas.getContext("2d", { willReadFrequently: true });
  const parse = (text, under = [255, 255, 255]) => {
    pen.fillStyle = `rgb(${under})`; pen.fillRect(0, 0, 1, 1);
    pen.fillStyle = text; pen.fillRect(0, 0, 1, 1);
    return [...pen.getImageData(0, 0, 1, 1).data].slice(0, 3);
  };
  const light = (rgb) => { const [r, g, b] = rgb.map((part) => { const value = part / 255; return value <= .03928 ? value / 12.92 : ((value + .055) / 1.055) ** 2.4; }); return .2126 * r + .7152 * g + .0722 * b; };
  const ground = (node) => { const chain = []; for (let parent = node; parent; parent = parent.parentElement) chain.unshift(getComputedStyle(parent).backgroundColor); return chain.reduce((under, layer) => parse(layer, under), [255, 255, 255]); };
  const contrast = (node, color, under, style) => {
    const [a, b] = [light(parse(color, under)), light(under)];
    const ratio = (Math.max(a, b) + .05) / (Math.min(a, b) + .05);
    const size = parseFloat(style.fontSize) * (node.ownerSVGElement?.getScreenCTM()?.a ?? 1);
    const needed = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700) ? 3 : 4.5;
    if (ratio < needed) tell(node, `contrast ${ratio.toFixed(2)}`);
  };
  // A text in a drawing is on the box before it, or on a halo of its own.
  const backdrop = (node, style) => {
    const box = node.previousElementSibling, under = ground(node.ownerSVGElement);
    return box?.matches("rect") ? parse(getComputedStyle(box).fill, under) : style.stroke !== "none" ? parse(style.stroke, under) : under;
  };
  const speech = (node, text) => {
    const language = node.closest("[lang]").getAttribute("lang");
    if (/[\u4e00-\u9fff]/.test(text) && !/^(zh|ko|ja)/.test(language) && !node.closest("pre, button")) tell(node, `Chinese under lang=${language}`);
    if (/[\uac00-\ud7af]/.test(text) && language !== "ko" && !node.closest("pre")) tell(node, `Korean under lang=${language}`);
    if (/[a-z]{3,} +[a-z]{2,}/i.test(text.replace(/Natural Earth/g, "")) && /^(zh|ko)/.test(language)) tell(node, `English under lang=${language}: ${text}`);
  };
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const seen = new Set();
  while (walker.nextNode()) {
    const node = walker.currentNode.parentElement, text = walker.currentNode.textContent.trim();
    if (!text || node.closest("canvas, option, script, title, [hidden], .hidden, .skip, :disabled") || !isShown(node)) continue;
    speech(node, text);
    if (seen.has(node)) continue;
    seen.add(node);
    const style = getComputedStyle(node);
    if (node.ownerSVGElement) contrast(node, style.fill, backdrop(node, style), style);
    else contrast(node, style.color, ground(node), style);
  }
  for (const node of document.querySelectorAll("[aria-label], [placeholder], [title], option")) {
    for (const text of node.matches("option") ? [node.textContent] : ["aria-label", "placeholder", "title"].map((name) => node.getAttribute(name) ?? "")) {
      if (/[a-z]{3,} +[a-z]{2,}/i.test(text)) speech(node, text);
    }
    if (node.placeholder && !node.value) { const style = getComputedStyle(node, "::placeholder"); contrast(node, style.color, ground(node), style); }
  }
  return problems;
}

try {
  await until("the server", async () => (await (await fetch(`${base}/health`)).json()).status === "ok", 120);
  await until("the meteorites", async () => (await (await fetch(`${base}/api/inventory`)).json()).items.find((item) => item.kit === "meteorites")?.count > 40_000, 180);
  await until("the zoo and the city", async () => { const { items } = await (await fetch(`${base}/api/inventory`)).json(); return ["zoo", "city"].every((kit) => items.find((item) => item.kit === kit)?.count > 10); });
  const page = await Page.open();
  await page.size(1440, "light");
  // Before any script runs, the page shows the outline of its first view.
  const outline = await (await fetch(base)).text();
  check(/<main[^>]*aria-busy="true"[^>]*>\s*<div class="skeleton"/.test(outline), "the page has an outline before its scripts run");
  await page.send("Page.navigate", { url: base });
  await until("the page", () => page.run(`document.documentElement.dataset.ready === "own"`));
  await page.speak("en");

  const { headers } = await fetch(base);
  check(headers.get("content-security-policy")?.includes("script-src 'self'"), "there is a content security policy without inline scripts");
  check((await fetch(`${base}/api/kill`, { method: "POST" })).status === 403, "a write without the page's header is refused");
  check((await fetch(`${base}/api/metro/route?from=${"x".repeat(2000)}&to=y`)).status === 414, "a long address is refused");

  // The visitor's own data: a table with bad rows, by an address
  await page.show("own");
  check(await page.run(`!document.querySelector(".dataset").textContent && document.querySelectorAll(".gallery a").length === 5`), "without data, there is the door and the gallery");
  for (const problem of await page.run(`(${audit})()`)) check(false, `own, empty: ${problem}`);
  await page.shot("own-empty");
  const sample = (name) => page.run(`document.querySelector("[data-sample=${name}]").click()`);
  const stored = (what, test) => until(what, () => page.run(`document.documentElement.dataset.adding === "" && ${test}`), 60);
  await sample("cafes");
  await stored("the cafés", `document.querySelectorAll(".faults li").length === 2`);
  const faults = await page.run(`document.querySelector(".faults").textContent`);
  check(/Line 39:.*has no id/.test(faults) && /Line 120:.*cells, but the header/.test(faults), `bad rows have a line and a reason: ${faults}`);
  check(await page.run(`[...document.querySelectorAll(".dataset li")].some((node) => /^id.*ID/.test(node.textContent))`), "the ID is found among the columns");
  check(await page.run(`/C1289/.test(document.querySelector(".dataset").textContent)`), "repeated IDs are named");
  await until("the map of the cafés", () => page.run(`Number(document.querySelector(".dataset canvas").dataset.drawn) > 400`), 10);
  const look = (text) => page.run(`{ const field = document.querySelector(".dataset input[type=search]"); field.value = "${text}"; field.dispatchEvent(new Event("input")); }`);
  await look("茶館");
  await until("a teahouse", () => page.run(`/ 茶館$/.test(document.documentElement.dataset.ownRows)`), 10);
  check(await page.run(`document.querySelectorAll(".dataset tbody tr").length > 20 && [...document.querySelectorAll(".dataset tbody tr")].every((row) => row.textContent.includes("茶館"))`), "Chinese text is found");
  check(await page.run(`/found in [0-9.,]+ (µs|ms|s)$/.test(document.querySelector(".dataset [role=status]").textContent)`), "a query says how long it took, in a unit that fits");
  await look("");
  // A dropped file whose texts are hostile
  await page.run(`{ const drop = new Event("drop", { bubbles: true }); drop.dataTransfer = { files: [new File(["id,name,lat,lng\\n1,<img src=x onerror=window.hit=1>,1,2\\n2,<script>window.hit=1<\\/script>,3,4\\n"], "<b onclick=window.hit=1>.csv")] }; document.querySelector(".drop").dispatchEvent(drop); }`);
  await stored("the dropped file", `document.querySelector(".ages")?.closest("section").querySelector("h2").textContent === "<b onclick=window.hit=1>.csv"`);
  check(await page.run(`window.hit === undefined && !document.querySelector(".dataset img, .dataset script, .dataset b[onclick]")`), "foreign names are texts");
  check(await page.run(`[...document.querySelectorAll(".dataset td")].some((node) => node.textContent === "<img src=x onerror=window.hit=1>")`), "foreign cells are shown as they are");
  await page.run(`[...document.querySelectorAll(".dataset button")].find((node) => node.textContent === "Remove").click()`);
  await until("the removal", () => page.run(`!document.querySelector(".dataset").textContent.includes("<b")`), 10);
  // An address of the server's own network
  await page.run(`{ const field = document.querySelector(".door input[type=text]"); field.value = "http://127.0.0.1:${port}/api/inventory"; field.form.requestSubmit(); }`);
  await stored("the refusal", `/this machine|port/.test(document.querySelector(".door .notice.bad")?.textContent ?? "")`);
  check(true, "an address of this machine is refused");
  page.takeErrors();
  // A portal's page
  await sample("ckan");
  await stored("the portal", `/CKAN/.test(document.querySelector(".origin")?.textContent ?? "")`);
  await page.shot("own-portal");
  await page.run(`[...document.querySelectorAll(".dataset button")].find((node) => node.textContent === "Remove").click()`);
  await until("the removal", () => page.run(`!/CKAN/.test(document.querySelector(".origin")?.textContent ?? "")`), 10);
  // A city's timetable: its map, a journey, departures, and a delay
  await sample("city");
  const journey = () => page.run(`document.documentElement.dataset.journey ?? ""`);
  await stored("the city", `/^1[0-9] /.test(document.documentElement.dataset.city ?? "")`);
  await until("a journey", async () => (await journey()).endsWith("scheduled"), 20);
  const type = (place, text) => page.run(`{ const field = document.querySelectorAll(".stopfield input")[${place}]; field.value = "${text}"; field.dispatchEvent(new Event("input")); }`);
  const pick = async (place, text) => {
    await type(place, text);
    await until(`a stop for ${text}`, () => page.run(`document.querySelectorAll(".stopfield")[${place}].querySelector(".hits:not([hidden]) button") !== null`), 10);
    await page.run(`document.querySelectorAll(".stopfield")[${place}].querySelector(".hits button").click()`);
  };
  await pick(0, "西野");
  await pick(1, "airport");
  await until("the journey to the airport", () => page.run(`document.querySelectorAll(".journey").length > 0 && [...document.querySelectorAll(".leg")].at(-1)?.textContent.includes("Airport")`), 10);
  const planned = await journey();
  check(await page.run(`document.querySelectorAll(".dataset .list li .dot").length > 5`), "departures are listed");
  check(await page.run(`[...document.querySelectorAll(".leg .tag")].every((node) => node.textContent === "by the timetable")`), "legs say that they are by the timetable");
  await page.run(`[...document.querySelectorAll(".dataset button")].find((node) => node.textContent.startsWith("Delay train")).click()`);
  await until("another answer", async () => await page.run(`/late. The live message is/.test(document.querySelector(".live").textContent)`), 10);
  check((await journey()) !== planned, `a delayed train changes the answer (${planned}, then ${await journey()})`);
  await page.shot("own-delay", true);
  await page.run(`[...document.querySelectorAll(".live button")].at(-1).click()`);
  await until("the timetable again", async () => await journey() === planned, 10);
  check(true, "the answer is the timetable's again");
  {
    const errors = page.takeErrors();
    check(errors.length === 0, `own: console: ${errors.join("; ")}`);
  }

  // Each view at the widths of phones and desktops, light and dark, in all languages
  const combinations = [320, 390, 1280, 1440].flatMap((width) => (width === 390 || width === 1280 ? Object.keys(languages) : ["en"])
    .flatMap((language) => ["light", "dark"].map((scheme) => ({ width, language, scheme }))));
  for (const { width, language, scheme } of combinations) {
    await page.size(width, scheme);
    await page.speak(language);
    // The width may have changed the view; start from another one.
    await page.show("city");
    check((await page.run(`document.querySelector("nav").textContent`)).includes(languages[language]), `the navigation is in ${language}`);
    for (const view of views) {
      const name = `${view.replace("/", "-")}-${width}-${scheme}-${language}`;
      await page.show(view.split("/")[0]);
      if (view.includes("/")) await page.choose(view.split("/")[1]);
      if (view === "own/gtfs") await until("a journey", () => page.run(`document.querySelectorAll(".leg").length > 0`));
      if (view === "meteorites") await until("the points", () => page.run(`Number(document.querySelector("canvas").dataset.drawn) > 30000 && document.querySelectorAll(".list li").length > 9`));
      if (view === "metro") await until("the trains", () => page.run(`document.querySelectorAll(".train").length > 9`));
      if (view === "zoo") await until("the pictures", () => page.run(`[...document.images].slice(0, 6).every((image) => image.complete && image.naturalWidth > 9)`));
      check(await page.run("document.documentElement.lang") === language, `${name}: lang is ${language}`);
      for (const problem of await page.run(`(${audit})()`)) check(false, `${name}: ${problem}`);
      const errors = page.takeErrors();
      check(errors.length === 0, `${name}: console: ${errors.join("; ")}`);
      await page.shot(name, true);
      if (width === 1280 && scheme === "light" && language === "en") {
        const problem = await page.focusOrder();
        check(!problem, `${name}: ${problem}`);
      }
    }
  }
  await page.speak("en");

  // The visitor's own data: pictures for the README, Docs/images/atlas-journey*.png and atlas-own-data*.png
  for (const scheme of ["dark", "light"]) {
    await page.size(1100, scheme);
    await page.show("city");
    await page.show("own");
    await page.choose("caf");
    await look("no. 71");
    await until("cafés", () => page.run(`/^[1-9].* no. 71$/.test(document.documentElement.dataset.ownRows)`), 10);
    await pause(400);
    await page.part(`own-data-${scheme}`, [".dataset .flush", ".dataset .problems"]);
    await page.choose("gtfs");
    await until("a journey", async () => (await journey()).endsWith("scheduled"), 20);
    await pause(400);
    await page.part(`journey-${scheme}`, [".dataset .flush", ".dataset .plan"]);
  }

  // Metro: a route, by keyboard. The pictures are those of the README: Docs/images/atlas-metro*.png
  for (const scheme of ["dark", "light"]) {
    await page.size(1440, scheme);
    await page.show("city");
    await page.show("metro");
    await page.run(`document.querySelectorAll("svg .stop[tabindex='0']")[3].dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true }))`);
    await page.run(`document.querySelectorAll("svg .stop[tabindex='0']")[30].dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true }))`);
    await until("a route", () => page.run(`document.querySelectorAll(".leg").length > 0`), 10);
    await until("the trains", () => page.run(`document.querySelectorAll(".train").length > 12`));
    await page.shot(`metro-route-${scheme}`);
  }
  check(await page.run(`document.querySelectorAll(".train").length > 12`), "trains are drawn");
  check(await page.run(`document.querySelectorAll(".ghost").length >= 3`), "ghost trains are drawn");
  await page.run(`document.querySelector(".replay button").click()`);
  await until("the replay", () => page.run(`/\\d\\d:\\d\\d/.test(document.querySelector(".replay output").textContent)`), 30);
  check(true, "a day is replayed");
  await page.run(`document.querySelector(".replay button").click()`);

  // Meteorites: the canvas and the kit agree; search and nearest
  await page.show("meteorites");
  const drawn = () => page.run(`Number(document.querySelector("canvas").dataset.drawn)`);
  const found = () => page.run(`fetch("/api/meteorites/find?from=1900&to=1950&least=1000").then((answer) => answer.json()).then((value) => value.count)`);
  await until("the points", async () => await drawn() > 30_000);
  await page.run(`{ const [from, to, least] = document.querySelectorAll("input[type=range]"); from.value = 1900; to.value = 1950; least.value = 3; for (const slider of [from, to, least]) slider.dispatchEvent(new Event("input")); }`);
  await pause(400);
  check(await drawn() === await found(), `the canvas draws what the kit finds (${await drawn()}, ${await found()})`);
  await page.run(`{ const [from, to, least] = document.querySelectorAll("input[type=range]"); from.value = 1800; to.value = 2013; least.value = 0; for (const slider of [from, to, least]) slider.dispatchEvent(new Event("input")); const box = document.querySelector("canvas").getBoundingClientRect(); document.querySelector("canvas").dispatchEvent(new MouseEvent("click", { clientX: box.left + box.width * .54, clientY: box.top + box.height * .24, bubbles: true })); }`);
  await until("ten nearest", () => page.run(`document.querySelectorAll(".list li").length === 10 && /[0-9] (µs|ms|s)$/.test(document.querySelector(".side [role=status]").textContent)`), 10);
  await page.shot("meteorites-nearest");

  // Any dataset of a portal: synced page by page, interrupted, and resumed
  const socrata = () => page.run(`document.documentElement.dataset.socrata ?? ""`);
  const press = () => page.run(`document.querySelector(".socrata button").click()`);
  await page.run(`{ const field = document.querySelector(".socrata input"); field.value = "tree-2026"; field.dispatchEvent(new Event("change")); }`);
  await until("an empty dataset", async () => await socrata() === "idle 0", 10);
  await press();
  await until("some pages", async () => Number((await socrata()).split(" ")[1]) >= 4000, 30);
  await press();
  await until("the interruption", async () => (await socrata()).startsWith("interrupted"), 10);
  const kept = Number((await socrata()).split(" ")[1]);
  check(kept >= 4000 && kept < 20_000, `an interrupted sync keeps its pages (${kept})`);
  await page.run(`document.querySelector(".socrata").scrollIntoView()`);
  await page.shot("meteorites-socrata");
  await press();
  await until("the whole dataset", async () => await socrata() === "done 20000", 60);
  check(true, "the sync is resumed");

  // Zoo: three languages, and a sighting
  await page.show("zoo");
  for (const text of ["熊貓", "panda", "ailuropoda"]) {
    await page.run(`{ const field = document.querySelector("main input[type=search]"); field.value = "${text}"; field.dispatchEvent(new Event("input")); }`);
    await until(`${text}`, () => page.run(`document.querySelectorAll(".animal").length === 1 && document.querySelector(".animal b").textContent === "大貓熊"`), 10);
    check(true, `"${text}" finds the giant panda`);
  }
  await page.run(`{ const field = document.querySelector("main input[type=search]"); field.value = ""; field.dispatchEvent(new Event("input")); document.querySelector("main input[type=text]").value = "<b>石虎</b>"; document.querySelector("main button.primary").click(); }`);
  await until("the sighting", () => page.run(`[...document.querySelectorAll(".animal b")].some((node) => node.textContent === "<b>石虎</b>")`), 15);
  check(await page.run(`!document.querySelector(".animal b b")`), "foreign text is escaped");
  await page.run(`[...document.querySelectorAll("main button")].find((node) => node.textContent === "Delete my sightings").click()`);
  await until("no sighting", () => page.run(`![...document.querySelectorAll(".animal b")].some((node) => node.textContent.includes("石虎"))`), 15);

  // City: type-ahead with marks
  await page.show("city");
  await page.run(`{ const field = document.querySelector("main input[type=search]"); field.value = "台南"; field.dispatchEvent(new Event("input")); }`);
  await until("a mark", () => page.run(`document.querySelector("mark")?.textContent === "臺南"`), 10);
  await page.shot("city-search");

  // The visitor's own data without a network, and after a kill
  await page.show("own");
  await page.choose("caf");
  await page.run(`document.getElementById("notice").className = ""; document.getElementById("offline").click()`);
  await until("offline", () => page.run(`document.getElementById("notice").classList.contains("bad") && document.getElementById("notice").textContent.includes("offline")`), 40);
  await look("茶館");
  await until("a teahouse offline", () => page.run(`document.querySelectorAll(".dataset tbody tr").length > 20 && / 茶館$/.test(document.documentElement.dataset.ownRows)`), 10);
  check(true, "offline, the visitor's rows are found");
  await page.shot("own-offline");
  await page.run(`delete document.documentElement.dataset.restored; document.getElementById("kill").click()`);
  await until("the restart", () => page.run(`document.documentElement.dataset.restored`), 60);
  check(await page.run(`document.documentElement.dataset.restored`) === "true", "after a kill without a network, the visitor's data is there");
  await until("the view", () => page.run(`document.documentElement.dataset.ready === "own" && document.querySelectorAll(".dataset tbody tr").length > 20`), 30);
  await page.choose("gtfs");
  await until("a journey offline", async () => (await journey()).endsWith("scheduled"), 20);
  check(true, "after a kill without a network, journeys are found");
  await page.run(`document.getElementById("notice").className = ""; document.getElementById("offline").click()`);
  await until("online", () => page.run(`document.getElementById("notice").classList.contains("good")`), 60);
  page.takeErrors();

  // Offline, and each fault: the data stays, and the error is in the page's language
  await page.show("zoo");
  page.takeErrors();
  await page.speak("ko");
  await page.run(`document.getElementById("offline").click()`);
  await until("offline", () => page.run(`document.getElementById("notice").classList.contains("bad") && document.getElementById("notice").textContent.includes("offline")`), 40);
  check(await page.run(`document.querySelectorAll(".animal").length >= 24`), "offline, the zoo is still there");
  check(await page.run(`document.querySelector("#notice b").textContent === "연결 안 됨" && /인터넷 연결을 확인/.test(document.getElementById("notice").textContent)`), "the error has a title and advice in Korean");
  for (const problem of await page.run(`(${audit})()`)) check(false, `offline ko: ${problem}`);
  await page.shot("zoo-offline");
  await page.run(`document.getElementById("offline").click()`);
  await until("online", () => page.run(`document.getElementById("notice").classList.contains("good")`), 40);
  for (const [view, language] of [["zoo", "zh-Hant"], ["meteorites", "ko"], ["city", "zh-Hant"], ["metro", "ko"]]) {
    await page.speak(language);
    await page.show(view);
    for (const mode of ["html", "truncated", "empty", "error500", "lying"]) {
      await page.run(`{ document.getElementById("notice").className = ""; const fault = document.getElementById("fault"); fault.value = "${mode}"; fault.dispatchEvent(new Event("change")); }`);
      const text = await until(`${view} ${mode}`, () => page.run(`document.getElementById("notice").classList.contains("bad") && document.getElementById("notice").textContent`), 60).catch(() => "");
      check(/[a-zA-Z]+\.[a-zA-Z]+/.test(text), `${view} refuses ${mode} with a code: ${text || await page.run(`document.getElementById("notice").textContent`)}`);
      check(language === "ko" ? /[가-힣]/.test(text) : /[一-鿿]/.test(text), `${view} explains ${mode} in ${language}: ${text}`);
      if (mode === "html" || mode === "lying") {
        for (const problem of await page.run(`(${audit})()`)) check(false, `${view} ${mode}: ${problem}`);
        await page.shot(`${view}-${mode}`);
      }
    }
  }
  await page.speak("en");
  // Slow: a query doesn't wait for the refresh.
  await page.show("meteorites");
  await page.run(`{ document.getElementById("notice").className = ""; const fault = document.getElementById("fault"); fault.value = "slow"; fault.dispatchEvent(new Event("change")); }`);
  await until("a refresh", () => page.run(`document.getElementById("refresh").disabled`), 10);
  const isAnswered = await page.run(`fetch("/api/meteorites/find?text=ice").then((answer) => answer.json()).then((value) => value.count > 0)`);
  check(isAnswered && await page.run(`document.getElementById("refresh").disabled`), "a query doesn't wait for a slow server");
  await until("the slow refresh", () => page.run(`document.getElementById("notice").classList.contains("good")`), 60);
  await page.run(`{ document.getElementById("notice").className = ""; const fault = document.getElementById("fault"); fault.value = "normal"; fault.dispatchEvent(new Event("change")); }`);
  await until("normal", () => page.run(`document.getElementById("notice").classList.contains("good")`), 60);

  // Kill: nothing is missing
  await page.run(`document.getElementById("kill").click()`);
  await until("the restart", () => page.run(`document.documentElement.dataset.restored`), 60);
  check(await page.run(`document.documentElement.dataset.restored`) === "true", "after a kill nothing is missing");
  await page.shot("killed");

  // Kill in the middle of a walk. The film is that of the README: Docs/images/atlas-kill.webp
  await page.run(`document.getElementById("notice").hidden = true`);
  await page.show("walks");
  await page.film(900);
  await page.run(`document.querySelector("main button.primary").click()`);
  const points = () => page.run(`Number(document.documentElement.dataset.walk?.split(" ")[1] ?? 0)`);
  await until("half a walk", async () => { await page.film(350); return await points() > 250; }, 60);
  await page.shot("walk-running");
  const before = await points();
  await page.run(`delete document.documentElement.dataset.restored; document.getElementById("kill").click()`);
  await page.film(1200);
  await until("the restart", () => page.run(`document.documentElement.dataset.restored`), 60);
  await until("the restored walk", () => page.run(`document.documentElement.dataset.walk?.startsWith("paused")`), 30);
  check(await points() >= before, `the killed walk has its points (${before}, then ${await points()})`);
  check(await page.run(`document.documentElement.dataset.restored`) === "true", "after a kill during a walk nothing is missing");
  await pause(400);
  await page.shot("walk-restored");
  await page.film(2500);
  await page.run(`document.querySelector("main button.primary").click()`);
  await until("the walk to go on", async () => { await page.film(350); return await points() > before + 150; }, 60);
  await page.run(`[...document.querySelectorAll("main button")].find((node) => node.textContent === "Finish").click()`);
  await until("the end of the walk", () => page.run(`document.documentElement.dataset.walk?.startsWith("saved")`), 30);
  await pause(600);
  await page.shot("walk-saved");
  await page.film(2000);
  if (shots) writeFileSync(join(shots, "kill.webp"), animation(page.frames, 720, 450));
  check(true, "the walk is finished");
  // A connection that is refused while the server restarts is not an error of the page.
  const errors = page.takeErrors().filter((text) => !/ERR_CONNECTION|ERR_INCOMPLETE|ERR_EMPTY|Failed to fetch/.test(text));
  check(errors.length === 0, `console: ${errors.join("; ")}`);

  // The code behind the view
  await page.run(`document.getElementById("code").click()`);
  await until("the code", () => page.run(`document.querySelectorAll("#drawer pre").length > 1`), 10);
  for (const problem of await page.run(`(${audit})()`)) check(false, `code: ${problem}`);
  await page.shot("code");
  await page.size(390, "dark");
  await page.show("metro");
  await until("the code of the metro", () => page.run(`/Metro/.test(document.querySelector("#drawer figcaption").textContent)`), 10);
  check(await page.run(`document.getElementById("drawer").getBoundingClientRect().top < innerHeight`), "on a phone, the code is in sight");
  for (const problem of await page.run(`(${audit})()`)) check(false, `code 390: ${problem}`);
  await page.shot("code-390");
  await finish(0);
} catch (error) {
  console.log(`✗ ${error.stack}`);
  await finish(1);
}
