#!/usr/bin/env python3
"""Fails when public prose contains a phrase that reads as translated, or British spelling.

Usage: words.py [PATH...]
Reads all pages, articles, and tutorials, and the site; the doc comments of public and package declarations in Sources/,
and all comments of Snippets/, Examples/, and Adapters/; the literals of these that contain a space, such as messages
and help; and the names of tests. With paths, it reads only the files below them. Code voice, code blocks, and data
(raw literals) are ignored.
"""
import pathlib
import re
import sys

# A phrase and its replacement. A space matches any white space, so phrases may span lines.
PHRASES = r"""
exchanges? → request
(lost|late|stale|last|empty) answers? → response
(server|service|portal|host|endpoint|source|fake)s? answer(s|ed)? → respond, accept
(nobody|no one) gets → is discarded
figures → statistics, numbers
texts for people → localized strings
rivals? → baseline
(unless told otherwise|as by default) → Defaults to …
(left|leaves?|leaving) aside → ignored, skipped
one's own → your own, custom
as elsewhere → name the place
(that|which) (is|are) none → isn't one
ask(s|ed|ing)? nobody → sends no request
tells (how|whether|what|when|which|why|that) → indicates, reports
(is|are|was|were) told → is reported, is notified
(is|are|was|were|be|has|have) gone → is deleted, no longer exists
go(es)? on → continue, resume
anew → again
at the most → at most
(who is cancelled|whoever|who (asks|takes|adds|finds|wants)) → name the actor
(behaviour|colour)(s|ed)? → behavior, color
(cancel|label|model|travel|total)l(ed|ing) → one l: canceled, labeled
(catalogue|licence|grey|whilst|programme)s? → American spelling
((kilo|centi|milli)?metre|centre|neighbour|favour|honour)(s|ed|ing)? → American spelling
(recogn|normal|serial|synchron|organ|optim|summar|local|initial)is(e|es|ed|ing|ation|er|ers) → -ize
///\sMakes (?-i:an?) → Creates
(///\s|: )(?-i:What|Whom?) (?-i:\w+) → name the thing
///\s(?-i:Whether) → A Boolean value that indicates whether …
///\s(?-i:True|False|Nil|None)\. → say what that means
""".strip().splitlines()
SPACE = r"(?:\s|///)+"


def pattern(phrase):
    return re.compile(f"(?<!\\w)(?:{phrase.replace(' ', SPACE)})(?!\\w)", re.IGNORECASE)


def comments(lines, swift_sources):
    """The comments of Swift lines, or only the doc comments of public and package declarations."""
    marker = r"\s*(///.*)" if swift_sources else r"(?:.*\s)?(//[/!]?\s(?!snippet\.).*)"
    counts, kept = not swift_sources, []
    for line in reversed(lines):
        comment = re.match(marker, line)
        kept.append(comment[1] if comment and counts else "")
        if swift_sources and not comment and not re.match(r"\s*@\S+$", line):
            counts = bool(re.match(r"\s*(@\S+ )*(public|package|case)\b", line))
    return kept[::-1]


def literals(text, opening=""):
    """The literals with a space that follow an opening, on the lines where they are."""
    hole = r"\\\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)|\\."  # an interpolation or an escape
    text = re.sub(r'(?m)(^|\s)//[/!]?(?:[ \t].*)?$|(?s:#("""|").*?\2#)', lambda m: "\n" * m[0].count("\n"), text)
    kept = [""] * (text.count("\n") + 1)
    for m in re.finditer(rf'(?s){opening}("""|"|`)((?:{hole}|(?!\1).)*?)\1', text):
        words = re.sub(hole, lambda m: "\n" if m[0] == "\\\n" else "x", m[2], flags=re.DOTALL)
        if " " not in words.strip() or m[1] == '"' and "\n" in words:
            continue
        for number, line in enumerate(words.split("\n"), text.count("\n", 0, m.start(2))):
            kept[number] += line
        kept[number] += "\0"  # ends a phrase
    return kept


def prose(path, text):
    """The text with everything but prose left out, line for line."""
    if path.suffix in (".swift", ".js", ".mjs"):
        is_test = "Tests" in path.parts
        names = literals(text, r"@(?:Test|Suite)\(\s*" if is_test else "")
        words = [""] * len(names) if is_test else comments(text.split("\n"), path.parts[0] == "Sources")
        text = "\n".join(f"{comment}\0{name}" if name else comment for comment, name in zip(words, names))
    if path.suffix == ".html":
        text = re.sub(r"(?s)<(style|script)\b.*?</\1>|</?[a-z][^>]*>|<!--", lambda m: "\n" * m[0].count("\n"), text)
    code = r"```.*?```|``?[^`]+``?|\]\([^)]*\)|<[^>\n]*>|https?://\S+"
    return re.sub(code, lambda m: "x" + "\n" * m[0].count("\n"), text, flags=re.DOTALL)


root = pathlib.Path(__file__).resolve().parents[2]
globs = """
*.md Docs/**/*.md Docs/site/*.html Docs/site/*.js Sources/**/*.docc/**/*.md Sources/**/*.tutorial Sources/**/*.swift
Snippets/**/*.swift Tests/**/*.swift Examples/**/*.swift Examples/**/*.md Examples/**/*.js Examples/**/*.html
Adapters/**/*.swift Adapters/**/*.md
"""
rows, found = [(pattern(phrase), better) for phrase, better in (row.split(" → ") for row in PHRASES)], 0
for path in sorted({file.relative_to(root) for glob in globs.split() for file in root.glob(glob)}):
    if ".build" in path.parts or sys.argv[1:] and not any(path.is_relative_to(p) for p in sys.argv[1:]):
        continue
    text = prose(path, (root / path).read_text())
    for phrase, better in rows:
        for m in phrase.finditer(text):
            found += 1
            print(f"{path}:{text.count(chr(10), 0, m.start()) + 1}: {' '.join(m[0].split())} → {better}")
sys.exit(f"words: {found} phrases to replace" if found else 0)
