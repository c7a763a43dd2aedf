import { h, get, post, color, explained, later } from "./dom.js";
import { t, state, number, duration, grams } from "./i18n.js";

let land = null;
const masses = [0, 10, 100, 1000, 10000, 100000, 1000000, 10000000];

export async function show(view, on) {
  land ??= (await get("/assets/land.json")).rings.map(ring);
  const filter = { from: 1800, to: 2013, least: 0, text: "" };
  let points = null, marks = [], clicked = null;

  const lead = h("p", { class: "lead" });
  const canvas = h("canvas", { role: "img", tabindex: "0", "aria-label": t("worldMap") });
  const drawn = h("span", {});
  const results = h("ul", { class: "list", tabindex: "0", "aria-label": t("found", "", "") });
  const title = h("h2", {}, t("heaviest"));
  const timing = h("p", { class: "small soft", role: "status" });
  const search = h("input", { type: "search", class: "search", "aria-label": t("searchNames"), placeholder: t("searchNames"), maxlength: 60, oninput: () => { filter.text = search.value.trim(); clicked = null; ask(); } });
  const yearOutput = h("output", {}), massOutput = h("output", {});
  const from = h("input", { type: "range", min: 1800, max: 2013, value: filter.from, "aria-label": t("yearFrom"), oninput: slide });
  const to = h("input", { type: "range", min: 1800, max: 2013, value: filter.to, "aria-label": t("yearTo"), oninput: slide });
  const least = h("input", { type: "range", min: 0, max: masses.length - 1, value: 0, "aria-label": t("mass"), oninput: slide });

  function slide() {
    filter.from = Math.min(from.value, to.value);
    filter.to = Math.max(from.value, to.value);
    filter.least = masses[least.value];
    label();
    paint();
    ask();
  }

  function label() {
    yearOutput.textContent = `${filter.from}–${filter.to}`;
    massOutput.textContent = filter.least ? grams(filter.least) : "0 g";
  }

  // The years slider at both ends means every year, and those without one.
  const isEveryYear = () => filter.from === 1800 && filter.to === 2013;
  const parameters = () => ({ text: filter.text, least: filter.least || "", from: isEveryYear() ? "" : filter.from, to: isEveryYear() ? "" : filter.to });

  const ask = later(90, async () => {
    const answer = clicked
      ? await get("/api/meteorites/nearest", { ...parameters(), latitude: clicked[1].toFixed(4), longitude: clicked[0].toFixed(4) })
      : await get("/api/meteorites/find", parameters());
    const place = clicked && `${number(Math.abs(clicked[1]), 1)}° ${clicked[1] < 0 ? "S" : "N"}, ${number(Math.abs(clicked[0]), 1)}° ${clicked[0] < 0 ? "W" : "E"}`;
    title.textContent = clicked ? t("nearest", place) : filter.text ? t("search") : t("heaviest");
    timing.textContent = clicked ? t("query", duration(answer.microseconds)) : t("found", number(answer.count), duration(answer.microseconds));
    marks = clicked || filter.text ? answer.rows : [];
    results.replaceChildren(...answer.rows.map((row) => h("li", {},
      h("span", {}, h("b", { lang: "en" }, row.name), h("span", { class: "small soft" }, ` ${row.kind}${row.year ? `, ${row.year}` : ""}`)),
      h("span", { class: "small" }, row.kilometers !== undefined ? `${number(row.kilometers, row.kilometers < 100 ? 1 : 0)} km` : grams(row.grams)))));
    if (!answer.rows.length) results.replaceChildren(h("li", {}, t("nothing")));
    paint();
  });

  // The map: an equirectangular projection.
  let wide = 0, high = 0;
  const x = (longitude) => (longitude + 180) / 360 * wide;
  const y = (latitude) => (90 - latitude) / 180 * high;

  function paint() {
    wide = canvas.clientWidth;
    if (!wide) return;
    high = Math.round(wide * .5);
    const scale = devicePixelRatio || 1;
    canvas.width = wide * scale;
    canvas.height = high * scale;
    canvas.style.height = `${high}px`;
    const pen = canvas.getContext("2d");
    pen.scale(scale, scale);
    pen.fillStyle = color("--sea");
    pen.fillRect(0, 0, wide, high);
    pen.fillStyle = pen.strokeStyle = color("--land");
    pen.lineWidth = .8;
    pen.beginPath();
    for (const outline of land) {
      outline.forEach(([longitude, latitude], index) => (index ? pen.lineTo(x(longitude), y(latitude)) : pen.moveTo(x(longitude), y(latitude))));
      pen.closePath();
    }
    pen.fill("nonzero");
    pen.stroke();
    if (!points) return;
    const isDark = document.documentElement.dataset.theme === "dark";
    const small = wide < 600 ? .75 : 1;
    let count = 0;
    for (const isFall of [false, true]) {
      pen.fillStyle = color(isFall ? "--hot" : "--accent");
      pen.globalAlpha = isFall ? .85 : isDark ? .5 : .4;
      for (let index = 0; index < points.count; index++) {
        if (points.fell[index] !== isFall || !admits(index)) continue;
        count++;
        const mass = points.mass[index];
        const radius = (mass > 1e6 ? 5 : mass > 1e5 ? 3.4 : mass > 1e4 ? 2.3 : mass > 1000 ? 1.6 : 1.1) * small;
        const [left, top] = [x(points.longitude[index]), y(points.latitude[index])];
        if (radius < 1.7) pen.fillRect(left - radius, top - radius, 2 * radius, 2 * radius);
        else { pen.beginPath(); pen.arc(left, top, radius, 0, 7); pen.fill(); }
      }
    }
    pen.globalAlpha = 1;
    drawn.textContent = t("drawn", number(count));
    canvas.dataset.drawn = count;
    pen.strokeStyle = color("--ink");
    pen.lineWidth = 1.6;
    for (const mark of marks) {
      if (mark.latitude === undefined) continue;
      pen.beginPath();
      pen.arc(x(mark.longitude), y(mark.latitude), 5, 0, 7);
      pen.stroke();
    }
    if (clicked) {
      const [left, top] = [x(clicked[0]), y(clicked[1])];
      pen.beginPath();
      pen.moveTo(left - 9, top); pen.lineTo(left + 9, top); pen.moveTo(left, top - 9); pen.lineTo(left, top + 9);
      pen.lineWidth = 2.4;
      pen.stroke();
    }
  }

  const admits = (index) => points.mass[index] >= filter.least || (!filter.least)
    ? isEveryYear() || (points.year[index] >= filter.from && points.year[index] <= filter.to) : false;

  canvas.addEventListener("click", (event) => {
    const box = canvas.getBoundingClientRect();
    clicked = [(event.clientX - box.left) / box.width * 360 - 180, 90 - (event.clientY - box.top) / box.height * 180];
    ask();
  });
  canvas.addEventListener("keydown", (event) => {
    const moves = { ArrowLeft: [-5, 0], ArrowRight: [5, 0], ArrowUp: [0, 5], ArrowDown: [0, -5] };
    const move = moves[event.key];
    if (!move) return;
    event.preventDefault();
    const [longitude, latitude] = clicked ?? [0, 20];
    clicked = [Math.max(-180, Math.min(180, longitude + move[0])), Math.max(-90, Math.min(90, latitude + move[1]))];
    paint();
    ask();
  });

  async function load() {
    const buffer = await get("/api/meteorites/points");
    const data = new DataView(buffer);
    const count = data.getUint32(0, true);
    points = { count, longitude: new Float32Array(count), latitude: new Float32Array(count), mass: new Float32Array(count), year: new Int16Array(count), fell: new Array(count) };
    for (let index = 0, offset = 4; index < count; index++, offset += 16) {
      points.longitude[index] = data.getFloat32(offset, true);
      points.latitude[index] = data.getFloat32(offset + 4, true);
      points.mass[index] = data.getFloat32(offset + 8, true);
      points.year[index] = data.getInt16(offset + 12, true);
      points.fell[index] = data.getUint16(offset + 14, true) === 1;
    }
    paint();
  }

  let revision = null;
  on("meteorites", async (value) => {
    lead.textContent = t("meteoritesLead", number(value.count), number(value.plausible));
    if (value.revision === revision) return;
    revision = value.revision;
    await load();
    ask();
  });

  view.append(
    h("div", { class: "head" }, h("h1", {}, t("meteorites")), lead),
    h("div", { class: "grid" },
      h("section", { class: "card flush", "aria-label": t("worldMap") }, canvas,
        h("div", { class: "legend" }, dot("--hot", t("fell")), dot("--accent", t("foundLater")), drawn)),
      h("div", { class: "side" },
        h("section", { class: "card sliders" }, search,
          h("label", { class: "field" }, t("years"), yearOutput, from), to,
          h("label", { class: "field" }, t("mass"), massOutput, least)),
        h("section", { class: "card" }, title, timing, results),
        socrata(on))));
  label();
  ask();
  const watcher = new ResizeObserver(paint);
  watcher.observe(canvas);
  return () => watcher.disconnect();
}

/** The card that syncs any dataset of a portal. */
function socrata(on) {
  let last = null;
  const id = h("input", { type: "text", class: "search", value: localStorage.getItem("dataset") ?? "gh4g-9sfh", maxlength: 9, pattern: "[0-9a-z]{4}-[0-9a-z]{4}", spellcheck: "false", "aria-label": t("dataset"), onchange: look });
  const button = h("button", { type: "button", class: "primary", onclick: press }, t("sync"));
  const bar = h("progress", { max: 1, value: 0, "aria-label": t("sync") });
  const status = h("div", { class: "small", role: "status" });
  const rows = h("div", {});
  const name = () => encodeURIComponent(id.value.trim());

  async function press() {
    localStorage.setItem("dataset", id.value.trim());
    await attempt(() => post(`/api/socrata/${name()}/${last?.state === "running" ? "interrupt" : "sync"}`));
  }

  async function look() { await attempt(() => get(`/api/socrata/${name()}`)); }

  async function attempt(body) {
    try { draw(await body()); } catch (error) { status.replaceChildren(...explained(error)); }
  }

  function draw(value) {
    if (value.dataset !== id.value.trim()) return;
    last = value;
    document.documentElement.dataset.socrata = `${value.state} ${value.stored}`;
    const isRunning = value.state === "running", isWhole = value.state === "done";
    button.textContent = t(isRunning ? "interrupt" : value.stored && !isWhole ? "resume" : "sync");
    bar.value = isWhole ? 1 : value.fraction;
    status.replaceChildren(...value.failure ? explained(value.failure)
      : [t({ interrupted: "interrupted", done: "complete" }[value.state] ?? "stored", number(value.stored), number(value.received))]);
    rows.replaceChildren(...value.rows.length ? [h("table", { lang: "en" },
      h("thead", {}, h("tr", {}, value.columns.map((column) => h("th", { scope: "col" }, column)))),
      h("tbody", {}, value.rows.map((row) => h("tr", {}, row.map((cell) => h("td", {}, cell))))))] : []);
  }

  on("socrata", draw);
  look();
  return h("section", { class: "card socrata" }, h("h2", {}, t("socrata")), h("p", { class: "small soft" }, t("socrataLead")),
    h("div", { class: "toolbar" }, id, button), bar, status, rows);
}

function dot(name, text) {
  const mark = h("i");
  mark.style.background = `var(${name})`;
  return h("span", {}, mark, text);
}

/** A ring of the file: a start and steps, in tenths of a degree. */
function ring(flat) {
  const points = [];
  let [x, y] = [0, 0];
  for (let index = 0; index < flat.length; index += 2) {
    x += flat[index];
    y += flat[index + 1];
    points.push([x / 10, y / 10]);
  }
  return points;
}
