import { h, s, get, post, color } from "./dom.js";
import { t, state, number, meters, clock, age } from "./i18n.js";

// What was drawn outlives the view, and so the death of the server.
const track = { places: [], refusals: [], segments: null };

/** The words for a badge's ID, such as `walks-10`, `total-10000m`, or `streak-7-0s-0m-0`. */
function badgeText(id) {
  const [kind, amount] = [id.split("-")[0], parseInt(id.split("-")[1])];
  return t(`badge ${kind}${amount === 1 ? " 1" : ""}`, number(id.split("-")[1].endsWith("m") ? amount / 1000 : amount));
}

export async function show(view, on) {
  let walk = null, shown = null, newest = null;
  const lead = h("p", { class: "lead" });
  const canvas = h("canvas", { role: "img", "aria-label": t("walkMap") });
  const profile = h("canvas", { role: "img", "aria-label": t("profile") });
  const stats = h("div", { class: "stats", role: "status" });
  const main = h("button", { type: "button", class: "primary", onclick: () => act(walk?.phase === "running" ? "pause" : "play") }, t("start"));
  const finish = h("button", { type: "button", onclick: () => act("finish") }, t("finish"));
  const restored = h("p", { class: "small" });
  const splits = h("tbody", {});
  const refused = h("ul", { class: "list", tabindex: "0", "aria-label": t("refused") });
  const calendar = h("div", { class: "calendar", role: "img" });
  const badges = h("div", { class: "badges" });
  const totals = h("div", { class: "stats" });
  const streak = h("p", { class: "small soft" });
  const recent = h("ul", { class: "list", tabindex: "0", "aria-label": t("recent") });

  async function act(action) {
    if (action === "play" && walk?.phase !== "paused") { track.places = []; track.refusals = []; track.segments = null; shown = null; }
    update(await post(`/api/walks/${action}`));
  }

  function update(value) {
    const before = walk?.phase;
    walk = value;
    document.documentElement.dataset.walk = `${value.phase} ${value.points}`;
    main.textContent = value.phase === "running" ? t("pause") : value.phase === "paused" ? t("goOn") : t("start");
    finish.disabled = !["running", "paused"].includes(value.phase);
    restored.replaceChildren(value.restoredPoints && value.phase === "paused" ? h("span", { class: "tag good" }, t("restoredWalk", number(value.restoredPoints))) : "");
    if (value.phase === "saved") { if (before !== "saved") stored(value.id); return; }
    if (!shown) figures(value.meters, value.seconds, value.climb, value.points, value.splits);
  }

  function figures(distance, seconds, climb, points, parts) {
    stats.replaceChildren(...[[meters(distance), "distance"], [seconds === null ? "—" : clock(seconds), "time"], [`${number(climb ?? 0)} m`, "climb"], [number(points), "points"]]
      .map(([value, key]) => h("div", {}, h("b", { class: "big" }, value), h("span", {}, t(key)))));
    splits.replaceChildren(...parts.map((part, index) => h("tr", {}, h("td", {}, index + 1), h("td", { class: "num" }, meters(part.meters)), h("td", { class: "num" }, part.seconds === undefined || part.seconds === null ? "—" : clock(part.seconds)), h("td", { class: "num" }, `${number(part.climb ?? 0)} m`))));
    if (!parts.length) splits.replaceChildren(h("tr", {}, h("td", { colspan: 4, class: "soft" }, "—")));
  }

  /** Shows a stored walk, read from the store. */
  async function stored(id) {
    shown = id;
    const route = await get(`/api/walks/route/${encodeURIComponent(id)}`);
    track.segments = route.segments;
    figures(route.meters, null, route.climb, route.points, route.splits);
    const seconds = route.splits.reduce((sum, split) => sum + (split.seconds ?? 0), 0);
    figures(route.meters, seconds || null, route.climb, route.points, route.splits);
    paint();
  }

  function news(value) {
    track.places.push(...value.places);
    track.refusals.push(...value.refusals);
    if (value.places.length) { shown = null; track.segments = null; }
    update(value.state);
    rejections();
    paint();
  }

  function rejections() {
    refused.replaceChildren(...track.refusals.slice(-40).reverse().map((refusal) => h("li", {},
      h("span", { class: "small" }, `${number(refusal.place[1], 4)}°, ${number(refusal.place[0], 4)}°`), h("span", { class: "tag warn" }, t(refusal.reason)))));
    if (!track.refusals.length) refused.replaceChildren(h("li", { class: "soft" }, t("refusedNone")));
  }

  function prepare(canvas, ratio) {
    const wide = canvas.clientWidth, high = Math.round(wide * ratio), scale = devicePixelRatio || 1;
    canvas.width = wide * scale; canvas.height = high * scale;
    canvas.style.height = `${high}px`;
    const pen = canvas.getContext("2d");
    pen.scale(scale, scale);
    pen.fillStyle = color("--sea");
    pen.fillRect(0, 0, wide, high);
    return { pen, wide, high };
  }

  function paint() {
    if (!canvas.clientWidth || !walk) return;
    const lines = track.segments ?? [track.places];
    const all = lines.flat();
    const { pen, wide, high } = prepare(canvas, canvas.clientWidth < 500 ? .8 : .56);
    const [west, south, east, north] = walk.box;
    const shrink = Math.cos((south + north) / 360 * Math.PI);
    const scale = Math.min(wide / ((east - west) * shrink), high / (north - south)) * .94;
    const x = (longitude) => wide / 2 + (longitude - (west + east) / 2) * shrink * scale;
    const y = (latitude) => high / 2 - (latitude - (south + north) / 2) * scale;
    // Contour lines of the made-up hill.
    pen.strokeStyle = color("--line");
    pen.lineWidth = 1;
    for (let ring = 1; ring < 9 && !walk.isRecorded; ring++) {
      pen.beginPath();
      for (let step = 0; step <= 90; step++) {
        const angle = step / 90 * 2 * Math.PI;
        const reach = ring * .00095 * (1 + .22 * Math.sin(2 * angle + ring * .35) + .08 * Math.cos(5 * angle));
        pen.lineTo(x(121.572 + reach * 1.35 * Math.cos(angle)), y(24.9985 + reach * Math.sin(angle)));
      }
      pen.stroke();
    }
    if (all.length) {
      const heights = all.map((place) => place[2]);
      const [low, top] = [Math.min(...heights), Math.max(...heights, Math.min(...heights) + 20)];
      pen.lineWidth = 4;
      pen.lineCap = "round";
      for (const line of lines) for (let index = 1; index < line.length; index++) {
        if (Math.hypot(line[index][0] - line[index - 1][0], line[index][1] - line[index - 1][1]) > .002) continue;
        const part = (line[index][2] - low) / (top - low);
        pen.strokeStyle = `hsl(${165 - part * 145} 60% ${document.documentElement.dataset.theme === "dark" ? 60 : 40}%)`;
        pen.beginPath();
        pen.moveTo(x(line[index - 1][0]), y(line[index - 1][1]));
        pen.lineTo(x(line[index][0]), y(line[index][1]));
        pen.stroke();
      }
      const last = all.at(-1);
      pen.fillStyle = color("--ink");
      pen.beginPath(); pen.arc(x(last[0]), y(last[1]), 7, 0, 7); pen.fill();
      pen.fillStyle = color("--card");
      pen.beginPath(); pen.arc(x(last[0]), y(last[1]), 3, 0, 7); pen.fill();
    }
    pen.strokeStyle = color("--bad");
    pen.lineWidth = 2.4;
    for (const { place } of track.refusals) {
      const [left, top] = [Math.max(10, Math.min(wide - 10, x(place[0]))), Math.max(10, Math.min(high - 10, y(place[1])))];
      pen.beginPath(); pen.moveTo(left - 5, top - 5); pen.lineTo(left + 5, top + 5); pen.moveTo(left + 5, top - 5); pen.lineTo(left - 5, top + 5); pen.stroke();
    }
    elevation(all);
  }

  function elevation(places) {
    const { pen, wide, high } = prepare(profile, profile.clientWidth < 500 ? .3 : .15);
    if (places.length < 2) return;
    const heights = places.map((place) => place[2]);
    const [low, top] = [Math.min(...heights) - 6, Math.max(...heights) + 6];
    const total = Math.max(places.length, track.segments ? 0 : walk.steps - 20);
    pen.beginPath();
    pen.moveTo(0, high);
    heights.forEach((height, index) => pen.lineTo(index / (total - 1) * wide, high - (height - low) / (top - low) * high * .9));
    pen.lineTo((heights.length - 1) / (total - 1) * wide, high);
    pen.closePath();
    pen.fillStyle = color("--accent");
    pen.globalAlpha = .75;
    pen.fill();
    pen.globalAlpha = 1;
  }

  async function diary() {
    const value = await get("/api/walks/diary", { language: state.language });
    newest = value.entries[0]?.id;
    lead.replaceChildren(...t("walksLead", "\u0000").split("\u0000").flatMap((part, index) => (index ? [h("span", { lang: "ko" }, value.pet), part] : [part])));
    totals.replaceChildren(...[[number(value.walks), "walkCount"], [meters(value.meters), "distance"], [`${number(value.climb ?? 0)} m`, "climb"]]
      .map(([text, key]) => h("div", {}, h("b", { class: "big" }, text), h("span", {}, t(key)))));
    streak.textContent = t("streak", value.streak, value.longestStreak);
    const days = new Map(value.days.map((day) => [day.day, day.meters]));
    const today = new Date(`${value.today}T00:00:00Z`);
    const most = Math.max(...days.values(), 1);
    const first = new Date(today);
    first.setUTCDate(first.getUTCDate() - 7 * 8 - ((today.getUTCDay() + 6) % 7));
    const cells = [];
    for (const day = first; day <= today; day.setUTCDate(day.getUTCDate() + 1)) {
      const length = days.get(day.toISOString().slice(0, 10));
      const cell = h("i", { title: day.toISOString().slice(0, 10) });
      if (length) cell.style.background = `color-mix(in srgb, var(--accent) ${Math.round(35 + 65 * Math.sqrt(length / most))}%, var(--card))`;
      cells.push(cell);
    }
    calendar.setAttribute("aria-label", `${t("calendar")}: ${value.walks} ${t("walkCount")}`);
    calendar.replaceChildren(...cells);
    badges.replaceChildren(...value.badges.map((badge) => h("span", { class: "tag good" }, badgeText(badge.name))));
    recent.replaceChildren(...value.entries.map((entry) => h("li", {},
      h("button", { type: "button", onclick: () => { track.refusals = []; rejections(); stored(entry.id); } }, entry.day), h("span", { class: "small" }, `${meters(entry.meters)} · ${clock(entry.seconds)} `, entry.hasReward ? h("span", { class: "tag good" }, t("reward")) : ""))));
  }

  view.append(
    h("div", { class: "head" }, h("h1", {}, t("walks")), lead),
    h("div", { class: "grid" },
      h("div", { class: "side" },
        h("section", { class: "card flush", "aria-label": t("walkMap") }, canvas, profile,
          h("div", { class: "replay" }, main, finish, restored)),
        h("section", { class: "card" }, stats),
        h("section", { class: "card" }, h("h2", {}, t("splits")), h("table", {},
          h("thead", {}, h("tr", {}, h("th", { scope: "col" }, t("split")), h("th", { class: "num", scope: "col" }, t("distance")), h("th", { class: "num", scope: "col" }, t("time")), h("th", { class: "num", scope: "col" }, t("climb")))), splits))),
      h("div", { class: "side" },
        h("section", { class: "card" }, h("h2", {}, t("refused")), refused),
        h("section", { class: "card" }, h("h2", {}, t("calendar")), calendar, streak),
        h("section", { class: "card" }, totals),
        h("section", { class: "card" }, h("h2", {}, t("badges")), badges),
        h("section", { class: "card" }, h("h2", {}, t("recent")), recent))));

  const all = await get("/api/walks/live");
  if (all.places.length >= track.places.length || all.state.phase === "saved") track.places = all.places;
  if (all.refusals.length >= track.refusals.length) track.refusals = all.refusals;
  if (all.state.phase !== "saved") track.segments = null;
  update(all.state);
  rejections();
  await diary();
  if (walk.phase === "idle" && newest) await stored(newest);
  let isFirst = true;
  on("walk", (value) => { if (!isFirst) news(value); isFirst = false; });
  isFirst = false;
  on("walks", () => diary());
  const watcher = new ResizeObserver(paint);
  watcher.observe(canvas);
  return () => watcher.disconnect();
}
