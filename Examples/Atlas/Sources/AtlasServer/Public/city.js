import { h, get, post, explained, later } from "./dom.js";
import { t, state, number, duration, age } from "./i18n.js";

const kinds = { 1: "departments", 2: "services", 3: "facilities" };

export async function show(view, on) {
  let text = "", chosen = null, directory = null;
  const hits = h("ul", { class: "list", tabindex: "0", "aria-label": t("search") });
  const timing = h("p", { class: "small soft", role: "status" });
  const tiles = h("div", { class: "side" });
  const history = h("div", { class: "badges" });
  const news = h("div", { class: "news" });
  const feeds = h("ul", { class: "list", tabindex: "0", "aria-label": t("feeds") });
  const search = h("input", { type: "search", class: "search", "aria-label": t("search"), placeholder: t("searchCity"), maxlength: 60,
    oninput: () => { text = search.value.trim(); load(); }, onchange: async () => { if (text) { await post("/api/city/history", { text }); fetchDirectory(); } } });

  const marked = (parts) => parts.map((part) => (part.isMarked ? h("mark", {}, part.text) : part.text));

  function unit(unit) {
    return h("li", {}, h("span", { lang: "zh-Hant" }, h("b", {}, marked(unit.name)), unit.details.length ? h("span", { class: "small soft" }, " ", marked(unit.details)) : null),
      h("span", { class: "small" }, unit.dials.map((dial, index) => [h("a", { href: `tel:${dial}` }, unit.phones[index]), " "]), unit.floor ? h("span", { class: "tag" }, unit.floor) : null));
  }

  async function fetchDirectory() {
    directory = await get("/api/city/directory", { text });
    timing.textContent = text ? t("found", number(directory.units.length), duration(directory.microseconds)) : "";
    hits.replaceChildren(...directory.units.map(unit));
    if (text && !directory.units.length) hits.replaceChildren(h("li", {}, t("nothing")));
    history.replaceChildren(...directory.history.slice(0, 8).map((entry) => h("button", { type: "button", lang: "zh-Hant", onclick: () => { search.value = text = entry; fetchDirectory(); } }, entry)));
    draw();
  }
  const load = later(80, () => fetchDirectory().catch((error) => timing.replaceChildren(...explained(error))));

  function draw() {
    tiles.replaceChildren(...Object.entries(kinds).map(([kind, key]) => {
      const group = directory.tiles.filter((tile) => tile.kind === Number(kind));
      const open = group.find((tile) => tile.name === chosen);
      return h("section", {}, h("h2", {}, t(key)), h("div", { class: "tiles" }, group.map((tile) => h("button", {
        type: "button", class: "tile", "aria-pressed": String(tile.name === chosen), onclick: () => { chosen = chosen === tile.name ? null : tile.name; draw(); },
      }, h("b", { lang: "zh-Hant" }, tile.name), h("span", {}, number(tile.units.length))))),
      open ? h("ul", { class: "list card", tabindex: "0", "aria-label": open.name }, open.units.map(unit)) : null);
    }));
  }

  async function fetchNews() {
    const value = await get("/api/city/news");
    news.replaceChildren(...value.items.map((item) => h("article", {},
      h("b", { lang: "zh-Hant" }, item.title), item.text ? h("p", { class: "small soft", lang: "zh-Hant" }, item.text) : null,
      item.date !== undefined ? h("span", { class: "small soft" }, new Intl.DateTimeFormat(state.language, { dateStyle: "medium", timeZone: "Asia/Taipei" }).format(new Date((item.date + 978307200) * 1000))) : null)));
    feeds.replaceChildren(...value.feeds.map((feed) => h("li", {},
      h("span", {}, h("b", {}, t(feed.name)), h("span", { class: "small soft" }, ` ${t("items", feed.items)}`), feed.failure ? h("div", { class: "small soft" }, explained(feed.failure)) : null),
      h("span", { class: feed.isHealthy ? "tag good" : "tag bad" }, feed.isHealthy ? t("healthy") : t("failing", feed.failuresInARow)))));
  }

  view.append(
    h("div", { class: "head" }, h("h1", {}, t("city")), h("p", { class: "lead" }, t("cityLead"))),
    h("div", { class: "grid" },
      h("div", { class: "side" },
        h("section", { class: "card" }, search, timing, hits, history),
        tiles),
      h("div", { class: "side" },
        h("section", { class: "card" }, h("h2", {}, t("feeds")), feeds),
        h("section", { class: "card" }, h("h2", {}, t("news")), news))));
  on("city", () => fetchDirectory());
  on("refreshed", () => fetchNews());
  await Promise.all([fetchDirectory(), fetchNews()]);
}
