import FieldCore
import Foundation
import TestSupport
import Testing

@Suite("Text folding", .heavy)
struct TextFoldingTests {
  @Test(
    "text folding folds texts that a reader considers the same to one key",
    arguments: [
      ("Österplana 048", "osterplana 048"), ("STRASSE straße ẞ", "strasse strasse ss"),
      ("Sołtmany, Łowicz", "soltmany, lowicz"), ("Århus Ærø Þórr Iði", "arhus aero thorr idi"),
      ("İstanbul ıI", "istanbul ii"), ("Đà Nẵng, Quảng Ngãi", "da nang, quang ngai"),
      ("Œuvre ĳs ŉ ǆ", "oeuvre ijs 'n dz"), ("Ħamrun Ŋ Ŧ ƀ", "hamrun n t b"),
      ("Ἀθῆναι ΟΔΥΣΣΕΎΣ ᾳ", "αθηναι οδυσσευσ α"), ("Йошкар-Ола Ёлка Київ", "иошкар-ола елка киів"),
      ("مُحَمَّد ـ أحمد", "محمد احمد"), ("שָׁלוֹם", "שלום"),
      ("Ｔａｉｐｅｉ　１０１／ＷＴＣ", "taipei 101/wtc"), ("熱帶雨林室內館（穿山甲館）", "熱帶雨林室內館(穿山甲館)"),
      ("臺北車站", "台北車站"), ("每週三 內湖 内湖", "每周三 內湖 內湖"),
      ("囓齒 齧齒", "嚙齒 嚙齒"), ("蒐尋", "搜尋"), ("晒", "曬"), ("洒水", "灑水"), ("衹有 祇有", "只有 只有"),
      ("粘土 籐椅 刺猬 蛇鵰 揹包", "黏土 藤椅 刺蝟 蛇雕 背包"), ("猫空", "貓空"),
      ("ｶﾞﾊﾟｳﾞ ガパヴ", "ガパヴ ガパヴ"), ("か\u{3099} は\u{309A} ワ\u{3099} ゝ\u{3099}", "が ぱ ヷ ゞ"),
      ("あ\u{3099}\u{3099}", "あ"), ("\u{1112}\u{1161}\u{11AB}\u{1100}\u{116E}\u{11A8}", "한국"),
      ("한국", "한국"), ("ﾡￂ", "ㄱㅏ"), ("㌔ ㈱ ① Ⅳ ² ½ ℃ ™ ﬁ", "キロ (株) 1 iv 2 1/2 °c tm fi"),
      ("Sutter’s Sutter`s Sutterʼs", "sutter's sutter's sutter's"), ("“a” «b»", "\"a\" \"b\""),
      ("1–2—3−4‐5", "1-2-3-4-5"), ("鄭‧成功・鄭･成功•", "鄭·成功·鄭·成功·"), ("a…b⋯c", "a...b...c"),
      ("  Jiddat \t al\u{3000}\u{A0}Harasis\r\n479  ", "jiddat al harasis 479"),
      ("a\u{0}b\u{7F}c\u{85}d", "a b c d"),
      ("so\u{AD}ft zero\u{200B}width \u{FEFF}bom", "soft zerowidth bom"),
      ("é e\u{301} e\u{301}\u{323}\u{20DD}", "e e e"), ("葛\u{E0100} ☎\u{FE0F}", "葛 ☎"), ("豈", "豈"),
      ("ไทย हिन्दी ำ", "ไทย हिन्दी ํา"), ("ﷺ", "صلى الله عليه وسلم"), ("", ""), (" \u{301} ", ""),
      ("🇹🇼👩‍🚀", "🇹🇼👩🚀"), ("𝐇𝕖𝓁𝚕𝖔", "hello"),
    ] as [(String, String)])
  func keys(text: String, key: String) {
    #expect(Array(TextFolding.fold(text).unicodeScalars) == Array(key.unicodeScalars))
  }

  @Test(
    "text folding keeps texts separate that readers distinguish",
    arguments: [
      ("ガ", "カ"), ("は", "ば"), ("あ", "ア"), ("각", "가"), ("台灣", "台湾"), ("۱", "1"), ("´", " "),
      ("か \u{3099}", "が"), ("\u{1100} \u{1161}", "가"),
    ] as [(String, String)])
  func differences(left: String, right: String) {
    #expect(TextFolding.fold(left) != TextFolding.fold(right))
  }

  @Test(
    "text folding folds each scalar like Python: NFKD, no marks, case folding",
    .enabled(if: Tool.isThere("python3")))
  func everyScalar() throws {
    // Each scalar, or one in so many.
    let distance = Sample.rounds(1, 25)
    let lines = String(
      decoding: try Tool.run(
        "python3", "-c", Self.reference, Self.script.path, "\(Sample.seed() % UInt64(distance))",
        "\(distance)"), as: UTF8.self
    ).split(separator: "\n")
    #expect(lines.count > 100_000 / distance)
    // A newer Python knows scalars that the table does not: those stay as they are.
    let isNewer = lines[0] != "14.0.0"
    var wrong: [String] = []
    for line in lines.dropFirst() {
      let numbers = line.split(separator: " ").compactMap { UInt32($0, radix: 16) }
      let scalar = try #require(Unicode.Scalar(numbers[0]))
      let folded = TextFolding.fold(String(Character(scalar))).unicodeScalars.map(\.value)
      if isNewer && folded == [scalar.value] { continue }
      if folded != Array(numbers.dropFirst()) { wrong.append("\(line) is not \(folded)") }
    }
    #expect(wrong.isEmpty, "\(wrong.count): \(wrong.prefix(10))")
  }

  @Test(
    "text folding has the table that its script generates", .enabled(if: Tool.isThere("python3")))
  func generated() throws {
    let version = try Tool.run(
      "python3", "-c", "import unicodedata; print(unicodedata.unidata_version, end='')")
    guard String(decoding: version, as: UTF8.self) == "14.0.0" else { return }
    #expect(throws: Never.self) { try Tool.run("python3", Self.script.path, "--check") }
  }

  static let script = SharedData.root.appending(path: "Scripts/Generators/folding-table.py")

  /// Prints each assigned scalar and its key, by plain Unicode rules. Left out are the scalars for
  /// which the package has rules of its own, each named here; the tables of the tests above have
  /// those.
  static let reference = """
    import unicodedata as u
    print(u.unidata_version)
    own = set(map(ord, "`´ʹʻʼʽʾʿˈ‘’‚‛′᾽᾿῾“”„‟″«»〝〞‐‑‒–—―⁃−﹘‧•∙⋅・⁄∕〜∼⋯"))
    import runpy, sys # the forms of Han characters, which HanVariantTests has
    for goal, forms in runpy.run_path(sys.argv[1])["HAN"].items(): own |= set(map(ord, goal + "".join(forms)))
    own |= set(range(0x3099, 0x309B)) | set(range(0xFF61, 0xFFE0)) | set(range(0x3131, 0x3190))  # kana, jamo
    own |= {0x640, 0x302E, 0x302F}  # tatweel, Hangul tones: dropped
    own |= set(range(0x1160, 0x1200)) | set(range(0xAC00, 0xD7FC)) | set(range(0x3200, 0x3400))  # jamo, squared
    stroke = "æœøłđðþıħŧŋɓƈɖɗɇƒǥɠɨɉȷƙƚɫɲƞɵƥɍɽȿʂƭʈⱦʉʋⱳɏƴƶȥⱥꞓꞑꞡꞣꞥꞧꞩⱡⱪⱨⱬƀȼ"
    keep = lambda c: u.category(c) in ("Mn", "Me") and not any(a <= ord(c) <= b for a, b in [
      (0x300, 0x36F), (0x483, 0x489), (0x591, 0x5C7), (0x610, 0x61A), (0x64B, 0x65F), (0x670, 0x670),
      (0x6D6, 0x6ED), (0x180B, 0x180F), (0x1AB0, 0x1AFF), (0x1DC0, 0x1DFF), (0x20D0, 0x20FF),
      (0x2DE0, 0x2DFF), (0x302A, 0x302F), (0xA66F, 0xA67D), (0xA69E, 0xA69F), (0xFE00, 0xFE0F), (0xFE20, 0xFE2F),
      (0xE0100, 0xE01EF)])
    def fold(text):
      for _ in range(3):
        text = u.normalize("NFKD", text)
        text = "".join(c for c in text if u.category(c) not in ("Mn", "Me") or keep(c)).casefold()
      return text
    def hidden(c): return u.category(c) == "Cf" and (
      ord(c) in (0xAD, 0x61C, 0x180E, 0xFEFF) or 0x200B <= ord(c) <= 0x206F or ord(c) >= 0xE0000)
    for n in range(int(sys.argv[2]), 0x110000, int(sys.argv[3])):
      c = chr(n)
      if u.category(c) in ("Cn", "Cs", "Co") or n in own or n in (0x115F, 0x1160, 0x3164, 0x640): continue
      plain = u.normalize("NFKD", c)
      if c.lower() in stroke or any(x.lower() in stroke for x in plain) or any(ord(x) in own for x in plain): continue
      if len(plain) > 1 and plain[0] == " ": # an accent that stands alone stays
        if all(u.combining(x) for x in plain[1:]):
          if ord(u.normalize("NFD", c)[0]) not in own: print(f"{n:X} {ord(u.normalize('NFD', c)[0]):X}")
          continue
      key = "" if hidden(c) else fold(c)
      if u.category(c) in ("Cc", "Zs", "Zl", "Zp"): key = ""
      if any(ord(x) in own for x in key): continue
      print(f"{n:X}", *(f"{ord(x):X}" for x in " ".join(key.split(" ")).strip(" ")))
    """

  @Test("text folding is the same for the composed and the decomposed form, and idempotent")
  func properties() {
    let seed: UInt64 = 20_261_121
    var random = SeededGenerator(seed: seed)
    let pools: [ClosedRange<UInt32>] = [
      0...0x7F, 0x80...0x24F, 0x300...0x36F, 0x370...0x52F, 0x590...0x6FF, 0x1E00...0x1FFF,
      0x1100...0x1112, 0x1161...0x1175, 0x11A8...0x11C2, 0xAC00...0xD7A3, 0x3040...0x30FF,
      0xFF00...0xFFEF, 0x2000...0x2BFF,
      0x3200...0x33FF, 0x4E00...0x9FFF, 0xF900...0xFAFF, 0xFB00...0xFDFF, 0x1D400...0x1D7FF,
    ]
    for round in 0..<Sample.rounds(20_000, 1_500, inDebug: 750) {
      var text = String.UnicodeScalarView()
      // Old jamo are left out: Foundation on Linux composes them to U+FFFD. A few ranges a text, so
      // that marks meet letters that they join.
      let some = (0..<2).map { _ in pools.randomElement(using: &random) ?? pools[0] }
      for _ in 0..<Int.random(in: 0...8, using: &random) {
        let range = some.randomElement(using: &random) ?? pools[0]
        if let scalar = Unicode.Scalar(UInt32.random(in: range, using: &random)) {
          text.append(scalar)
        }
      }
      let original = String(text)
      let folded = TextFolding.foldedBytes(of: original)
      let again = TextFolding.foldedBytes(of: String(decoding: folded, as: UTF8.self))
      #expect(again == folded, "seed \(seed), round \(round): \(original.debugDescription)")
      for form in [
        original.decomposedStringWithCanonicalMapping,
        original.precomposedStringWithCanonicalMapping,
      ] {
        #expect(
          TextFolding.foldedBytes(of: form) == folded,
          "seed \(seed), round \(round): \(original.unicodeScalars.map { String($0.value, radix: 16) })"
        )
      }
      #expect(folded.allSatisfy { $0 >= 0x20 && $0 != 0x7F }, "seed \(seed), round \(round)")
    }
  }

  @Test("text folding treats invalid UTF-8 like the standard library")
  func brokenBytes() {
    let seed = Sample.seed()
    var random = SeededGenerator(seed: seed)
    let bytes: [UInt8] = [
      0x41, 0x20, 0x80, 0xBF, 0xC0, 0xC3, 0xA9, 0xE0, 0xE3, 0x82, 0xAB, 0xED, 0xA0, 0xEF, 0xF0,
      0x9F, 0xF4, 0x90, 0xF8, 0xFF,
    ]
    for round in 0..<Sample.rounds(20_000, 1_500, inDebug: 750) {
      let text = (0..<Int.random(in: 0...9, using: &random)).map { _ in
        bytes.randomElement(using: &random) ?? 0
      }
      var folded: [UInt8] = []
      text.withByteSpan { TextFolding.append(foldedBytesOf: $0, to: &folded) }
      let expected = TextFolding.foldedBytes(of: String(decoding: text, as: UTF8.self))
      #expect(folded == expected, "seed \(seed), round \(round): \(text)")
    }
  }

  @Test(
    "text folding folds eight bytes or a run of Han characters at once like one scalar at a time")
  func runs() {
    var random = SeededGenerator(seed: Sample.seed())
    let likely = Array("aZ` \t\u{7F}~@[{0-\"é台臺南市か\u{3099}각\u{3000}\u{FFFD}".unicodeScalars)
    var apart: [String] = []
    for _ in 0..<2_000 {
      var text = ""
      for _ in 0..<Int.random(in: 7...24, using: &random) {
        let isASCII = Bool.random(using: &random)
        text.unicodeScalars.append(
          isASCII
            ? Unicode.Scalar(UInt8.random(in: 0...0x7F, using: &random))
            : likely.randomElement(using: &random) ?? "a")
      }
      // The origins are found one scalar at a time.
      if TextFolding.foldedBytes(of: text) != TextFolding.foldedBytesWithOrigins(of: text).bytes {
        apart.append(text)
      }
    }
    #expect(apart == [])
  }

  @Test("text folding appends to any text without joining it")
  func appending() {
    var bytes = Array("カ".utf8)
    "\u{3099} ガ".withUTF8Span { TextFolding.append(foldedBytesOf: $0, to: &bytes) }
    #expect(String(decoding: bytes, as: UTF8.self) == "カガ")
  }

  @Test(
    "text folding finds the position of a query in the original text",
    arguments: [
      ("osterplana", "Die Österplana", ["Österplana"]), ("stras", "Straße", ["Straß"]),
      ("s", "ßs", ["ß", "s"]), ("e", "e\u{301}x", ["e\u{301}"]),
      ("a b", "xA \u{3000} B  ", ["A \u{3000} B"]),
      ("b", "a  b  ", ["b"]), ("が", "ｶﾞか\u{3099}", ["か\u{3099}"]), ("台", "臺台", ["臺", "台"]),
      ("", "abc", []),
      ("aa", "aaaaa", ["aa", "aa"]),
      ("👩", "x👩‍👩‍👧y👩", ["👩‍👩‍👧", "👩"]), ("क", "कि क", ["कि", "क"]), ("👍", "👍🏽", ["👍🏽"]),
      ("한국", "\u{1112}\u{1161}\u{11AB}국", ["\u{1112}\u{1161}\u{11AB}국"]),
      ("x", "abc", []),
    ] as [(String, String, [String])])
  func ranges(query: String, text: String, parts: [String]) {
    #expect(TextFolding.ranges(of: query, in: text).map { String(text[$0]) } == parts)
  }

  @Test("text folding finds a query in random texts wherever the folded text contains it")
  func rangesProperty() {
    let seed = Sample.seed()
    var random = SeededGenerator(seed: seed)
    let letters = [
      "a", "Á", "e\u{301}", " ", "\u{3000}", "ß", "臺", "ｶ", "ﾞ", "ﷺ", "½", "\u{200B}", "s",
    ]
    for round in 0..<Sample.rounds(5_000, 600, inDebug: 300) {
      let text = (0..<Int.random(in: 0...12, using: &random)).map { _ in
        letters.randomElement(using: &random) ?? ""
      }.joined()
      let query = (0..<Int.random(in: 1...2, using: &random)).map { _ in
        letters.randomElement(using: &random) ?? ""
      }.joined()
      let key = TextFolding.fold(query)
      let ranges = TextFolding.ranges(of: query, in: text)
      let isThere = !key.isEmpty && TextFolding.fold(text).utf8.contains(Array(key.utf8))
      #expect(ranges.isEmpty != isThere, "seed \(seed), round \(round)")
      for range in ranges {
        #expect(
          TextFolding.fold(String(text[range])).utf8.contains(Array(key.utf8)),
          "seed \(seed), round \(round): \(text.debugDescription) \(query.debugDescription)")
      }
    }
  }
}

extension Collection where Element == UInt8 {
  /// Whether `part` occurs, the slow and plain way.
  func contains(_ part: [UInt8]) -> Bool {
    var rest = self[...]
    while rest.count >= part.count {
      if rest.starts(with: part) { return true }
      rest = rest.dropFirst()
    }
    return false
  }
}
