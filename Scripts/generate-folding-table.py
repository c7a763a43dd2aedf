#!/usr/bin/env python3
"""Writes Sources/FieldCore/Text/FoldingTable+Data.swift from Python's unicodedata.

    Scripts/generate-folding-table.py            writes the file
    Scripts/generate-folding-table.py --check    exit code 1 when the file would change

The rules are those of the doc comment of TextFolding; what is decided by hand stands below as lists.
The output depends on the Unicode version of the interpreter, which is written into the file.
"""
import pathlib
import re
import sys
import unicodedata

TARGET = pathlib.Path(__file__).resolve().parent.parent / (
    "Sources/FieldCore/Text/FoldingTable+Data.swift")
LIMIT = 0x30000  # nothing folds above, but tags and variation selectors, which the code drops

# Marks that only colour a letter, and what cannot be seen: dropped. Vowel signs of Indic scripts
# are marks too, and are letters to their readers: kept.
REMOVED = [
    (0x00AD, 0x00AD), (0x0300, 0x036F), (0x0483, 0x0489),
    (0x0591, 0x05BD), (0x05BF, 0x05BF), (0x05C1, 0x05C2), (0x05C4, 0x05C5), (0x05C7, 0x05C7),
    (0x0610, 0x061A), (0x061C, 0x061C), (0x0640, 0x0640), (0x064B, 0x065F), (0x0670, 0x0670),
    (0x06D6, 0x06DC), (0x06DF, 0x06E4), (0x06E7, 0x06E8), (0x06EA, 0x06ED),
    (0x115F, 0x1160), (0x180B, 0x180F), (0x1AB0, 0x1ACE), (0x1DC0, 0x1DFF),
    (0x200B, 0x200F), (0x202A, 0x202E), (0x2060, 0x206F), (0x20D0, 0x20F0), (0x2DE0, 0x2DFF),
    (0x302A, 0x302F), (0x3164, 0x3164), (0xA66F, 0xA672), (0xA674, 0xA67D), (0xA69E, 0xA69F),
    (0xFE00, 0xFE0F), (0xFE20, 0xFE2F), (0xFEFF, 0xFEFF), (0xFFA0, 0xFFA0),
]

# Blank, and the controls, so that a folded text has no byte below 0x20.
BLANK = [
    (0x0000, 0x0020), (0x007F, 0x00A0), (0x1680, 0x1680), (0x2000, 0x200A), (0x2028, 0x2029),
    (0x202F, 0x202F), (0x205F, 0x205F), (0x3000, 0x3000),
]

# Letters that Unicode does not decompose, in small; the capitals follow by case folding.
LETTERS = {
    "æ": "ae", "œ": "oe", "ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "ı": "i", "ħ": "h",
    "ŧ": "t", "ŋ": "n", "ƀ": "b", "ɓ": "b", "ȼ": "c", "ƈ": "c", "ɖ": "d", "ɗ": "d", "ɇ": "e",
    "ƒ": "f", "ǥ": "g", "ɠ": "g", "ɨ": "i", "ɉ": "j", "ȷ": "j", "ƙ": "k", "ƚ": "l", "ɫ": "l",
    "ɲ": "n", "ƞ": "n", "ɵ": "o", "ƥ": "p", "ɍ": "r", "ɽ": "r", "ȿ": "s", "ʂ": "s", "ƭ": "t",
    "ʈ": "t", "ⱦ": "t", "ʉ": "u", "ʋ": "v", "ⱳ": "w", "ɏ": "y", "ƴ": "y", "ƶ": "z", "ȥ": "z",
    "ⱥ": "a", "ꞓ": "c", "ꞑ": "n", "ꞡ": "g", "ꞣ": "k", "ꞥ": "n", "ꞧ": "r", "ꞩ": "s", "ⱡ": "l",
    "ⱪ": "k", "ⱨ": "h", "ⱬ": "z",
}

PUNCTUATION = {
    "'": "`´ʹʻʼʽʾʿˈ‘’‚‛′᾽᾿῾",
    '"': "“”„‟″«»〝〞",
    "-": "‐‑‒–—―⁃−﹘",
    "·": "‧•∙⋅・",  # the dot between parts of a name: five signs for one
    "/": "⁄∕",
    "~": "〜∼",
    "...": "⋯",
}

# Forms of one character that Taiwanese, Hong Kong and Japanese texts mix. The form of Taiwan's
# standard is the target, but for 台, which is what people type. Not simplified Chinese.
HAN = {
    "台": "臺", "裡": "裏", "峰": "峯", "群": "羣", "床": "牀", "衛": "衞", "麵": "麪麫", "雞": "鷄",
    "啟": "啓", "線": "綫", "污": "汙", "周": "週", "貓": "猫", "豬": "猪", "闊": "濶", "鉤": "鈎",
    "腳": "脚", "卻": "却", "館": "舘", "強": "强", "教": "敎", "青": "靑", "清": "淸", "戶": "户戸",
    "內": "内", "說": "説", "為": "爲", "真": "眞", "鎮": "鎭", "溫": "温", "冊": "册", "銳": "鋭",
    "稅": "税", "悅": "悦", "閱": "閲", "脫": "脱", "錄": "録", "綠": "緑", "產": "産", "臥": "卧",
    "研": "硏", "步": "歩", "每": "毎", "查": "査", "別": "别", "沒": "没", "呂": "吕", "宮": "宫",
    "黃": "黄", "兌": "兑", "虛": "虚", "彥": "彦", "既": "旣", "即": "卽", "鄉": "鄕", "郎": "郞",
    "吳": "呉", "恆": "恒", "鱷": "鰐",
}


def expand(ranges):
    return {scalar for first, last in ranges for scalar in range(first, last + 1)}


REMOVED_SET, BLANK_SET = expand(REMOVED), expand(BLANK)
SPECIAL = dict(LETTERS)
for table in (PUNCTUATION, HAN):
    for goal, sources in table.items():
        for source in sources:
            assert source not in SPECIAL and len(source) == 1, source
            SPECIAL[source] = goal

# Kana with a voicing mark and Hangul syllables are letters of their own: composed, not stripped.
COMPOSES = re.compile("[\u3041-\u30FF][\u3099\u309A]|[\u1100-\u1112][\u1161-\u1175][\u11A8-\u11C2]?")
JOINS = re.compile("[\u3099\u309A\u1161-\u1175\u11A8-\u11C2]")


def compose(text):
    return COMPOSES.sub(lambda found: unicodedata.normalize("NFC", found[0]), text)


def is_whole(scalar):
    """Letters that NFKD would take apart, and a reader would not."""
    if 0xAC00 <= scalar <= 0xD7A3 or 0x3131 <= scalar <= 0x318E:
        return True
    plain = unicodedata.normalize("NFKD", chr(scalar))
    return 0x3041 <= scalar <= 0x30FF and len(plain) == 2 and plain[1] in "\u3099\u309A"


def is_lone_accent(char):
    """An accent that stands alone, which NFKD makes a blank with a mark."""
    plain = unicodedata.normalize("NFKD", char)
    return len(plain) > 1 and plain[0] == " " and all(unicodedata.combining(c) for c in plain[1:])


def fold(text):
    result = ""
    for char in text:
        scalar = ord(char)
        if scalar in REMOVED_SET:
            continue
        if scalar in BLANK_SET:
            result += " "
        elif char in SPECIAL:
            result += fold(SPECIAL[char])
        elif 0xFF9E <= scalar <= 0xFF9F:
            result += chr(scalar - 0xFF9E + 0x3099)
        elif 0xFFA1 <= scalar <= 0xFFDC:  # half-width jamo: their full-width forms, one step
            plain = unicodedata.decomposition(char).split()
            result += chr(int(plain[1], 16)) if plain else char
        elif is_whole(scalar):
            result += char
        elif is_lone_accent(char):
            # Kept, but for the accents that its canonical form has on top of it.
            plain = unicodedata.normalize("NFD", char)
            result += fold(plain) if plain != char else char
        else:
            plain = compose(unicodedata.normalize("NFKD", char))
            small = char.casefold()
            result += fold(plain) if plain != char else fold(small) if small != char else char
    return result


def entries():
    for scalar in range(LIMIT):
        if 0xD800 <= scalar <= 0xDFFF:
            continue
        goal = fold(chr(scalar))
        assert fold(goal) == goal, hex(scalar)
        if goal != chr(scalar) and scalar not in (0xFF9E, 0xFF9F):
            # What joins the letter before it is the work of the code, not of the table.
            assert not JOINS.match(goal), hex(scalar)
            yield scalar, tuple(ord(c) for c in goal)


def runs(all_entries):
    """Entries as runs: one goal for a whole range, a goal that grows with the source, or a list."""
    left, word, following = dict(all_entries), "", -1
    while left:
        first = next(iter(left))
        goal = left[first]
        best = ([first], "")
        for step, grows in ((1, False), (1, True), (2, True)):
            if grows and len(goal) != 1:
                continue
            run, scalar = [first], first + step
            while left.get(scalar) == ((goal[0] + scalar - first,) if grows else goal):
                run.append(scalar)
                scalar += step
            if len(run) > len(best[0]):
                best = (run, {(1, False): "-", (1, True): "+", (2, True): "*"}[step, grows])
        run, sign = best
        for scalar in run:
            del left[scalar]
        text = ".".join(f"{scalar:X}" for scalar in goal)
        if not sign and first == following and len(word) + len(text) < 95:
            word += "," + text
        else:
            if word:
                yield word
            word = f"{first:X}" + (f"{sign}{run[-1]:X}" if sign else "") + "=" + text
        following = -1 if sign else first + 1
    yield word


def render():
    words, lines = list(runs(entries())), [""]
    for word in words:
        if len(lines[-1]) + 1 + len(word) > 96:
            lines.append("")
        lines[-1] += (" " if lines[-1] else "") + word
    body = "\n".join("    " + line for line in lines)
    return f'''// Written by Scripts/generate-folding-table.py from Unicode {unicodedata.unidata_version}; not to be edited by hand.

extension FoldingTable {{
  /// What each scalar folds to, in {len(words):,} runs of hexadecimal numbers.
  ///
  /// `C0-C5=61`: each of the range becomes U+0061. `41+5A=61`: the goal grows with the source.
  /// `460*480=461`: so too, every second scalar. `DE=74.68,73.73`: this one and the next,
  /// two scalars each. `AD=`: dropped. U+0020 as goal is a blank.
  static let runs = """
{body}
    """
}}
'''


if __name__ == "__main__":
    text = render()
    if "--check" in sys.argv:
        sys.exit(TARGET.read_text() != text)
    TARGET.write_text(text)
    print(f"{TARGET.name}: {len(text):,} characters, {text.count(chr(10)):,} lines")
