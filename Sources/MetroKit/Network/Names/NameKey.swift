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
