// Drives Chromium over its DevTools protocol: the landing page and a page of every module, at three widths, light
// and dark, the search for every front-door symbol, and all links of the pages that are shown. The site may be one
// that rebase-site.py has moved below a path. Arguments: the site, a folder for screenshots (optional).
import { spawn } from "node:child_process";
import { createReadStream, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { basename, extname, join, normalize } from "node:path";

const [site, shots] = process.argv.slice(2);
const modules = ["FieldKit", "ZooKit", "MetroKit", "MeteorKit", "WalkKit", "CivicKit", "FieldCore", "FieldPortals",
  "FieldXML", "FieldTransit", "FieldFirestore", "WalkFirestore", "FieldURLSession", "FieldFakes", "FirestoreFakes",
  "FieldTesting"];
// What a program meets first, in Examples/FrontDoor: each has to be found from each module's page.
const symbols = `Field refreshAll URLSessionTransport Storage inMemory directory
  Zoo addSighting listing ZooEntry sequence picture animals AnimalQuery image
  Metro board arrivals updatedAt taipeiText check boards fresh stale lastFailure MetroNetwork taipei route stations transfers
  MeteoriteCatalog refresh find MeteoriteQuery nearest Coordinate distance view
  WalkDiary register PetRegistration CalendarDay kilograms start nearest WalkRecorder record LocationFix pause resume
  addPhoto finish movingTime reward gpx Place
  CivicDirectory CivicService facilities units search searchHistory add entries news activities hide claimFirstLaunch
  StubTransport ManualClock RecordStoreConformance`.split(/\s+/);

const folder = mkdtempSync(join(tmpdir(), "site-browser-"));
let passed = 0, failed = 0;
function check(isTrue, what) {
  if (isTrue) passed++;
  else { failed++; console.log(`✗ ${what}`); }
}
const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));
async function until(what, body, seconds = 30) {
  const end = Date.now() + seconds * 1000;
  let last;
  while (Date.now() < end) {
    try { last = await body(); if (last) return last; } catch (error) { last = error; }
    await pause(50);
  }
  throw new Error(`timed out waiting for ${what} (${last})`);
}

// The path that the site is below, such as "/FieldKit", or "".
const root = readFileSync(join(site, "index.html"), "utf8").match(/class="fk-brand" href="([^"]*)\/"/)[1];
const types = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".json": "application/json", ".svg": "image/svg+xml", ".png": "image/png" };
const fileOf = (path) => join(site, normalize(decodeURIComponent(path.slice(root.length))));
const server = createServer((request, response) => {
  const path = new URL(request.url, "http://x").pathname;
  let file = path.startsWith(`${root}/`) ? fileOf(path) : "";
  if (existsSync(file) && statSync(file).isDirectory()) file = join(file, "index.html");
  if (!existsSync(file)) return response.writeHead(404).end();
  response.writeHead(200, { "Content-Type": types[extname(file)] ?? "application/octet-stream" });
  createReadStream(file).pipe(response);
});
await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
const base = `http://127.0.0.1:${server.address().port}${root}`;
const chromium = spawn("chromium", ["--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
  "--remote-debugging-port=0", `--user-data-dir=${join(folder, "profile")}`, "about:blank"], { stdio: "ignore" });
const timer = setTimeout(() => { console.log("✗ the whole run took more than 8 minutes"); finish(1); }, 480_000);

function finish(code) {
  clearTimeout(timer);
  chromium.kill("SIGKILL");
  server.close();
  try { rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 }); } catch {}
  console.log(`site-browser: ${passed} passed, ${failed} failed`);
  process.exit(code || (failed ? 1 : 0));
}

const active = join(folder, "profile", "DevToolsActivePort");
const [devtools] = (await until("the browser", () => existsSync(active) && readFileSync(active, "utf8"))).split("\n");
const targets = await (await fetch(`http://127.0.0.1:${devtools}/json`)).json();
const socket = new WebSocket(targets.find((target) => target.type === "page").webSocketDebuggerUrl);
await new Promise((resolve) => socket.addEventListener("open", resolve));
const waiting = new Map();
let next = 1, errors = [];
socket.addEventListener("message", ({ data }) => {
  const message = JSON.parse(data);
  if (message.id) {
    const { resolve, reject } = waiting.get(message.id);
    waiting.delete(message.id);
    if (message.error) reject(new Error(message.error.message)); else resolve(message.result);
  } else if (message.method === "Runtime.exceptionThrown") {
    errors.push(message.params.exceptionDetails.exception?.description ?? message.params.exceptionDetails.text);
  } else if (message.method === "Log.entryAdded" && message.params.entry.level === "error") {
    errors.push(`${message.params.entry.text} ${message.params.entry.url ?? ""}`);
  }
});
function send(method, params = {}) {
  const id = next++;
  socket.send(JSON.stringify({ id, method, params }));
  return new Promise((resolve, reject) => waiting.set(id, { resolve, reject }));
}
async function run(expression) {
  const { result, exceptionDetails } = await send("Runtime.evaluate", { expression, awaitPromise: true, returnByValue: true });
  if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
  return result.value;
}
async function show(path) {
  errors = [];
  await send("Page.navigate", { url: base + path });
  await until(path, () => run(`document.readyState === "complete" && location.pathname === ${JSON.stringify(root + path)} && !!document.querySelector("h1")`));
  check(errors.length === 0, `${path} has errors: ${errors.join("; ")}`);
  for (const link of await run(`[...document.querySelectorAll("a[href]")].filter((node) => node.origin === location.origin).map((node) => node.pathname + node.hash)`)) links.set(link, path);
}
// Every link that was seen, with a page that has it.
const links = new Map();
async function size(width, scheme) {
  await send("Emulation.setDeviceMetricsOverride", { width, height: width < 600 ? 844 : 900, deviceScaleFactor: 1, mobile: width < 600 });
  await send("Emulation.setEmulatedMedia", { features: [{ name: "prefers-color-scheme", value: scheme }, { name: "prefers-reduced-motion", value: "reduce" }] });
}
async function shot(name, isWhole = false) {
  if (!shots) return;
  mkdirSync(shots, { recursive: true });
  await pause(300);
  const { data } = await send("Page.captureScreenshot", { format: "png", captureBeyondViewport: isWhole });
  writeFileSync(join(shots, `${name}.png`), Buffer.from(data, "base64"));
}
async function press(key, text) {
  const code = { Enter: 13, ArrowDown: 40, Escape: 27, "/": 191 }[key];
  await send("Input.dispatchKeyEvent", { type: "keyDown", key, text, windowsVirtualKeyCode: code });
  await send("Input.dispatchKeyEvent", { type: "keyUp", key, windowsVirtualKeyCode: code });
}
// Types into the search, and returns the results.
const search = (query) => run(`(async () => {
  const field = document.querySelector(".fk-search input"), list = document.getElementById("fk-results");
  field.value = ${JSON.stringify(query)};
  field.dispatchEvent(new Event("input", { bubbles: true }));
  for (let turn = 0; turn < 400 && (list.dataset.query !== field.value || list.hidden); turn++) await new Promise((resolve) => setTimeout(resolve, 5));
  return [...list.querySelectorAll("[role=option]")].map((node) => ({ title: node.querySelector("b").textContent, path: node.pathname }));
})()`);
// Text whose contrast is too low, elements without a name, headings out of order, Chinese and Korean that isn't marked,
// and whatever makes the page wider than the window.
function audit() {
  const problems = [], pen = Object.assign(document.createElement("canvas"), { width: 1, height: 1 }).getContext("2d", { willReadFrequently: true });
  const mix = (text, under) => { for (const paint of [`rgb(${under})`, text]) { pen.fillStyle = paint; pen.fillRect(0, 0, 1, 1); } return [...pen.getImageData(0, 0, 1, 1).data].slice(0, 3); };
  const light = (rgb) => { const [r, g, b] = rgb.map((part) => { const value = part / 255; return value <= .03928 ? value / 12.92 : ((value + .055) / 1.055) ** 2.4; }); return .2126 * r + .7152 * g + .0722 * b; };
  const ground = (node) => { const chain = []; for (let parent = node; parent; parent = parent.parentElement) chain.unshift(getComputedStyle(parent).backgroundColor); return chain.reduce((under, layer) => mix(layer, under), [255, 255, 255]); };
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const node = walker.currentNode.parentElement, box = node.getBoundingClientRect();
    if (!walker.currentNode.textContent.trim() || box.width < 2 || node.closest("script, .skip, label, .preview-toggle-container, .runtime-preview, [disabled]")) continue;
    const under = ground(node), [a, b] = [light(mix(getComputedStyle(node).color, under)), light(under)];
    const ratio = (Math.max(a, b) + .05) / (Math.min(a, b) + .05);
    if (ratio < 4.5) problems.push(`contrast ${ratio.toFixed(2)}: ${node.textContent.trim().slice(0, 40)}`);
  }
  if (document.documentElement.scrollWidth > innerWidth) problems.push(`${document.documentElement.scrollWidth} px wide in ${innerWidth}`);
  for (const image of document.images) if (!image.hasAttribute("alt") || (image.complete && !image.naturalWidth)) problems.push(`image ${image.src}`);
  // The rest of the other pages is DocC's.
  if (!document.body.matches(".fk-landing")) return problems;
  for (const node of document.querySelectorAll("p, a, h1, h2, h3, li, span")) {
    if (/[\u3040-\u9fff\uac00-\ud7af]/.test(node.textContent) && !node.closest("pre, [lang]:not(html)")) problems.push(`no lang: ${node.textContent.trim().slice(0, 40)}`);
  }
  for (const node of document.querySelectorAll("a[href], button, input, summary, nav, [role=listbox]")) {
    if (!(node.getAttribute("aria-label") || node.textContent.trim() || node.querySelector("img")?.alt)) problems.push(`no name: ${node.outerHTML.slice(0, 80)}`);
  }
  const levels = [...document.querySelectorAll("h1, h2, h3, h4")].map((node) => Number(node.tagName[1]));
  levels.forEach((level, index) => { if (level > (levels[index - 1] ?? 0) + 1) problems.push(`h${level} after h${levels[index - 1] ?? 0}`); });
  if (levels.filter((level) => level === 1).length !== 1) problems.push("no single h1");
  if (!document.documentElement.lang || document.querySelectorAll("main").length !== 1) problems.push("no language, or no single main");
  for (const node of document.querySelectorAll(".fk-header a, .fk-header summary, .fk-header input, .actions a")) {
    const box = node.getBoundingClientRect();
    if (box.width && (box.height < 24 || box.width < 24)) problems.push(`only ${Math.round(box.width)}×${Math.round(box.height)} px: ${node.textContent.trim()}`);
  }
  return problems;
}

try {
  for (const domain of ["Page", "Runtime", "Log", "Network"]) await send(`${domain}.enable`);
  const door = readFileSync("Examples/FrontDoor/Sources/FrontDoor/FrontDoor.swift", "utf8") + readFileSync("Examples/FrontDoor/Tests/FrontDoorTests/FrontDoorTests.swift", "utf8");
  for (const symbol of symbols) if (!["ZooEntry", "WalkRecorder", "Storage"].includes(symbol)) check(door.includes(symbol), `${symbol} isn't used in Examples/FrontDoor`);

  for (const width of [390, 1280, 1440]) for (const scheme of ["light", "dark"]) {
    await size(width, scheme);
    await show("/");
    for (const problem of await run(`(${audit})()`)) check(false, `/ at ${width}, ${scheme}: ${problem}`);
    await run(`(async () => { for (const image of document.images) { image.loading = "eager"; await image.decode(); } })()`);
    await shot(`landing-${width}-${scheme}`, true);
    await run(`document.querySelector(".fk-menu").open = true`);
    for (const problem of await run(`(${audit})()`)) check(false, `the menu at ${width}, ${scheme}: ${problem}`);
    await shot(`menu-${width}-${scheme}`);
    await run(`document.querySelector(".fk-menu").open = false`);
    await search("nearest");
    await shot(`search-${width}-${scheme}`);
    for (const [name, path] of [["module", "/documentation/zookit/"], ["type", "/documentation/zookit/zoo/"],
      ["start", "/documentation/fieldkit/getting-started-in-five-minutes/"], ["fits", "/documentation/fieldkit/how-it-fits-together/"],
      ["tutorials", "/tutorials/fieldkit-tutorials/"], ["tutorial", "/tutorials/fieldkit/a-zoo-app-for-the-tropical-house/"]]) {
      if (!existsSync(join(site, path, "index.html"))) { check(false, `${path} doesn't exist`); continue; }
      await show(path);
      for (const problem of await run(`(${audit})()`)) check(false, `${path} at ${width}, ${scheme}: ${problem}`);
      await shot(`${name}-${width}-${scheme}`);
    }
  }

  for (const module of modules) {
    const path = `/documentation/${module.toLowerCase()}/`;
    await show(path);
    check(await run(`document.querySelector(".fk-brand").pathname === "${root}/"`), `${path} doesn't link home`);
    const listed = await run(`[...document.querySelectorAll(".fk-panel a")].map((link) => link.textContent)`);
    check(modules.every((name) => listed.includes(name)), `${path} links to only ${listed}`);
    for (const symbol of symbols) {
      const hit = (await search(symbol)).slice(0, 10).find(({ title }) => title.split("(")[0] === symbol);
      check(hit && existsSync(join(fileOf(hit.path), "index.html")), `${symbol} isn't found from ${module}`);
    }
  }
  for (const path of ["/documentation/civickit/importing-the-old-database/", "/documentation/fieldkit/operation-ids/", "/documentation/"]) await show(path);
  const broken = [...links].filter(([link]) => !link.startsWith(`${root}/`) || !(existsSync(join(fileOf(link.split("#")[0]), "index.html"))));
  check(links.size > 500 && !broken.length, `${broken.length} of ${links.size} links lead nowhere, such as ${broken[0]?.join(" on ")}`);
  // The search is the same script on every page.
  const pages = readdirSync(site, { recursive: true }).filter((file) => basename(file) === "index.html");
  const without = pages.filter((file) => !readFileSync(join(site, file), "utf8").includes(`src="${root}/site/search.js"`));
  check(pages.length > 1000 && !without.length, `${without.length} pages have no search, such as ${without[0]}`);
  console.log(`${new Set(symbols).size} symbols looked up from ${modules.length} modules; the search is on ${pages.length - without.length} of ${pages.length} pages`);

  for (const article of ["Recording a walk", "Storing records", "Syncing a Socrata dataset"]) {
    check((await search(article))[0]?.title === article, `${article} isn't the first result for its title`);
  }

  // The keyboard alone: a slash, a query, the second result.
  await show("/documentation/walkkit/");
  await press("/", "/");
  check(await run(`document.activeElement === document.querySelector(".fk-search input")`), "a slash doesn't focus the search");
  await send("Input.insertText", { text: "WalkRecorder" });
  await until("results", () => run(`document.querySelectorAll("#fk-results [role=option]").length > 1`));
  await press("ArrowDown");
  const second = await run(`document.getElementById(document.querySelector(".fk-search input").getAttribute("aria-activedescendant")).pathname`);
  await press("Enter");
  check(await until("the page", () => run(`location.pathname === ${JSON.stringify(second)}`)), "Enter doesn't open the result");
  finish(0);
} catch (error) {
  console.log(`✗ ${error.stack}`);
  finish(1);
}
