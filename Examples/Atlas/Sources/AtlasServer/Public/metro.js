import { h, s, get, explained } from "./dom.js";
import { t, state, number, duration, age } from "./i18n.js";

const width = 1000;
let height = 860;

export async function show(view, on) {
  const isNarrow = matchMedia("(max-width: 759px)").matches;
  const factor = isNarrow ? 2.1 : 1;
  height = isNarrow ? 1220 : 860;
  const net = await get("/api/metro/network");
  const stations = new Map(net.stations.map((station) => [station.id, station]));
  const lines = new Map(net.lines.map((line) => [line.id, line]));
  place(net.stations);
  const name = (id) => {
    const station = stations.get(id);
    return !station ? id : state.language === "en" ? station.english : state.language === "ko" ? station.korean ?? station.english : id;
  };
  const nameLanguage = state.language === "ko" ? "ko" : state.language === "en" ? "en" : "zh-Hant";
  const lineName = (line) => state.language === "en" ? line.english : state.language === "ko" ? line.korean ?? line.english : line.name;

  // The map
  const tracks = s("g", {});
  for (const line of net.lines) {
    const group = s("g", {});
    for (const path of line.paths) group.append(colored(line, s("path", { class: "track", d: outline(path, stations) })));
    group.dataset.line = line.id;
    tracks.append(group);
  }
  const legs = s("g", { class: "ride" });
  const way = s("path", { class: "way" });
  const stops = s("g", {}), trains = s("g", {});
  const ends = new Set(net.lines.flatMap((line) => line.paths.flatMap((path) => [path[0], path.at(-1)])));
  const taken = [];
  const nodes = new Map();
  const pen = document.createElement("canvas").getContext("2d");
  const family = getComputedStyle(document.body).fontFamily;
  pen.font = `500 12.5px ${family}`;
  const weight = (station) => station.lines.length * 10 + (ends.has(station.id) ? 5 : 0);
  for (const station of [...net.stations].sort((a, b) => weight(b) - weight(a))) {
    const label = name(station.id);
    const wide = pen.measureText(label).width * factor;
    const [far, up, low] = isNarrow ? [15, -17, 38] : [10, -11, 21];
    const spots = [[far, 4 * factor, "start"], [-far, 4 * factor, "end"], [0, up, "middle"], [0, low, "middle"], [far - 1, up + 3, "start"], [far - 1, low - 6, "start"], [1 - far, up + 3, "end"], [1 - far, low - 6, "end"]];
    const fits = spots.map(([dx, dy, anchor]) => {
      const left = station.x + dx - (anchor === "end" ? wide : anchor === "middle" ? wide / 2 : 0);
      return { dx, dy, anchor, box: [left, station.y + dy - 12 * factor, left + wide, station.y + dy + 3 * factor] };
    }).find(({ box }) => box[0] > 2 && box[2] < width - 2 && !taken.some((other) => overlap(box, other))
      && !net.stations.some((other) => other !== station && other.x > box[0] - 5 && other.x < box[2] + 5 && other.y > box[1] - 5 && other.y < box[3] + 5));
    const spot = fits ?? { dx: 10, dy: -10, anchor: station.x > width * .7 ? "end" : "start" };
    const isMain = station.lines.length > 1 || ends.has(station.id);
    if (fits && (isMain || !isNarrow)) taken.push(fits.box);
    const isLabeled = fits && (isMain || !isNarrow);
    const node = s("g", { class: `stop ${isLabeled ? "" : "quiet"} ${station.lines.length > 1 ? "change" : ""} ${isMain ? "" : "minor"}`, role: "button", tabindex: isMain ? "0" : "-1",
      "aria-label": label, transform: `translate(${station.x} ${station.y})`,
      onclick: () => choose(station.id), onkeydown: (event) => { if (event.key === "Enter" || event.key === " ") { event.preventDefault(); choose(station.id); } } },
      s("circle", { r: (station.lines.length > 1 ? 6.5 : 4.2) * (isNarrow ? 1.6 : 1) }), s("text", { x: spot.dx, y: spot.dy, "text-anchor": spot.anchor, lang: nameLanguage }, label));
    nodes.set(station.id, node);
    stops.append(node);
  }
  const svg = s("svg", { class: "net", viewBox: `0 0 ${width} ${height}`, role: "group", "aria-label": t("lineMap") }, tracks, legs, way, stops, trains);

  // The side
  const stats = h("div", { class: "stats" });
  const list = h("ul", { class: "list", tabindex: "0", "aria-label": t("arrivals") });
  const failure = h("div", { class: "small" });
  const picks = ["from", "to"].map((key) => h("select", { class: "search", "aria-label": t(key), onchange: (event) => { chosen[key === "from" ? 0 : 1] = event.target.value || null; route(); } },
    h("option", { value: "" }, t("choose", t(key))),
    [...net.stations].map((station) => [station.id, name(station.id)]).sort((a, b) => a[1].localeCompare(b[1], state.language)).map(([id, text]) => h("option", { value: id, lang: nameLanguage }, text))));
  const answer = h("div", { role: "status" }, h("p", { class: "soft small" }, t("routeHint")));
  const chosen = [null, null];

  function choose(id) {
    if (!chosen[0] || chosen[1]) { chosen[0] = id; chosen[1] = null; } else if (chosen[0] !== id) chosen[1] = id;
    route();
  }

  async function route() {
    picks.forEach((pick, index) => { pick.value = chosen[index] ?? ""; });
    for (const [id, node] of nodes) node.classList.toggle("chosen", chosen.includes(id));
    tracks.classList.toggle("dim", Boolean(chosen[1]));
    legs.replaceChildren();
    if (!chosen[0] || !chosen[1]) { way.setAttribute("d", ""); answer.replaceChildren(h("p", { class: "soft small" }, t("routeHint"))); return; }
    try {
      const found = await get("/api/metro/route", { from: chosen[0], to: chosen[1] });
      way.setAttribute("d", outline(found.stations, stations));
      for (const leg of found.legs) legs.append(colored(lines.get(leg.line), s("path", { class: "track", d: outline(leg.stations, stations) })));
      for (const id of found.stations) nodes.get(id)?.classList.add("chosen");
      answer.replaceChildren(
        h("p", { class: "big" }, t("minutes", number(Math.round(found.seconds / 60)))),
        h("p", { class: "small soft" }, t("changes", found.transfers, found.stations.length, duration(found.microseconds))),
        h("div", { class: "legs" }, found.legs.map((leg) => {
          const line = lines.get(leg.line);
          const bar = h("i");
          if (line) bar.style.background = line.color;
          return h("div", { class: "leg" }, bar,
            h("div", {}, h("b", {}, line ? lineName(line) : t("onFoot")), h("div", { class: "small soft" }, `${name(leg.stations[0])} → ${name(leg.stations.at(-1))}`)),
            h("span", { class: "small" }, t("minutes", number(Math.max(1, Math.round(leg.seconds / 60))))));
        })));
    } catch (error) { answer.replaceChildren(...explained(error)); }
  }

  // Trains
  const marks = new Map();

  function draw(rows) {
    const seen = new Set();
    for (const row of rows) {
      const station = stations.get(row.station);
      if (!station) continue;
      const key = `${row.station} ${row.destination} ${row.freshness === "fresh" || row.freshness === "undated"}`;
      if (seen.has(key)) continue;
      seen.add(key);
      let mark = marks.get(key);
      const isGhost = !(row.freshness === "fresh" || row.freshness === "undated");
      if (!mark) {
        const line = lines.get(row.line) ?? lines.get(station.lines[0]);
        mark = colored(line, s("g", { class: isGhost ? "train ghost" : "train" }, s("path", { d: isNarrow ? "M-13-10h15l13 10-13 10h-15z" : "M-8-6h9l8 6-8 6h-9z" })));
        if (isGhost) mark.append(s("rect", { rx: 6, height: 18 * factor }), s("text", { "text-anchor": "middle" }));
        marks.set(key, mark);
        trains.append(mark);
      }
      const [dx, dy] = direction(row, station);
      const turn = Math.atan2(dy, dx) * 180 / Math.PI;
      const side = isNarrow ? 15 : 9;
      const [left, top] = [station.x - dy * side, station.y + dx * side];
      mark.setAttribute("transform", `translate(${left} ${top})`);
      mark.firstChild.setAttribute("transform", `rotate(${turn})`);
      if (isGhost) {
        mark.lastChild.textContent = t("ago", age(row.age ?? 0));
        pen.font = `650 12.5px ${family}`;
        const wide = pen.measureText(mark.lastChild.textContent).width * factor + 14, high = 18 * factor;
        // The age goes where it covers the least of the labels.
        const spots = [-.5, -1, 0].flatMap((part) => [[10, high * part], [-wide - 10, high * part]])
          .concat([.5, .3, .7].flatMap((part) => [[-wide * part, high * .7], [-wide * part, -high * 1.7]]));
        const covered = ([x, y]) => (left + x < 2 || left + x + wide > width - 2 ? Infinity : taken.reduce((sum, box) => sum
          + Math.max(0, Math.min(left + x + wide, box[2]) - Math.max(left + x, box[0])) * Math.max(0, Math.min(top + y + high, box[3]) - Math.max(top + y, box[1])), 0));
        const [x, y] = spots.reduce((best, spot) => (covered(spot) < covered(best) ? spot : best));
        for (const [name, value] of [["x", x], ["y", y], ["width", wide]]) mark.children[1].setAttribute(name, value);
        for (const [name, value] of [["x", x + wide / 2], ["y", y + high / 2 + 4.4 * factor]]) mark.lastChild.setAttribute(name, value);
      }
    }
    for (const [key, mark] of marks) if (!seen.has(key)) { mark.remove(); marks.delete(key); }
  }

  function direction(row, station) {
    for (const line of row.line ? [lines.get(row.line)] : station.lines.map((id) => lines.get(id))) {
      for (const path of line?.paths ?? []) {
        const here = path.indexOf(row.station), there = path.indexOf(row.destination);
        if (here < 0) continue;
        const forward = there < 0 ? path.indexOf(path.find((id) => id === row.destination)) > here : there > here;
        const next = stations.get(path[here + (forward ? 1 : -1)] ?? path[here + (forward ? -1 : 1)]);
        if (!next) continue;
        const [dx, dy] = [next.x - station.x, next.y - station.y];
        const length = Math.hypot(dx, dy) || 1;
        return [dx / length, dy / length];
      }
    }
    return [1, 0];
  }

  let board = null, day = null, frame = -1, timer = null;

  function live(value) {
    board = value;
    const rows = value.rows;
    stats.replaceChildren(
      h("div", {}, h("b", { class: "big" }, number(value.fresh)), h("span", {}, t("fresh"))),
      h("div", {}, h("b", { class: "big" }, number(value.stale)), h("span", {}, t("ghosts"))),
      h("div", {}, h("b", { class: "big" }, value.age === undefined ? "—" : age(value.age, "short")), h("span", {}, t("boardAge"))));
    failure.replaceChildren(...value.failure ? explained(value.failure) : []);
    const ghosts = rows.filter((row) => !["fresh", "undated"].includes(row.freshness));
    const moving = rows.filter((row) => ["fresh", "undated"].includes(row.freshness));
    list.replaceChildren(...[...ghosts, ...moving.slice(0, 30)].map((row) => {
      const isGhost = ghosts.includes(row);
      return h("li", {}, h("span", {}, h("b", { lang: nameLanguage }, name(row.station ?? row.stationName)), h("span", { class: "small soft" }, " → ", name(row.destination ?? row.destinationName))),
        h("span", { class: isGhost ? "tag warn" : "tag" }, isGhost ? t("ago", age(row.age ?? 0)) : t("fresh")));
    }));
    if (frame < 0) draw(rows);
  }
  on("metro", live);

  // The replay of a day
  const play = h("button", { type: "button", onclick: () => (timer ? stop() : start()) }, t("play"));
  const slider = h("input", { type: "range", min: 0, max: 269, value: 0, "aria-label": t("day"), oninput: async (event) => { await load(); at(Number(event.target.value)); } });
  const time = h("output", { class: "small soft" }, t("day"));
  const back = h("button", { type: "button", onclick: () => { stop(); frame = -1; time.textContent = t("day"); if (board) draw(board.rows); back.disabled = true; }, disabled: true }, t("liveNow"));
  const load = async () => { day ??= await get("/api/metro/day"); slider.max = day.length - 1; };

  function at(index) {
    frame = index;
    back.disabled = false;
    slider.value = index;
    const { minute, trains } = day[index];
    time.textContent = `${String(Math.floor(minute / 60)).padStart(2, "0")}:${String(minute % 60).padStart(2, "0")}`;
    draw(trains.map(([line, station, destination]) => ({ line, station, destination, freshness: "fresh" })));
  }

  async function start() {
    play.disabled = true;
    await load();
    play.disabled = false;
    play.textContent = t("pause");
    timer = setInterval(() => at((frame + 1) % day.length), 350);
  }

  function stop() { clearInterval(timer); timer = null; play.textContent = t("play"); }

  view.append(
    h("div", { class: "head" }, h("h1", {}, t("metro")), h("p", { class: "lead" }, t("metroLead"))),
    h("div", { class: "grid" },
      h("section", { class: "card flush", "aria-label": t("lineMap") }, svg, h("div", { class: "replay" }, play, back, slider, time)),
      h("div", { class: "side" },
        h("section", { class: "card" }, stats, failure),
        h("section", { class: "card" }, h("h2", {}, t("route")), h("div", { class: "sliders" }, picks, answer)),
        h("section", { class: "card" }, h("h2", {}, t("arrivals")), list))));
  return stop;
}

/** Spreads the stations: the center, where they are dense, gets more room. */
function place(stations) {
  const home = stations.find((station) => station.id === "台北車站") ?? stations[0];
  const raw = stations.map((station) => [(station.longitude - home.longitude) * Math.cos(home.latitude * Math.PI / 180), home.latitude - station.latitude]);
  const spread = raw.map(([x, y]) => { const far = Math.hypot(x, y) || 1e-9; const scale = far ** .62 / far; return [x * scale, y * scale]; });
  const [xs, ys] = [spread.map((point) => point[0]), spread.map((point) => point[1])];
  const [left, right, top, bottom] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
  stations.forEach((station, index) => {
    station.x = Math.round(70 + (spread[index][0] - left) / (right - left) * (width - 150));
    station.y = Math.round(40 + (spread[index][1] - top) / (bottom - top) * (height - 80));
  });
}

/** Gives a shape the color of a line, which the style sheet lightens in the dark. */
function colored(line, shape) {
  shape.style.setProperty("--route", line?.color ?? "#888");
  return shape;
}

const outline = (path, stations) => path.map((id, index) => `${index ? "L" : "M"}${stations.get(id)?.x ?? 0} ${stations.get(id)?.y ?? 0}`).join("");
const overlap = (a, b) => a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3];
