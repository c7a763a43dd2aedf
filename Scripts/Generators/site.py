#!/usr/bin/env python3
"""Makes one site of the pages that docc wrote.

Usage: site.py SITE ARCHIVES VERSION
Writes the landing page and the search index, and gives every page the header with the search. The sources
are in Docs/site. A landing page without its sample, or a module outside the three groups, is an error.
"""
import html
import json
import pathlib
import re
import shutil
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
SOURCES = ROOT / "Docs/site"
GROUPS = {
    "Five kits": ["FieldKit", "ZooKit", "MetroKit", "MeteorKit", "WalkKit", "WalkFirestore", "CivicKit"],
    "Your own data": ["FieldCore", "FieldPortals", "FieldXML", "FieldTransit", "FieldFirestore"],
    "Connecting and testing": ["FieldURLSession", "FieldFakes", "FirestoreFakes", "FieldTesting"],
}
# Pages that have another name now. Links to the old one still work.
MOVED = {"/documentation/fieldcore/building-a-kit-of-your-own": "your-own-data"}
KINDS = {
    "structure": "Structure", "class": "Class", "enumeration": "Enumeration", "protocol": "Protocol",
    "module": "Module", "article": "Article", "collectionGroup": "Article", "tutorial": "Tutorial",
    "tutorialArticle": "Tutorial", "technology": "Tutorial", "technologyOverview": "Tutorial",
    "initializer": "Initializer", "instanceMethod": "Method", "typeMethod": "Method",
    "instanceProperty": "Property", "typeProperty": "Property", "enumerationCase": "Case",
    "instanceSubscript": "Subscript", "typeSubscript": "Subscript", "operator": "Operator", "function": "Function",
    "globalVariable": "Variable", "typeAlias": "Type alias", "associatedType": "Associated type", "macro": "Macro",
    "extendedStructure": "Extension", "extendedProtocol": "Extension", "extendedClass": "Extension",
    "extendedEnumeration": "Extension", "unknownExtendedType": "Extension", "extendedModule": "Extension",
}
TOKENS = re.compile(
    r"(?P<c>//[^\n]*)|(?P<s>\"(?:[^\"\\]|\\.)*\")|(?P<n>\b\d[\d_.]*\b)"
    r"|(?P<k>\b(?:import|let|var|for|await|in|if|case|try|print|else|func|return|struct|static)\b)|(?P<t>\b[A-Z]\w*\b)")


def plain(inline):
    """The text of an abstract."""
    return "".join(part.get("text") or part.get("code") or plain(part.get("inlineContent", [])) for part in inline or [])


def swift(code):
    """Swift as HTML, with the parts of speech that a reader looks for."""
    out, end = [], 0
    for m in TOKENS.finditer(code):
        out += [html.escape(code[end:m.start()]), f'<span class="{m.lastgroup}">{html.escape(m[0])}</span>']
        end = m.end()
    return "".join(out) + html.escape(code[end:])


def entities(archives):
    """Every page of the archives: title, path, kind, parent, abstract; once each, in a stable order."""
    names = {name.lower(): name for group in GROUPS.values() for name in group}
    found = {}
    for file in sorted(archives.glob("*.doccarchive/linkable-entities.json")):
        if file.parent.stem not in names.values():
            sys.exit(f"site: put {file.parent.stem} into one of the GROUPS")
        for entity in json.loads(file.read_text()):
            path = entity["path"].rstrip("/")
            kind = entity["kind"].rsplit(".", 1)[-1]
            if path.endswith("-implementations") or kind == "landmark":
                continue
            if kind not in KINDS:
                sys.exit(f"site: {path} is of the unknown kind {entity['kind']}")
            spelled = entity["referenceURL"].split("://", 1)[1].split("#")[0].split("/")[2:]
            module = names.get(path.split("/")[2], path.split("/")[2])
            parent = ".".join([module, *spelled[1:-1]]) if KINDS[kind] not in ("Article", "Tutorial") else module
            parent = "FieldKit" if KINDS[kind] == "Tutorial" else parent
            parent = re.sub(r"-(?:swift\.\w+|\w{4,5})\b", "", parent)
            abstract = plain(entity.get("abstract"))
            found[path] = [entity["title"], path, KINDS[kind], "FieldKit" if KINDS[kind] == "Module" else parent, abstract]
    if missing := set(names) - {path.split("/")[2] for path in found}:
        sys.exit(f"site: no archive of {', '.join(sorted(missing))}")
    return [found[path] for path in sorted(found)]


def listed(rows, form="{link}"):
    return "<ul>" + "".join(f"<li>{form.format(link=f'<a href={chr(34)}{path}/{chr(34)}>{html.escape(title)}</a>', text=html.escape(text))}</li>"
                            for title, path, text in rows) + "</ul>"


def diagram(file):
    """A diagram in light and dark, with the text that it states for those who can't see it."""
    width, height, label = re.search(r'width="(\d+)" height="(\d+)".*?aria-label="([^"]*)"', file.read_text()).groups()
    return (f'<picture><source srcset="/site/{file.stem}~dark.svg" media="(prefers-color-scheme: dark)">'
            f'<img src="/site/{file.name}" width="{width}" height="{height}" alt="{label}" loading="lazy"></picture>')


def main():
    site, archives, version = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]), sys.argv[3]
    pages = entities(archives)
    by_path = {page[1]: page for page in pages}
    modules = {title: [(name, f"/documentation/{name.lower()}", by_path[f"/documentation/{name.lower()}"][4]) for name in group]
               for title, group in GROUPS.items()}

    folder = site / "site"
    folder.mkdir()
    for name in ["shell.css", "landing.css", "search.js"]:
        shutil.copy(SOURCES / name, folder)
    for picture in [*ROOT.glob("Docs/images/*.png"), *ROOT.glob("Sources/FieldKit/FieldKit.docc/Resources/*.svg")]:
        shutil.copy(picture, folder)
    kinds = sorted({page[2] for page in pages})
    index = {"kinds": kinds, "entries": [[*page[:2], kinds.index(page[2]), *page[3:]] for page in pages]}
    (folder / "search.json").write_text(json.dumps(index, ensure_ascii=False, separators=(",", ":")))
    # DocC's own quick navigation knows one module only, and the header's search replaces it.
    (site / "theme-settings.json").write_text('{"features": {"docs": {"quickNavigation": {"enable": false}}}}')

    menu = "".join(f"<div><p>{title}</p>{listed(rows)}</div>" for title, rows in modules.items())
    header = (SOURCES / "header.html").read_text().replace("{{menu}}", menu)
    form = "{link}<p>{text}</p>"
    groups = "".join(f"<div><h3>{title}</h3>{listed(rows, form)}</div>" for title, rows in modules.items())
    samples = dict(re.findall(r"^<!-- sample: (\w+) -->\n```swift\n(.*?)\n```$", (ROOT / "README.md").read_text(), re.M | re.S))
    # The articles and tutorials of FieldKit come in the order of its page, the others by module.
    order = re.findall(r"^- <doc:([\w-]+)>", (ROOT / "Sources/FieldKit/FieldKit.docc/FieldKit.md").read_text(), re.M)
    place = {name.lower(): number for number, name in enumerate(order)}
    titles = [page for page in pages if page[2] in ("Article", "Tutorial") and page[1] != "/tutorials/fieldkit-tutorials"]
    titles.sort(key=lambda page: (place.get(page[1].rsplit("/", 1)[-1], len(place)), page[3], page[0]))
    articles = {"Start here": [], "Tutorials": [], "Guides": []}
    for title, path, kind, module, _ in titles:
        part = "Tutorials" if kind == "Tutorial" else "Start here" if module == "FieldKit" else "Guides"
        articles[part].append((title, path, module))
    with_module = "{link} <small>{text}</small>"
    links = "".join(f"<div{' class=many' if title == 'Guides' else ''}><h3>{title}</h3>"
                    f"{listed(rows, with_module if title == 'Guides' else '{link}')}</div>" for title, rows in articles.items())
    landing = (SOURCES / "index.html").read_text()
    landing = re.sub(r"\{\{diagram: ([\w-]+)\}\}", lambda m: diagram(folder / f"{m[1]}.svg"), landing)
    landing = re.sub(r"\{\{sample: (\w+)\}\}", lambda m: swift(samples[m[1]]), landing)
    for name, text in [("header", header), ("modules", f'<div class="groups">{groups}</div>'),
                       ("articles", f'<div class="links">{links}</div>'), ("version", html.escape(version))]:
        landing = landing.replace("{{" + name + "}}", text)

    head = '<link rel="stylesheet" href="/site/shell.css"><script type="module" src="/site/search.js"></script></head>'
    count = 0
    for page in site.rglob("index.html"):
        text = page.read_text()
        text, bodies = re.subn(r"<body[^>]*>", lambda m: m[0] + header, text.replace("</head>", head, 1), count=1)
        if not bodies or head not in text:
            sys.exit(f"site: {page} has no head or no body")
        page.write_text(text)
        count += 1
    (site / "index.html").write_text(landing)
    for old, name in MOVED.items():
        if f"{old.rsplit('/', 1)[0]}/{name}" not in by_path:
            sys.exit(f"site: {old} has moved to {name}, which isn't there")
        page = site / old.strip("/") / "index.html"
        page.parent.mkdir(parents=True)
        page.write_text(f'<!doctype html><meta charset="utf-8"><meta http-equiv="refresh" content="0; url=../{name}/">'
                        f'<title>This page has moved</title><a href="../{name}/">This page has moved.</a>\n')
    print(f"site: {count} pages with the header; {len(pages)} entries in the search")


main()
