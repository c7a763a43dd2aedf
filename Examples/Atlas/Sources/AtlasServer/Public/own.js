import { h, get, post, erase, foreign, explained, later, quietly } from "./dom.js";
import { t, state, number, duration, age } from "./i18n.js";
import { chart, boxOf } from "./chart.js";
import { timetable } from "./transit.js";

const samples = [["cafes", "https://data.example/cafes.csv"], ["parks", "https://data.example/parks.geojson"], ["city", "https://transit.example/gtfs.zip"],
  ["ckan", "https://ckan.example/dataset/rows"], ["arcgis", "https://gis.example/rest/services/Trees/FeatureServer/0"],
  ["ods", "https://explore.example/explore/dataset/rows/"], ["soda", "https://soda.example/d/tree-2026"]];
const kits = ["metro", "meteorites", "zoo", "walks", "city"];
/** The moment of a date of the server, which counts from 2001. */
const moment = (value) => (value === undefined || value === null ? null : new Date((value + 978307200) * 1000));
let chosen = sessionStorage.getItem("own");

export async function show(view, on) {
  let datasets = [], panel = null, known = "";
  const status = h("div", { class: "small", role: "status" });
  const tabs = h("div", { class: "tabs", role: "group", "aria-label": t("yourDatasets") });
  const stage = h("div", { class: "dataset" });
  const file = h("input", { type: "file", class: "hidden", accept: ".csv,.tsv,.txt,.json,.geojson,.ndjson,.zip", onchange: () => { if (file.files[0]) bring(file.files[0]); } });
  const zone = h("label", { class: "drop" }, h("b", {}, t("dropHere")), h("span", { class: "small soft" }, t("dropKinds")), h("span", { class: "button" }, t("chooseFile")), file);
  const address = h("input", { type: "text", class: "search", inputmode: "url", spellcheck: "false", autocomplete: "off", maxlength: 2000, "aria-label": t("address"), placeholder: t("addressHint") });
  const read = h("button", { type: "submit", class: "primary" }, t("readAddress"));
  const form = h("form", { class: "toolbar", onsubmit: (event) => { event.preventDefault(); if (address.value.trim()) fetchAddress(address.value.trim()); } }, address, read);

  for (const name of ["dragenter", "dragover"]) view.addEventListener(name, (event) => { event.preventDefault(); zone.classList.add("over"); });
  view.addEventListener("dragleave", (event) => { if (!view.contains(event.relatedTarget)) zone.classList.remove("over"); });
  view.addEventListener("drop", (event) => {
    event.preventDefault();
    zone.classList.remove("over");
    if (event.dataTransfer.files[0]) { bring(event.dataTransfer.files[0]); return; }
    const text = event.dataTransfer.getData("text/uri-list") || event.dataTransfer.getData("text/plain");
    if (text) { address.value = text.split("\n")[0]; fetchAddress(address.value.trim()); }
  });

  const bring = (item) => add(item.name, () => post("/api/own/file", { name: item.name.slice(-200), changed: item.lastModified }, item));
  const fetchAddress = (text) => add(text, () => post("/api/own/address", {}, text));

  async function add(name, body) {
    document.documentElement.dataset.adding = "true";
    for (const node of view.querySelectorAll(".door button, .door input")) node.disabled = true;
    status.replaceChildren(h("progress", { "aria-label": t("reading") }), h("span", {}, t("readingName"), " ", foreign(name.slice(-60))));
    try {
      const dataset = await body();
      status.replaceChildren(h("span", { class: "tag good" }, t("stored2")));
      chosen = dataset.id;
      address.value = "";
      await list();
      stage.scrollIntoView({ block: "nearest" });
    } catch (error) {
      status.replaceChildren(h("div", { class: "notice bad" }, explained(error)));
    }
    file.value = "";
    for (const node of view.querySelectorAll(".door button, .door input")) node.disabled = false;
    document.documentElement.dataset.adding = "";
  }

  async function list() {
    datasets = await get("/api/own");
    known = datasets.map((dataset) => dataset.id).join();
    if (!datasets.some((dataset) => dataset.id === chosen)) chosen = datasets[0]?.id ?? null;
    tabs.replaceChildren(...datasets.map((dataset) => h("button", { type: "button", "aria-pressed": String(dataset.id === chosen), onclick: () => { chosen = dataset.id; list(); } }, foreign(dataset.title), " ", h("span", { class: "small" }, number(dataset.count)))));
    tabs.hidden = datasets.length < 2;
    if (chosen) { sessionStorage.setItem("own", chosen); document.documentElement.dataset.own = chosen; } else delete document.documentElement.dataset.own;
    panel?.close?.();
    const dataset = datasets.find((dataset) => dataset.id === chosen);
    panel = null;
    if (!dataset) { stage.replaceChildren(); return; }
    panel = dataset.isTimetable ? timetable(dataset, facts, failures) : table(dataset);
    stage.replaceChildren(panel.node);
    await panel.load();
  }

  async function remove(id) {
    await erase(`/api/own/${id}`);
    await list();
  }

  // MARK: What is known about a dataset

  function facts(dataset) {
    const validation = dataset.validation;
    const now = Date.now();
    const dated = (name, value) => [h("dt", {}, t(name)), h("dd", {}, value ? [new Intl.DateTimeFormat(state.language, { dateStyle: "medium", timeStyle: "short" }).format(value), " ", h("span", { class: "soft" }, Math.abs(now - value) < 1500 ? t("justNow") : value <= now ? t("ago", age((now - value) / 1000)) : t("in", age((value - now) / 1000)))] : "—")];
    const figure = (value, name, kind = "") => h("div", {}, h("b", { class: `big ${kind}` }, number(value)), h("span", {}, t(name)));
    return h("section", { class: "card" },
      h("h2", {}, foreign(dataset.title)),
      h("p", { class: "small soft origin" }, dataset.origin === "file" ? t("fromFile") : dataset.origin === "address" ? t("fromAddress") : h("span", { lang: "en" }, dataset.origin), " · ", foreign(dataset.address ?? "")),
      h("div", { class: "stats" },
        figure(validation?.rows ?? 0, dataset.isTimetable ? "trips" : "rowsRead"), figure(dataset.count, dataset.isTimetable ? "stops" : "records"),
        figure(validation?.failureCount ?? 0, "failedRows", validation?.failureCount ? "hot" : ""),
        dataset.isTimetable ? null : figure(dataset.placed, "onMap")),
      h("dl", { class: "ages" }, dated("dataDate", moment(dataset.dataDate)), dated("lastRefresh", moment(dataset.lastRefresh)),
        dataset.origin === "file" ? [h("dt", {}, t("nextRefresh")), h("dd", {}, t("dropAgain"))] : dated("nextRefresh", moment(dataset.nextRefresh)),
        dataset.firstDay ? [h("dt", {}, t("valid")), h("dd", {}, `${dataset.firstDay} – ${dataset.lastDay}`, " ", dataset.lastDay < new Date().toISOString().slice(0, 10) ? h("span", { class: "tag warn" }, t("ended")) : null), h("dt", {}, t("timeZone")), h("dd", { lang: "en" }, dataset.zone)] : null),
      dataset.credit ? h("p", { class: "small soft" }, foreign(dataset.credit.attribution), dataset.credit.license ? [" · ", foreign(dataset.credit.license)] : null) : null,
      h("div", { class: "toolbar tight" }, h("button", { type: "button", class: "danger", onclick: () => quietly(() => remove(dataset.id)) }, t("remove"))));
  }

  function failures(dataset) {
    const validation = dataset.validation;
    if (!validation) return null;
    const notes = [];
    if (validation.repeatedCount) notes.push(h("p", { class: "small" }, h("span", { class: "tag warn" }, t("repeatedIDs", number(validation.repeatedCount))), " ", foreign(validation.repeatedIDs.join(", "))));
    if (validation.unreadablePlaces) notes.push(h("p", { class: "small" }, h("span", { class: "tag warn" }, t("badPlaces", number(validation.unreadablePlaces)))));
    if (!validation.failures.length && !notes.length) notes.push(h("p", {}, h("span", { class: "tag good" }, t("allGood"))));
    return h("section", { class: "card problems" }, h("h2", {}, t("problems")), notes,
      validation.failures.length ? h("ul", { class: "list faults", tabindex: "0", "aria-label": t("failedRows") }, validation.failures.map((failure) => h("li", {},
        h("span", {}, h("b", {}, failure.file ? [h("span", { lang: "en" }, failure.file), " "] : null, failure.line ? t("line", number(failure.line)) : t("row", number(failure.row))), " ", foreign(failure.reason),
          failure.excerpt ? h("code", { class: "excerpt" }, foreign(failure.excerpt)) : null), h("span", {})))) : null,
      validation.failureCount > validation.failures.length ? h("p", { class: "small soft" }, t("more", number(validation.failureCount - validation.failures.length))) : null);
  }

  // MARK: A table

  function table(dataset) {
    let text = "", order = "", isDescending = false, near = null;
    const plan = dataset.plan;
    const map = dataset.placed ? chart(t("dataMap"), (place) => { near = place; text = search.value = ""; ask(); }) : null;
    const timing = h("p", { class: "small soft", role: "status" });
    const body = h("div", { class: "scroll", tabindex: "0", role: "group", "aria-label": t("rows") });
    const search = h("input", { type: "search", class: "search", maxlength: 60, "aria-label": t("search"), placeholder: t("searchOwn"), oninput: () => { text = search.value.trim(); near = null; ask(); } });
    const columns = plan.columns;
    const choices = [["", t("asGiven")], ["name", columns[plan.name]?.name ?? t("name")], ...plan.numbers.map((place, index) => [["first", "second", "third"][index], columns[place].name])];
    const sorter = h("select", { "aria-label": t("orderBy"), onchange: () => { order = sorter.value; near = null; ask(); } }, choices.map(([value, name]) => h("option", { value }, name)));
    const turn = h("button", { type: "button", class: "icon", "aria-label": t("descending"), "aria-pressed": "false", onclick: () => { isDescending = !isDescending; turn.setAttribute("aria-pressed", String(isDescending)); ask(); } }, "↓");
    // The name first, then as many columns as there is room for; the ID last if it says nothing.
    const shown = [plan.name, ...columns.keys()].filter((place, index, all) => place !== undefined && place !== null && all.indexOf(place) === index && !(columns[place].kind === "place")).slice(0, 7);

    const ask = later(80, async () => {
      const path = `/api/own/${dataset.id}`;
      const answer = near ? await get(`${path}/near`, { latitude: Math.max(-90, Math.min(90, near[1])).toFixed(5), longitude: (((near[0] + 540) % 360) - 180).toFixed(5) })
        : await get(`${path}/rows`, { text, order, descending: isDescending ? 1 : "" });
      timing.textContent = near ? t("nearestIn", duration(answer.microseconds)) : t("found", number(answer.count), duration(answer.microseconds));
      draw(answer.rows);
      if (!map) return;
      map.layers.marks = near || text ? answer.rows.filter((row) => row.latitude !== undefined).slice(0, near ? 10 : 60).map((row) => ({ ...row, isEnd: true, name: near || answer.rows.length < 12 ? row.name.slice(0, 32) : "" })) : [];
      map.paint();
    });

    function draw(rows) {
      const head = near ? [h("th", { scope: "col" }, t("distance"))] : [];
      body.replaceChildren(h("table", {}, h("thead", {}, h("tr", {}, head, shown.map((place) => h("th", { scope: "col", class: columns[place].kind === "number" ? "num" : "" }, foreign(columns[place].name))))),
        h("tbody", {}, rows.map((row) => h("tr", {}, near ? h("td", { class: "num" }, row.kilometers < 1 ? `${number(row.kilometers * 1000)} m` : `${number(row.kilometers, 1)} km`) : null,
          shown.map((place) => h("td", { class: columns[place].kind === "number" ? "num" : "" }, foreign(row.cells[place].slice(0, 80)))))))));
      if (!rows.length) body.replaceChildren(h("p", {}, t("nothing")));
      document.documentElement.dataset.ownRows = `${rows.length} ${text}`;
    }

    const roles = (place) => [place === plan.id ? h("span", { class: "tag good" }, t("roleID")) : null, place === plan.name ? h("span", { class: "tag" }, t("roleName")) : null, plan.place.includes(place) ? h("span", { class: "tag warn" }, t("rolePlace")) : null, plan.numbers.includes(place) ? h("span", { class: "tag" }, t("roleIndex")) : null];
    const node = h("div", { class: "grid" },
      h("div", { class: "side" },
        map ? h("section", { class: "card flush", "aria-label": t("map") }, map.node) : null,
        h("section", { class: "card" }, h("h2", {}, t("rows")), h("div", { class: "toolbar tight" }, search, sorter, turn), timing, body)),
      h("div", { class: "side" }, facts(dataset), failures(dataset),
        h("section", { class: "card" }, h("h2", {}, t("columnsFound", number(columns.length))),
          plan.id === undefined ? h("p", { class: "small soft" }, t("noID")) : null,
          h("ul", { class: "list", tabindex: "0", "aria-label": t("columnsFound", columns.length) }, columns.map((column, place) => h("li", {},
            h("span", {}, h("b", {}, foreign(column.name)), " ", roles(place).filter(Boolean).flatMap((tag) => [tag, " "]), h("span", { class: "small soft example" }, foreign(column.example))),
            h("span", { class: "small soft" }, t(`kind-${column.kind}`))))))));
    return {
      node,
      async load() {
        ask();
        if (!map) return;
        const places = await get(`/api/own/${dataset.id}/places`);
        map.layers.points = places.points;
        map.layers.outlines = places.outlines;
        const box = boxOf([...places.points, ...places.outlines.flat()]);
        if (box) map.fit(box);
      },
      close: () => map?.close(),
    };
  }

  view.append(
    h("div", { class: "head" }, h("h1", {}, t("own")), h("p", { class: "lead" }, t("ownLead"))),
    h("section", { class: "card door", "aria-label": t("addData") },
      zone, h("div", { class: "ways" }, form,
        h("p", { class: "small soft" }, t("tryThese")),
        h("div", { class: "badges" }, samples.map(([name, url]) => h("button", { type: "button", class: "chip", "data-sample": name, onclick: () => { address.value = url; fetchAddress(url); } }, t(`sample-${name}`)))), status)),
    tabs, stage,
    h("section", { class: "gallery", "aria-label": t("gallery") }, h("h2", {}, t("gallery")), h("p", { class: "small soft" }, t("galleryLead")),
      h("div", { class: "tiles" }, kits.map((kit) => h("a", { class: "tile", href: `#${kit}` }, h("b", {}, t(kit)), h("span", {}, t(`gallery-${kit}`)))))));
  on("own", (value) => { if (value.map(([id]) => id).join() !== known && !document.documentElement.dataset.adding) return list(); });
  on("refreshed", async (value) => {
    if (value.kit !== "own" || !chosen) return;
    const fresh = await get(`/api/own/${chosen}`);
    const place = datasets.findIndex((dataset) => dataset.id === chosen);
    if (place >= 0) { datasets[place] = fresh; stage.querySelector(".ages")?.closest("section").replaceWith(facts(fresh)); }
  });
  await list();
  return () => panel?.close?.();
}
