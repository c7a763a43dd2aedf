// A map on a canvas that can be moved: points, shapes, and lines, without tiles.
import { h, get, color } from "./dom.js";
import { t } from "./i18n.js";

let land = null;

/** A ring of the file: a start and steps, in tenths of a degree. */
function ring(flat) {
  const points = [];
  let [x, y] = [0, 0];
  for (let index = 0; index < flat.length; index += 2) {
    x += flat[index];
    y += flat[index + 1];
    points.push(x / 10, y / 10);
  }
  return points;
}

/** The box around places, longitudes and latitudes in turn; without those that are far from all others. */
export function boxOf(flat) {
  if (!flat.length) return null;
  const ends = (offset) => {
    const values = flat.filter((_, index) => index % 2 === offset).sort((a, b) => a - b);
    const skipped = Math.floor(values.length / 100), last = values.length - 1;
    const isWide = values[last] - values[0] > 3 * (values[last - skipped] - values[skipped]);
    return isWide ? [values[skipped], values[last - skipped]] : [values[0], values[last]];
  };
  const [west, east] = ends(0), [south, north] = ends(1);
  return [west, south, east, north];
}

/**
 * A map. `layers` has `points`, `outlines`, `lines` (with a color), `stops`, `ways` (of a journey), and `marks`.
 * `pick` is called with a place that is clicked.
 */
export function chart(label, pick) {
  const canvas = h("canvas", { role: "img", tabindex: "0", "aria-label": label });
  const layers = { points: [], outlines: [], lines: [], stops: [], ways: [], marks: [] };
  let home = [-180, -90, 180, 90], middle = [0, 0], zoom = 1, ratio = .62;
  let wide = 0, high = 0, scale = 1, shrink = 1;
  const button = (text, name, act) => h("button", { type: "button", class: "icon", "aria-label": name, onclick: () => { act(); paint(); } }, text);
  const tools = h("div", { class: "tools" },
    button("+", t("zoomIn"), () => { zoom = Math.min(zoom * 1.6, 400); }), button("−", t("zoomOut"), () => { zoom = Math.max(zoom / 1.6, .4); }), button("⤢", t("wholeMap"), reset));
  const node = h("div", { class: "chart" }, canvas, tools);

  function reset() {
    middle = [(home[0] + home[2]) / 2, (home[1] + home[3]) / 2];
    zoom = 1;
  }

  function fit(box, margin = .08) {
    const least = .004;
    const [across, up] = [Math.max(box[2] - box[0], least) * margin, Math.max(box[3] - box[1], least) * margin];
    home = [box[0] - across, box[1] - up, box[2] + across, box[3] + up];
    reset();
    paint();
  }

  const x = (longitude) => wide / 2 + (longitude - middle[0]) * shrink * scale;
  const y = (latitude) => high / 2 - (latitude - middle[1]) * scale;
  const place = (event) => {
    const box = canvas.getBoundingClientRect();
    return [middle[0] + (event.clientX - box.left - wide / 2) / shrink / scale, middle[1] - (event.clientY - box.top - high / 2) / scale];
  };

  function trace(pen, flat) {
    pen.beginPath();
    for (let index = 0; index + 1 < flat.length; index += 2) {
      if (index) pen.lineTo(x(flat[index]), y(flat[index + 1])); else pen.moveTo(x(flat[index]), y(flat[index + 1]));
    }
  }

  function paint() {
    wide = canvas.clientWidth;
    if (!wide) return;
    ratio = wide < 500 ? .9 : .62;
    high = Math.round(wide * ratio);
    const density = devicePixelRatio || 1;
    [canvas.width, canvas.height] = [wide * density, high * density];
    canvas.style.height = `${high}px`;
    shrink = Math.max(Math.cos(middle[1] * Math.PI / 180), .1);
    scale = Math.min(wide / ((home[2] - home[0]) * shrink), high / (home[3] - home[1])) * zoom;
    const pen = canvas.getContext("2d");
    pen.scale(density, density);
    pen.lineJoin = pen.lineCap = "round";
    pen.fillStyle = color("--sea");
    pen.fillRect(0, 0, wide, high);
    const span = wide / scale / shrink;
    if (span > 6) drawLand(pen); else drawGrid(pen, span);
    for (const outline of layers.outlines) {
      trace(pen, outline);
      pen.fillStyle = color("--shape");
      if (outline[0] === outline.at(-2) && outline[1] === outline.at(-1)) pen.fill();
      pen.strokeStyle = color("--accent");
      pen.lineWidth = 1.4;
      pen.stroke();
    }
    const isRide = layers.ways.length > 0;
    const thin = Math.min(1.6, Math.max(.6, zoom ** .4)) * (wide < 500 ? .8 : 1);
    for (const line of layers.lines) {
      trace(pen, line.points);
      pen.globalAlpha = isRide ? .3 : .85;
      pen.strokeStyle = line.color;
      pen.lineWidth = (line.mode === 3 ? 1.6 : 3) * thin;
      pen.setLineDash(line.mode === 4 ? [5, 6] : []);
      pen.stroke();
    }
    pen.setLineDash([]);
    pen.globalAlpha = isRide ? .6 : 1;
    dots(pen, layers.stops, layers.stops.length > 1200 ? 1.2 * thin : layers.lines.length ? 2.4 * thin : 2.2, layers.lines.length ? color("--card") : color("--accent"), layers.lines.length ? color("--soft") : null);
    pen.globalAlpha = layers.points.length > 8000 ? .5 : .8;
    dots(pen, layers.points, layers.points.length > 8000 ? 1.3 : layers.points.length > 1200 ? 2 : 3.2, color("--accent"), null);
    pen.globalAlpha = 1;
    for (const way of layers.ways) {
      trace(pen, way.points);
      pen.setLineDash(way.isWalk ? [2, 7] : []);
      for (const [width, ink] of way.isWalk ? [[4, color("--ink")]] : [[9, color("--card")], [5.5, way.color]]) {
        pen.lineWidth = width;
        pen.strokeStyle = ink;
        pen.stroke();
      }
    }
    pen.setLineDash([]);
    drawMarks(pen);
    canvas.dataset.drawn = layers.points.length / 2 + layers.outlines.length + layers.lines.length + layers.ways.length;
  }

  function dots(pen, flat, radius, fill, ring) {
    pen.fillStyle = fill;
    pen.strokeStyle = ring ?? fill;
    pen.lineWidth = 1.2;
    for (let index = 0; index + 1 < flat.length; index += 2) {
      const [left, top] = [x(flat[index]), y(flat[index + 1])];
      if (left < -9 || top < -9 || left > wide + 9 || top > high + 9) continue;
      if (radius < 1.7) { pen.fillRect(left - radius, top - radius, 2 * radius, 2 * radius); continue; }
      pen.beginPath();
      pen.arc(left, top, radius, 0, 7);
      pen.fill();
      if (ring) pen.stroke();
    }
  }

  /** Marks with names, each beside its dot, where there is room. */
  function drawMarks(pen) {
    pen.font = `600 ${wide < 500 ? 12 : 13}px system-ui, "Noto Sans CJK TC", sans-serif`;
    pen.textBaseline = "middle";
    const taken = [];
    for (const mark of layers.marks) {
      const [left, top] = [x(mark.longitude), y(mark.latitude)];
      pen.beginPath();
      pen.arc(left, top, mark.isEnd ? 6.5 : 4.5, 0, 7);
      pen.fillStyle = mark.isEnd ? color("--mark") : color("--card");
      pen.strokeStyle = color("--ink");
      pen.lineWidth = 2.2;
      pen.fill();
      pen.stroke();
      if (!mark.name) continue;
      const width = Math.min(pen.measureText(mark.name).width, wide * .6);
      const sides = [[left + 12, top], [left - 12 - width, top], [left - width / 2, top - 18], [left - width / 2, top + 18]];
      const free = sides.find(([at, level]) => at > 2 && at + width < wide - 2 && level > 9 && level < high - 9
        && !taken.some((box) => at < box[2] && at + width > box[0] && level - 9 < box[3] && level + 9 > box[1]));
      if (!free) continue;
      taken.push([free[0], free[1] - 9, free[0] + width, free[1] + 9]);
      pen.lineWidth = 4;
      pen.strokeStyle = color("--card");
      pen.strokeText(mark.name, free[0], free[1], wide * .6);
      pen.fillStyle = color("--ink");
      pen.fillText(mark.name, free[0], free[1], wide * .6);
    }
  }

  function drawLand(pen) {
    if (!land) {
      get("/assets/land.json").then((value) => { land = value.rings.map(ring); paint(); }, () => { land = []; });
      return;
    }
    pen.fillStyle = color("--land");
    pen.beginPath();
    for (const outline of land) {
      for (let index = 0; index < outline.length; index += 2) {
        if (index) pen.lineTo(x(outline[index]), y(outline[index + 1])); else pen.moveTo(x(outline[index]), y(outline[index + 1]));
      }
      pen.closePath();
    }
    pen.fill("nonzero");
  }

  /** A grid with the length of its squares: there is no map of the streets. */
  function drawGrid(pen, span) {
    const kilometers = span * shrink * 111.2;
    const step = [.05, .1, .2, .5, 1, 2, 5, 10, 20, 50, 100].find((length) => kilometers / length < 9) ?? 200;
    const [across, up] = [step / 111.2 / shrink, step / 111.2];
    pen.strokeStyle = color("--grid");
    pen.lineWidth = 1;
    pen.beginPath();
    for (let at = Math.ceil((middle[0] - span / 2) / across) * across; x(at) < wide; at += across) { pen.moveTo(x(at), 0); pen.lineTo(x(at), high); }
    for (let at = Math.ceil((middle[1] - high / 2 / scale) / up) * up; y(at) > 0; at += up) { pen.moveTo(0, y(at)); pen.lineTo(wide, y(at)); }
    pen.stroke();
    const length = up * scale;
    pen.strokeStyle = pen.fillStyle = color("--soft");
    pen.lineWidth = 1.5;
    pen.beginPath();
    pen.moveTo(14, high - 18); pen.lineTo(14, high - 13); pen.lineTo(14 + length, high - 13); pen.lineTo(14 + length, high - 18);
    pen.stroke();
    pen.font = "500 12px system-ui, sans-serif";
    pen.textBaseline = "alphabetic";
    pen.fillText(step < 1 ? `${Math.round(step * 1000)} m` : `${step} km`, 18, high - 20);
  }

  // Moving by pointer, wheel, and keys. The wheel zooms only with Ctrl, so that the page scrolls.
  let grip = null;
  canvas.addEventListener("pointerdown", (event) => { grip = { from: [event.clientX, event.clientY], middle: [...middle], isMoved: false }; });
  canvas.addEventListener("pointermove", (event) => {
    if (!grip || event.buttons === 0 || event.pointerType === "touch") return;
    const [left, top] = [event.clientX - grip.from[0], event.clientY - grip.from[1]];
    if (Math.hypot(left, top) < 4) return;
    grip.isMoved = true;
    middle = [grip.middle[0] - left / shrink / scale, grip.middle[1] + top / scale];
    paint();
  });
  canvas.addEventListener("click", (event) => { if (!grip?.isMoved) pick?.(place(event)); grip = null; });
  canvas.addEventListener("wheel", (event) => {
    if (!event.ctrlKey) return;
    event.preventDefault();
    zoom = Math.min(400, Math.max(.4, zoom * (event.deltaY < 0 ? 1.2 : 1 / 1.2)));
    paint();
  }, { passive: false });
  canvas.addEventListener("keydown", (event) => {
    const moves = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
    if (moves[event.key]) middle = [middle[0] + moves[event.key][0] * 60 / shrink / scale, middle[1] + moves[event.key][1] * 60 / scale];
    else if (event.key === "+") zoom = Math.min(zoom * 1.6, 400);
    else if (event.key === "-") zoom = Math.max(zoom / 1.6, .4);
    else if (event.key === "Enter") pick?.([...middle]);
    else return;
    event.preventDefault();
    paint();
  });
  const watcher = new ResizeObserver(paint);
  watcher.observe(canvas);
  return { node, canvas, layers, fit, paint, close: () => watcher.disconnect() };
}
