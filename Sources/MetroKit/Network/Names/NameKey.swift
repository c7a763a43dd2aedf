internal import FieldCore

/// A name without the details in which spellings differ: case, width, accents, 臺 and 台, blanks, and
/// punctuation.
struct NameKey: Hashable, Sendable {
  let bytes: [UInt8]

  init(_ name: String) { bytes = TextFolding.foldedBytes(of: name).filter { !Self.drops($0) } }

  /// Returns whether a byte of a folded name is ignored: all of ASCII except letters and digits.
  static func drops(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"): false
    default: byte < 0x80
    }
  }

  private init(bytes: ArraySlice<UInt8>) { self.bytes = Array(bytes) }

  var isEmpty: Bool { bytes.isEmpty }

  /// The keys without a final word for "station": without 站, and if that is part of 車站, without
  /// both, too.
  var withoutStation: [NameKey] { Self.stationWords.compactMap(without(ending:)) }

  /// The keys without a word for "metro" before the name, after it, or both, and without a line
  /// before it: `捷運士林站`, `士林捷運站`, `Shilin MRT Station`, `捷運淡水信義線士林站`.
  var withoutMetro: [NameKey] {
    ([self] + withoutStation).flatMap { key in
      let heads =
        Self.metroPrefixes.compactMap(key.without(beginning:))
        + [key.withoutLine].compactMap(\.self)
      return heads + ([key] + heads).flatMap { Self.metroSuffixes.compactMap($0.without(ending:)) }
    }
  }

  /// The key after the Chinese word for "line".
  private var withoutLine: NameKey? {
    let word = Array("線".utf8)
    let start = bytes.indices.first { bytes[$0...].starts(with: word) }
    return start.flatMap { $0 + 3 < bytes.count ? NameKey(bytes: bytes[($0 + 3)...]) : nil }
  }

  /// The part of the key before or after a label of a line, a code, or `nil` if the key neither
  /// begins nor ends with it.
  func without(label: NameKey) -> [NameKey] {
    [without(beginning: label.bytes), without(ending: label.bytes)].compactMap(\.self)
  }

  /// The codes of stops with which the key begins or ends, each with the rest: `r10台北車站`.
  var withoutCode: [(code: NameKey, rest: NameKey)] {
    func isCode(_ byte: UInt8) -> Bool { byte < 0x80 }
    let head = bytes.prefix(while: isCode)
    let tail = bytes.suffix(bytes.count - (bytes.lastIndex { !isCode($0) } ?? -1) - 1)
    guard head.count < bytes.count else { return [] }
    return [(head, bytes.dropFirst(head.count)), (tail, bytes.dropLast(tail.count))]
      .filter { !$0.0.isEmpty }.map { (NameKey(bytes: $0.0), NameKey(bytes: $0.1)) }
  }

  /// The key with one form of characters that are mistaken for each other: `幸褔` and `幸福`.
  ///
  /// Searches don't treat them as equal, because they are different words elsewhere.
  var withoutMistakes: NameKey {
    var scalars = String.UnicodeScalarView()
    for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars {
      scalars.append(Self.mistaken[scalar] ?? scalar)
    }
    return NameKey(bytes: Array(String(scalars).utf8)[...])
  }

  /// Each mistaken character, and the one that stands for both.
  private static let mistaken: [Unicode.Scalar: Unicode.Scalar] = {
    // The first of each group stands for the others.
    let groups = [
      "福褔", "墘漧", "庄莊荘", "洲州", "匯滙彙汇", "迴廻回", "岩巖", "館舘馆", "柵栅", "劍剣剑劔", "場埸塲场", "圓圎円圆",
      "雙双", "蘆芦", "萬万", "產産产", "亞亜亚", "圍囲围", "崗岡岗", "溪谿", "犁犂", "關関关", "德徳", "宮宫", "內内", "嗇穡啬",
      "橋桥", "龍龙竜", "灣湾", "號号", "東东", "國国", "園园", "醫医", "學学", "縣县", "鄉乡", "廟庙", "頭头", "陽阳", "門门",
      "麟麐", "連连", "義义", "興兴", "復复", "電电", "樓楼", "機机", "綠绿", "樹树", "紅红", "頂顶", "輔辅", "業业", "區区",
      "板阪", "唭其", "哩里", "埤陂",
    ]
    var forms: [Unicode.Scalar: Unicode.Scalar] = [:]
    for group in groups.map(\.unicodeScalars) {
      for form in group.dropFirst() { forms[form] = group.first }
    }
    return forms
  }()

  private func without(beginning word: [UInt8]) -> NameKey? {
    guard bytes.count > word.count, bytes.starts(with: word) else { return nil }
    return NameKey(bytes: bytes.dropFirst(word.count))
  }

  private func without(ending word: [UInt8]) -> NameKey? {
    guard bytes.count > word.count, bytes.suffix(word.count).elementsEqual(word) else { return nil }
    return NameKey(bytes: bytes.dropLast(word.count))
  }

  private static let stationWords = ["站", "車站", "station", "駅", "역"].map { Array($0.utf8) }
  private static let metroSuffixes = ["捷運", "mrt", "metro"].map { Array($0.utf8) }
  private static let metroPrefixes = [
    "捷運站", "捷運", "台北捷運", "新北捷運", "北捷", "mrt", "metro", "taipeimrt", "taipeimetro",
  ].map { Array($0.utf8) }

  /// The key of a code without leading zeros in its number: `bl1` for `bl01`.
  var withoutLeadingZeros: NameKey? {
    guard let digit = bytes.firstIndex(where: { $0 < UInt8(ascii: "a") }),
      bytes[digit] == UInt8(ascii: "0")
    else { return nil }
    let number = bytes[digit...].drop { $0 == UInt8(ascii: "0") }
    return number.isEmpty ? nil : NameKey(bytes: bytes[..<digit] + number)
  }
}
