import { h, s, get, post, explained, later } from "./dom.js";
import { t, state, number, duration } from "./i18n.js";

export async function show(view, on) {
  let text = "";
  const wall = h("div", { class: "wall" });
  const timing = h("div", { class: "small soft", role: "status" });
  const map = h("div", {});
  const search = h("input", { type: "search", class: "search", "aria-label": t("search"), placeholder: t("searchAnimals"), maxlength: 60, oninput: () => { text = search.value.trim(); load(); } });
  const images = new Map();

  const fetchWall = async () => {
    const answer = await get("/api/zoo/wall", { text, language: state.language });
    timing.textContent = t("found", number(answer.rows.length), duration(answer.microseconds));
    wall.replaceChildren(...answer.rows.map(card));
    if (!answer.rows.length) wall.replaceChildren(h("p", {}, t("nothing")));
    map.replaceChildren(zooMap(answer));
  };
  const load = later(80, () => fetchWall().catch((error) => timing.replaceChildren(...explained(error))));

  function card(row) {
    const key = `${row.sequence} ${row.name}`;
    let image = images.get(key);
    if (!image) {
      image = h("img", { src: `/api/zoo/picture/${row.sequence}?v=${encodeURIComponent(row.name)}`, alt: row.name, loading: "lazy", width: 400, height: 300 });
      images.set(key, image);
    }
    const english = row.english?.split(/或/)[0];
    return h("figure", { class: "animal" }, image, h("figcaption", {},
      h("b", { lang: "zh-Hant" }, row.name),
      english && h("span", { class: "small", lang: "en" }, english),
      row.latin && h("i", { class: "small soft", lang: "la" }, row.latin),
      row.isSighting ? h("span", { class: "tag good" }, `#${row.sequence} ${t("mine")}`)
        : row.status && h("span", { class: row.isThreatened ? "tag warn" : "tag", lang: row.statusName ? state.language : "en" }, row.statusName ?? row.status)));
  }

  // A sighting: the photo is made small here, and sent as bytes.
  const name = h("input", { type: "text", class: "search", maxlength: 40, "aria-label": t("name"), placeholder: t("name") });
  // The browser's own button would be in the browser's language.
  const file = h("span", {}, t("choosePhoto"));
  const photo = h("input", { type: "file", class: "hidden", accept: "image/*", onchange: () => { file.textContent = photo.files[0]?.name ?? t("choosePhoto"); } });
  const done = h("div", { class: "small", role: "status" });
  const save = h("button", { type: "button", class: "primary", onclick: async () => {
    save.disabled = true;
    try {
      const body = await jpeg(photo.files[0], name.value);
      const answer = await post("/api/zoo/sightings", { name: name.value }, body);
      done.textContent = t("saved", answer.number);
      name.value = "";
      photo.value = "";
      file.textContent = t("choosePhoto");
    } catch (error) { done.replaceChildren(...explained(error)); }
    save.disabled = false;
  } }, t("save"));
  const remove = h("button", { type: "button", onclick: async () => { await fetch("/api/zoo/sightings", { method: "DELETE", headers: { "X-Atlas": "1" } }); images.clear(); } }, t("removeMine"));

  view.append(
    h("div", { class: "head" }, h("h1", {}, t("zoo")), h("p", { class: "lead" }, t("zooLead"))),
    h("div", { class: "grid" },
      h("section", { "aria-label": t("zoo") }, h("div", { class: "toolbar" }, search, timing), wall),
      h("div", { class: "side" },
        h("section", { class: "card" }, h("h2", {}, t("addSighting")), h("div", { class: "sliders" }, name, h("label", { class: "file" }, file, photo), h("div", { class: "toolbar" }, save, remove), done)),
        h("section", { class: "card" }, h("h2", {}, t("map")), map))));
  on("zoo", () => load());
  await fetchWall();
}

/** A picture whose size is known, though it isn't decoded yet: a small file can take gigabytes to show. */
async function sized(file) {
  const picture = new Image();
  const address = URL.createObjectURL(file);
  try {
    await new Promise((resolve, reject) => {
      picture.onload = resolve;
      picture.onerror = () => reject(new Error(t("photoUnreadable")));
      picture.src = address;
    });
    if (picture.naturalWidth * picture.naturalHeight > 128e6) throw new Error(t("photoTooLarge"));
    return picture;
  } finally { setTimeout(() => URL.revokeObjectURL(address), 60_000); }
}

/** A JPEG of a photo, at most 800 pixels wide; without one, a card with the name. */
async function jpeg(file, name) {
  const canvas = h("canvas", { width: 400, height: 300 });
  const pen = canvas.getContext("2d");
  if (file) {
    const picture = await sized(file);
    const scale = Math.min(1, 800 / picture.naturalWidth);
    canvas.width = picture.naturalWidth * scale;
    canvas.height = picture.naturalHeight * scale;
    pen.drawImage(picture, 0, 0, canvas.width, canvas.height);
  } else {
    pen.fillStyle = "#14665a";
    pen.fillRect(0, 0, 400, 300);
    pen.fillStyle = "#fff";
    pen.font = "600 44px system-ui, sans-serif";
    pen.textAlign = "center";
    pen.fillText(name.slice(0, 14), 200, 165, 360);
  }
  return new Promise((resolve) => canvas.toBlob(resolve, "image/jpeg", .85));
}

function zooMap({ rows, areas }) {
  const places = [...areas, ...rows.filter((row) => row.latitude)];
  if (!places.length) return h("p", {}, t("nothing"));
  const [west, east] = [Math.min(...areas.map((a) => a.longitude)) - .001, Math.max(...areas.map((a) => a.longitude)) + .001];
  const [south, north] = [Math.min(...areas.map((a) => a.latitude)) - .0006, Math.max(...areas.map((a) => a.latitude)) + .0006];
  const x = (longitude) => (longitude - west) / (east - west) * 300;
  const y = (latitude) => (north - latitude) / (north - south) * 230;
  return s("svg", { class: "net zoo", viewBox: "0 0 300 240", role: "img", "aria-label": t("zooMap") },
    areas.map((area, index) => [
      s("circle", { cx: x(area.longitude), cy: y(area.latitude), r: 17, fill: "var(--tint)" }),
    ]),
    rows.filter((row) => row.latitude).map((row) => s("circle", { cx: x(row.longitude), cy: y(row.latitude), r: 4.5, fill: row.isSighting ? "var(--hot)" : "var(--accent)" }, s("title", {}, row.name))));
}
