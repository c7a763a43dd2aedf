#!/usr/bin/env python3
"""Moves a built site below a path, such as that of a project on GitHub Pages: rebase-site.py SITE /FieldKit

Only links in the HTML name the root of the server; scripts and styles find their neighbors by themselves.
"""
import pathlib
import re
import sys

site, base = pathlib.Path(sys.argv[1]), "/" + sys.argv[2].strip("/")
count = 0
for page in site.rglob("*.html"):
    text = page.read_text()
    if re.search(rf'<a class="fk-brand" href="(?!/")', text):
        sys.exit(f"rebase-site: {page} isn't at the root of its server any more")
    page.write_text(re.sub(r'((?:href|src|srcset)="|baseUrl = ")/(?!/)', rf"\g<1>{base}/", text))
    count += 1
print(f"rebase-site: {count} pages below {base}/")
