#!/usr/bin/env python3
"""Writes FoldingTable+Data.swift and +Variants.swift of Sources/FieldCore/Text.

    Scripts/Generators/folding-table.py            writes the files
    Scripts/Generators/folding-table.py --check    exit code 1 when a file would change

The rules are those of the doc comment of TextFolding; what is decided by hand stands below as lists.
The data come from Python's unicodedata, whose Unicode version is written into the file.
"""
import pathlib
import re
import sys
import unicodedata

TEXT = pathlib.Path(__file__).resolve().parents[2] / "Sources/FieldCore/Text"
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

# Forms of one character that Taiwanese, Hong Kong and Japanese texts mix: the form that a key has, and
# the others behind it. No character stands in two groups, so that folding is transitive. A key keeps the
# form that the zoo's data has in names, because a key may be stored. Not simplified Chinese, nor new forms
# of Japan that are simplified as well.
#
# The pairs of OPENCC are facts of usage that OpenCC's tables of variants for Taiwan and Hong Kong state
# (data/dictionary/TWVariants.txt and HKVariants.txt, https://github.com/BYVoid/OpenCC, Apache-2.0); no
# text of theirs is here.
OPENCC = """
台臺 裡裏 峰峯 群羣 床牀 衛衞 麵麪麫 啟啓 線綫 污汙 鉤鈎 戶户戸 說説 為爲 溫温 銳鋭 稅税 悅悦 閱閲 脫脱 臥卧
兌兑 偽僞 吃喫 嫻嫺 媯嬀 麼么幺 梁樑 稜棱 簷檐 洩泄 溈潙 潀潨 痺痹 痴癡 皂皁 著着 睪睾 秘祕 灶竈 粽糉糭
韁繮 才纔 唇脣 參蔘叄叁 蒍蔿 眾衆 核覈 踴踊 缽鉢 針鍼 鯰鮎 顎齶 囪囱 粧妝 媼媪 慍愠 捝挩 搵揾 敚敓
敘敍 枴柺 梲棁 榲榅 檯枱 氳氲 涗涚 濕溼 煙菸烟 煴熅 縕緼 膃腽 蒀蒕 蔥葱 蘊藴 蛻蜕 輼轀 醞醖 鰮鰛
"""
# What else open data mixes; the first is the letter I of Bopomofo, which is typed for the numeral one.
USAGE = """
一ㄧ 雞鷄鶏 周週 貓猫 豬猪 闊濶 腳脚 卻却 館舘 強强 教敎 青靑 清淸 內内 真眞 鎮鎭 冊册 錄録 綠緑 產産 研硏 步歩
每毎 查査 別别 沒没 呂吕 宮宫 黃黄 虛虚 彥彦 既旣 即卽 鄉鄕 郎郞 吳呉 恆恒 鱷鰐 顏顔 填塡 慎愼 顛顚 概槪
艷豔 跡蹟迹 占佔 沉沈 韭韮 雇僱 布佈 游遊 回迴廻 捲卷 注註 念唸 欲慾 托託 升昇陞 杯盃 岳嶽 岩巖嵒
贊讚 凶兇 砲炮礮 鋪舖 嘆歎 鑑鑒 蹤踪 傑杰 莊庄 證証 閒閑 夠够 牆墻 廁厠 效効 鄰隣 遍徧 並竝 併幷 咒呪
吊弔 餵喂 採采 蝨虱 蠍蝎 鱔鱓 鱉鼈 鵝鵞 雁鴈 猿猨 蟆蟇 蟹蠏 狸貍 獐麞 鶿鷀 鰲鼇 果菓 蕊蕋蘂 薯藷 蒂蔕 棕椶
柏栢 筍笋 焰燄 窗窻窓 窯窰 豎竪 罈壜罎 脅脇 幫幇 弦絃 剎刹 鬥鬪鬭 淒悽 泛氾汎 湧涌 犁犂 皋皐 碗椀盌
稚穉 翻飜 輝煇 銜啣 雜襍 驗騐 麟麐 寶寳 幸倖 恥耻 扣釦 抬擡 搥捶 燻熏 瓶缾 礦鑛 崑崐 崙崘 坵丘 窪漥 嘗嚐
雕彫鵰 榨搾 皙晳 甕瓮 鏽銹 鍊煉 鎚錘 堤隄 村邨 席蓆 志誌 佇竚 凳櫈 棋碁 姪侄 塚冢 詠咏 券劵 妊姙 胭臙 裙帬
褲袴 諡謚 譁嘩 贓賍 酬醻 鞍鞌 鞋鞵 飄飃 鶯鸎 鴉鵶 麻痲蔴 畫畵 匯滙 劫刧 庵菴 廄廐 彝彞 慚慙 憑凴 拋抛
挽輓 攜携 撐撑 暱昵 桿杆 毀燬譭 浚濬 疊叠 癒愈 瞇眯 碰掽 粗麤 綿緜 羈羇 罵駡 腌醃 膳饍 蓋葢 蘇蘓 裸臝躶
踏蹋 軟輭 乃迺 鑽鑚 霉黴 靭韌 頹穨 飢饑 餚肴 鹼鹻 麴麯 侶侣 姬姫 冰氷 舍舎 略畧 島嶋嶌 廳㕔 搖揺
凜凛 娛娯 寧寜 塗凃
嚙囓齧 搜蒐 曬晒 灑洒 只衹祇 黏粘 藤籐 蝟猬 蝦鰕 羌羗 脈脉 滷鹵 姊姐 背揹 況况 沖冲
妒妬 哲喆 坤堃 冤寃 孽孼 屆届 憩憇 戲戱 拿拏 暖煖 朵朶 洶汹 淚泪 炯烱 熔鎔 玩翫 璇璿 疏疎踈 皰疱 磚甎
穗穂 蓑簑 捆綑 彩綵 繃綳 膻羶 翅翄 翱翺 耽躭 胸胷 莓苺 堇菫 蔭廕 蛇虵 蝶蜨 螂蜋 霸覇 宴讌醼 贗贋 躲躱 遁遯 槍鎗
暗闇 腮顋 駝駞 鬃騣 鬧閙 鰍鰌 鳧鳬 繡綉 燉炖 殭僵 鏟剷 棲栖 勳勛
"""
HAN = {group[0]: group[1:] for group in (OPENCC + USAGE).split()}


def expand(ranges):
    return {scalar for first, last in ranges for scalar in range(first, last + 1)}


REMOVED_SET, BLANK_SET = expand(REMOVED), expand(BLANK)
SPECIAL = dict(LETTERS)
for table in (PUNCTUATION, HAN):
    for goal, sources in table.items():
        for source in sources:
            assert source not in SPECIAL and len(source) == 1, source
            SPECIAL[source] = goal
VARIANTS = {source: goal for goal, sources in HAN.items() for source in sources}
assert len(HAN) == len((OPENCC + USAGE).split()) and not VARIANTS.keys() & HAN.keys()

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
        if 0xD800 <= scalar <= 0xDFFF or chr(scalar) in VARIANTS:
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
    return f'''// Written by Scripts/Generators/folding-table.py from Unicode {unicodedata.unidata_version}; not to be edited by hand.

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


def render_variants():
    groups = [goal + "".join(sources) for goal, sources in HAN.items()]
    body = "\n".join(
        "    " + " ".join(groups[start:start + 25]) for start in range(0, len(groups), 25))
    return f'''// Written by Scripts/Generators/folding-table.py, which names the sources; not to be edited by hand.

extension FoldingTable {{
  /// The {len(groups)} groups of Han characters that are one to a reader, the form of a key first: {len(VARIANTS)}
  /// characters become another.
  static let variants = """
{body}
    """
}}
'''


if __name__ == "__main__":
    for name, text in (("Data", render()), ("Variants", render_variants())):
        target = TEXT / f"FoldingTable+{name}.swift"
        if "--check" not in sys.argv:
            target.write_text(text)
            print(f"{target.name}: {len(text):,} characters, {text.count(chr(10)):,} lines")
        elif target.read_text() != text:
            sys.exit(f"{target.name} would change")
