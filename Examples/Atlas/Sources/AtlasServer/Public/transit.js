import { h, get, post, erase, foreign, explained, later, quietly } from "./dom.js";
import { t, state, number, duration, age } from "./i18n.js";
import { chart, boxOf } from "./chart.js";

const palette = ["#c8332b", "#2464b4", "#2e8540", "#b07a00", "#7a4ba0", "#0e7c8b"];

/** A line's color, or one of our own if the feed has none or one that can't be seen. */
function ink(line, index = 0) {
  if (!/^[0-9A-F]{6}$/i.test(line.color ?? "") || /^(f[0-9a-f]){3}$/i.test(line.color)) return palette[index % palette.length];
  return `#${line.color}`;
}

/** Seconds since a moment of this page, added to the age that the server stated. */
function since(start) { return Math.round((Date.now() - start) / 1000); }

/** The panel of a city's timetable: its map, journeys, departures, and a train that can be delayed. */
export function timetable(dataset, facts, failures) {
  const path = `/api/own/${dataset.id}`, { language } = state;
  const ends = { from: null, to: null };
  let turn = "from", answer = null, journey = 0, askedAt = Date.now(), box = null;
  const map = chart(t("cityMap"), (place) => quietly(async () => {
    const [stop] = await get(`${path}/stops`, { language, latitude: place[1].toFixed(5), longitude: place[0].toFixed(5) });
    if (!stop) return;
    choose(turn, stop);
    turn = turn === "from" ? "to" : "from";
  }));
  const today = new Date().toISOString().slice(0, 10);
  const first = dataset.firstDay ?? today, last = dataset.lastDay ?? today;
  const day = h("input", { type: "date", "aria-label": t("dayOfTravel"), min: first, max: last, value: today < first ? first : today > last ? last : today, onchange: () => ask() });
  const time = h("input", { type: "time", "aria-label": t("departing"), value: "08:10", onchange: () => ask() });
  const results = h("div", { class: "journeys", role: "group", "aria-label": t("journeys") });
  const legs = h("div", { class: "legs" });
  const timing = h("p", { class: "small soft", role: "status" });
  const live = h("div", { class: "live small", role: "status" });
  const board = h("ul", { class: "list", tabindex: "0", "aria-label": t("departures") });
  const boardTitle = h("h2", {}, t("departures"));
  const boardTime = h("p", { class: "small soft" });
  const fields = { from: field("from"), to: field("to") };

  // MARK: Stops

  function field(name) {
    const hits = h("ul", { class: "hits", hidden: true });
    const find = later(80, async () => {
      const text = input.value.trim();
      if (!text) { hits.hidden = true; return; }
      const stops = await get(`${path}/stops`, { language, text });
      hits.replaceChildren(...stops.map((stop) => h("li", {}, h("button", { type: "button", onclick: () => choose(name, stop) }, foreign(stop.name), " ", h("span", { class: "small soft" }, foreign(stop.code ?? stop.id))))));
      if (!stops.length) hits.replaceChildren(h("li", { class: "small" }, t("nothing")));
      hits.hidden = false;
    });
    const input = h("input", { type: "search", class: "search", maxlength: 60, autocomplete: "off", "aria-label": t(name), placeholder: t("stopHint"), oninput: find });
    input.addEventListener("keydown", (event) => {
      if (event.key === "Escape") hits.hidden = true;
      if (event.key === "Enter") hits.querySelector("button")?.click();
    });
    const node = h("div", { class: "stopfield" }, h("label", { class: "field" }, t(name), input), hits);
    node.addEventListener("focusout", (event) => { if (!node.contains(event.relatedTarget)) setTimeout(() => { hits.hidden = true; }, 150); });
    return { node, input, hits };
  }

  function choose(name, stop) {
    ends[name] = stop;
    fields[name].input.value = stop.name;
    fields[name].hits.hidden = true;
    ask();
  }

  // MARK: Answers

  const ask = later(30, async () => {
    draw();
    if (ends.from) await departures();
    if (!ends.from || !ends.to) return;
    try {
      answer = await get(`${path}/journeys`, { language, from: ends.from.id, to: ends.to.id, day: day.value, time: time.value });
    } catch (error) {
      answer = null;
      results.replaceChildren(h("div", { class: "notice bad" }, explained(error)));
      legs.replaceChildren();
      return;
    }
    askedAt = Date.now();
    journey = Math.min(journey, Math.max(0, answer.journeys.length - 1));
    timing.textContent = t("journeysFound", number(answer.journeys.length), duration(answer.microseconds));
    list();
    draw();
  });

  function list() {
    results.replaceChildren(...answer.journeys.map((found, index) => h("button", { type: "button", class: "journey", "aria-pressed": String(index === journey), onclick: () => { journey = index; list(); draw(); } },
      h("b", {}, `${found.departure.text} → ${found.arrival.text}`), h("span", { class: "small" }, `${t("minutes", number(found.minutes))} · ${t("transfers", number(found.transfers))}`))));
    if (answer.absence) results.replaceChildren(h("p", { class: "notice warn" }, t(`absence-${answer.absence}`)));
    const found = answer.journeys[journey];
    legs.replaceChildren(...(found?.legs ?? []).map(leg));
    const ride = found?.legs.find((leg) => !leg.isWalk && !leg.isFrequency && leg.trip);
    tell(answer.live);
    late.hidden = !ride;
    late.onclick = () => quietly(async () => {
      late.disabled = true;
      try { await post(`${path}/delay`, { trip: ride.trip, stop: ride.from.id, day: ride.departure.day, minutes: 10 }); } catch (error) { live.replaceChildren(h("div", { class: "notice bad" }, explained(error))); }
      late.disabled = false;
      ask();
    });
    if (ride) late.textContent = t("delayTrain", ride.route ?? "");
    document.documentElement.dataset.journey = found ? `${found.arrival.text} ${found.legs.some((leg) => leg.predictionAge !== undefined) ? "live" : "scheduled"}` : answer.absence ?? "";
  }

  const late = h("button", { type: "button", hidden: true });

  function leg(part) {
    if (part.isWalk) return h("div", { class: "leg" }, h("i", {}), h("div", {}, h("b", {}, t("onFoot")), h("div", { class: "small soft" }, foreign(part.to?.name ?? ""))), h("span", { class: "small" }, `${part.departure.text}–${part.arrival.text}`));
    const bar = h("i", {});
    bar.style.background = ink(part);
    const times = (now, planned) => (planned && planned.text !== now.text ? [h("s", { class: "soft" }, planned.text), " ", h("b", { class: "hot" }, now.text)] : h("b", {}, now.text));
    return h("div", { class: "leg" }, bar,
      h("div", {}, h("b", {}, foreign(part.route ?? "")), " ", part.headsign ? [t("toward", ""), " ", foreign(part.headsign)] : null,
        h("div", { class: "small" }, foreign(part.from?.name ?? ""), " → ", foreign(part.to?.name ?? ""), " ", h("span", { class: "soft" }, t("stopsBetween", number(part.stops.length)))),
        part.predictionAge !== undefined ? h("span", { class: "tag good", "data-age": part.predictionAge }, t("liveAge", age(part.predictionAge))) : h("span", { class: "tag" }, t("byTimetable"))),
      h("span", { class: "small times" }, times(part.departure, part.scheduledDeparture), h("br"), times(part.arrival, part.scheduledArrival)));
  }

  /** Says how old the live data is, also while nobody asks. */
  function tell(value) {
    if (!value) { live.replaceChildren(); return; }
    const seconds = value.age + since(askedAt);
    const isFresh = value.isFresh && seconds <= 300;
    live.replaceChildren(h("div", { class: `notice ${isFresh ? "good" : "warn"}` },
      h("b", {}, t(isFresh ? "liveNotice" : "staleNotice", number(value.minutes), age(seconds))), " ",
      h("button", { type: "button", onclick: () => quietly(async () => { await erase(`${path}/delay`); ask(); }) }, t("onTime"))));
  }

  async function departures() {
    const value = await get(`${path}/departures`, { language, stop: ends.from.id, day: day.value, time: time.value });
    boardTitle.replaceChildren(t("departures"), ": ", foreign(ends.from.name));
    boardTime.textContent = t("query", duration(value.microseconds));
    board.replaceChildren(...value.departures.map((part) => {
      const mark = h("i", { class: "dot" });
      mark.style.background = ink(part);
      return h("li", {}, h("span", {}, mark, h("b", {}, foreign(part.route ?? "")), " ", foreign(part.headsign ?? part.to?.name ?? "")),
        h("span", { class: "small" }, part.scheduledDeparture && part.scheduledDeparture.text !== part.departure.text ? [h("s", { class: "soft" }, part.scheduledDeparture.text), " "] : null, h("b", { class: part.predictionAge !== undefined ? "hot" : "" }, part.departure.text)));
    }));
    if (!value.departures.length) board.replaceChildren(h("li", {}, t("nothing")));
  }

  // MARK: The map

  function draw() {
    const found = answer?.journeys[journey];
    map.layers.ways = (found?.legs ?? []).map((part, index) => ({ points: part.points, isWalk: part.isWalk, color: ink(part, index) }));
    const changes = (found?.legs ?? []).slice(1).map((part) => part.from).filter(Boolean);
    map.layers.marks = [...[ends.from, ends.to].filter((stop) => stop?.latitude !== undefined && stop).map((stop) => ({ ...stop, isEnd: true })), ...changes.filter((stop) => stop.latitude !== undefined)];
    map.paint();
  }

  const clock = setInterval(() => { if (answer?.live && live.firstChild) tell(answer.live); }, 5000);
  const node = h("div", { class: "grid transit" },
    h("div", { class: "side" },
      h("section", { class: "card flush", "aria-label": t("map") }, map.node, h("div", { class: "legend" }, t("mapHint"))),
      h("section", { class: "card board" }, boardTitle, boardTime, board)),
    h("div", { class: "side" },
      h("section", { class: "card plan" }, h("h2", {}, t("journey")), h("div", { class: "sliders" }, fields.from.node, fields.to.node,
        h("div", { class: "when" }, day, time)), timing, results, legs, live, h("div", { class: "toolbar tight" }, late)),
      facts(dataset), failures(dataset)));

  return {
    node,
    async load() {
      const city = await get(`${path}/map`);
      map.layers.lines = city.lines.map((line, index) => ({ ...line, color: ink(line, index) }));
      map.layers.stops = city.stops.flatMap((stop) => (stop.latitude === undefined ? [] : [stop.longitude, stop.latitude]));
      box = boxOf([...city.lines.flatMap((line) => line.points), ...map.layers.stops]) ?? city.box;
      map.fit(box);
      if (city.day) day.value = city.day;
      document.documentElement.dataset.city = `${city.lines.length} ${city.stops.length}`;
      if (ends.from || !city.stops.length) return;
      // Two places far apart, so that there is an answer at once.
      const closest = (longitude, latitude) => city.stops.filter((stop) => stop.latitude !== undefined)
        .reduce((best, stop) => (Math.hypot(stop.longitude - longitude, stop.latitude - latitude) < Math.hypot(best.longitude - longitude, best.latitude - latitude) ? stop : best));
      const [west, south, east, north] = box;
      for (const [name, stop] of [["from", closest(west + (east - west) * .1, north)], ["to", closest(east, south + (north - south) * .1)]]) {
        const [named] = await get(`${path}/stops`, { language, latitude: stop.latitude, longitude: stop.longitude });
        choose(name, named ?? stop);
      }
    },
    close() { clearInterval(clock); map.close(); },
  };
}
