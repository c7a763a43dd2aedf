#!/usr/bin/env python3
"""Refuses names of tests that are parts of sentences, and compares Docs/old-apps.md with the tests that refer to it.

Runners print a test's name without its suite, so the name alone is a sentence that says what holds, and begins with
its subject: not with `of` or `keeps`, nor with a code such as `Z3:`. A code stands in a comment above its test
instead: `// Z3 of Docs/old-apps.md`. That page lists the suites of each code; `--write` corrects its last column.
"""
import collections
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGE = ROOT / "Docs/old-apps.md"
FRAGMENT = set("""
of from with without in at to and or by for on into through under after before during between as that which whose
if while is isn't are aren't was wasn't were weren't has hasn't have haven't does doesn't do don't can can't may never
stays begins keeps reports finds returns sends reads accepts rejects refuses shows throws survives decodes contains
continues loses fails hides gives removes lets distinguishes takes knows stores makes asks omits exists restores
ignores creates receives satisfies
""".split())
NAME = re.compile(r'@Test\(\s*"((?:[^"\\\n]|\\.)*)"|\bfunc\s+`([^`\n]*)`')
ID = r"(?:[A-Z]+\d+|\d+(?:\.\d+)?(?:-\d+)?)"
IDS = rf"(?:rows? )?{ID}(?:(?:, | and ){ID})*"
COMMENT = re.compile(rf"^( *)// ({IDS}) of Docs/old-apps\.md$", re.M)
SUITE = re.compile(r"^( *)(?:@?\w+(?:\([^)]*\))?\s+)*?(?:struct|class|actor|enum|extension)\s+([\w.]+)", re.M)
bad = 0


def complain(text):
    global bad
    bad += 1
    print(f"test-names: {text}")


def ids(text):
    kind = "row " if text.startswith("row") else ""
    return [kind + each for each in re.findall(ID, text)]


suites = collections.defaultdict(list)
files = sorted(path for top in ("Tests", "Examples", "Adapters") for path in (ROOT / top).rglob("*.swift")
               if ".build" not in path.parts)
for path in files:
    text, place = path.read_text(), path.relative_to(ROOT)
    for match in NAME.finditer(text):
        name = match[1] or match[2] or ""
        line = text.count("\n", 0, match.start()) + 1
        if re.match(rf"{IDS}: ", name):
            complain(f"{place}:{line}: a code belongs in a comment: {name}")
        elif name.split(" ")[0].rstrip(",") in FRAGMENT:
            complain(f"{place}:{line}: a name begins with the subject of its sentence: {name}")
    for match in COMMENT.finditer(text):
        if re.match(r"\s*(?:///.*\s*)*@Suite", text[match.end():]):
            type_ = SUITE.search(text, match.end())
        else:  # the last suite that is less indented than the comment
            types = [each for each in SUITE.finditer(text, 0, match.start())
                     if len(each[1]) < len(match[1]) and each[2].endswith("Tests")]
            type_ = types[-1] if types else None
        for each in ids(match[2]):
            name = type_[2].split(".")[-1] if type_ else path.stem
            if name not in suites[each]:
                suites[each].append(name)

lines, known = PAGE.read_text().split("\n"), set()
for number, line in enumerate(lines):
    cells = line.split(" | ")
    if len(cells) < 3 or not re.match(rf"\| (?:row )?{ID}(?:, {ID})*$", cells[0]):
        continue
    rows = ids(cells[0][2:])
    known.update(rows)
    there = [each for row in rows for each in suites.get(row, [])]
    for row in rows:
        if row not in suites:
            complain(f"no test refers to {row} of Docs/old-apps.md")
    if set(there) != set(re.findall(r"`([^`]*)`", cells[-1])):
        there = ", ".join(f"`{each}`" for each in dict.fromkeys(there))
        if "--write" in sys.argv:
            lines[number] = " | ".join(cells[:-1] + [there + " |"])
        else:
            complain(f"{cells[0][2:]} of Docs/old-apps.md is tested in {there or 'no suite'}")
for each in sorted(set(suites) - known):
    complain(f"{each}, which {suites[each][0]} refers to, isn't in Docs/old-apps.md")
if "--write" in sys.argv:
    PAGE.write_text("\n".join(lines))
sys.exit(1 if bad else 0)
