/// A converter of texts to search keys, which are equal for texts that look the same to a reader.
///
/// ```swift
/// TextFolding.fold("Österplana  048")        // "osterplana 048"
/// TextFolding.fold("臺北車站（Ｍ３）")          // "台北車站(m3)"
/// ```
///
/// These become equal, for every scalar of Unicode 14:
/// - uppercase and lowercase letters (full case folding: `ß` is `ss`);
/// - letters with and without accents and points, composed or not: Latin with Vietnamese, Greek,
///   Cyrillic (`й` is `и`, `ё` is `е`), Arabic and Hebrew (vowel points, tatweel);
/// - Latin letters that don't decompose: `ø` `ł` `đ` `ð` `þ` `æ` `œ` `ı` `ħ` `ŋ` and the like;
/// - full and half width, ligatures, super- and subscripts, circled and squared characters,
///   fractions;
/// - variants of one Han character that Taiwanese, Hong Kong, and Japanese texts mix (`臺` and `台`,
///   `溼` and `濕`, `内` and `內`: 375 groups, which `Scripts/Generators/folding-table.py` lists with
///   their sources), and compatibility ideographs; but neither simplified and traditional
///   characters, nor the new forms of Japan;
/// - apostrophes (including the grave accent), double quotes, hyphens and dashes, middle dots;
/// - every run of blanks and control characters, which becomes one blank, or nothing at either end;
/// - invisible characters: soft hyphens, joiners, direction marks, variation selectors, which are
///   removed.
///
/// These stay distinct: kana with a voicing mark (`ガ`, composed from whatever form) and Hangul
/// syllables (composed from jamo), hiragana and katakana, vowel signs and tones of Indic and Thai
/// scripts, a standalone accent, and digits of other scripts.
///
/// A folded text is UTF-8 without any byte below 0x20. Folding it again changes nothing. Invalid
/// UTF-8 becomes U+FFFD, as in `String(decoding:as:)`.
public enum TextFolding {
  /// Returns the key of a text.
  ///
  /// ```swift
  /// let key = TextFolding.fold(field)
  /// let found = places.filter { TextFolding.contains(key, in: $0.name) }  // 台 finds 臺
  /// ```
  public static func fold(_ text: String) -> String {
    String(decoding: foldedBytes(of: text), as: UTF8.self)
  }

  /// Returns a Boolean value that indicates whether the folded form of a text contains a folded text.
  ///
  /// Bytes are compared, as in all searches; a `String` would compare whole characters.
  ///
  /// - Parameters:
  ///   - folded: The text to search for, as ``fold(_:)`` returns it.
  ///   - text: The text to search in, which the function folds.
  public static func contains(_ folded: String, in text: String) -> Bool {
    ByteSearch(for: Array(folded.utf8)).firstIndex(in: foldedBytes(of: text)) != nil
  }

  /// Returns the key of a text, as UTF-8.
  package static func foldedBytes(of text: String) -> [UInt8] {
    text.withUTF8Span { source in
      var output: [UInt8] = []
      output.reserveCapacity(source.count)
      append(foldedBytesOf: source, to: &output)
      return output
    }
  }

  /// Appends the key of the text in `source` to `output`, whose content doesn't matter.
  package static func append(foldedBytesOf source: Span<UInt8>, to output: inout [UInt8]) {
    let ascii = FoldingTable.ascii
    var state = State(start: output.count)
    var index = 0
    while index < source.count {
      if let word = source.wholeWord(at: index), appendWord(word, &state, &output) {
        index += 8
        continue
      }
      let byte = source[index]
      guard byte < 0x80 else {
        let table = FoldingTable.shared
        let end = endOfUnchanged(source, from: index, table)
        if end > index {
          appendDueBlank(&state, &output)
          unsafe source.extracting(index..<end).withUnsafeBufferPointer {
            unsafe output.append(contentsOf: $0)
          }
          index = end
        } else {
          index = step(source, index, table, &state, &output)
        }
        continue
      }
      index += 1
      appendByte(ascii[Int(byte)], &state, &output)
    }
  }

  /// Returns the key of a text, and the origin of each of its bytes: `origins[n]` is the offset in
  /// the text's UTF-8 of the scalar that byte `n` comes from. One more origin at the end is the
  /// start of the text's trailing blanks, or its length.
  package static func foldedBytesWithOrigins(of text: String) -> (bytes: [UInt8], origins: [Int]) {
    text.withUTF8Span { source in
      let table = FoldingTable.shared
      var (state, output, origins) = (State(start: 0), [] as [UInt8], [] as [Int])
      var (index, blank) = (0, 0)
      while index < source.count {
        let (wasBlank, count) = (state.blankIsDue, output.count)
        let next = step(source, index, table, &state, &output)
        if output.count > count {
          // The first new byte is the blank that was due.
          origins.append(wasBlank ? blank : index)
          origins.append(contentsOf: repeatElement(index, count: output.count - count - 1))
        }
        if state.blankIsDue && (!wasBlank || output.count > count) { blank = index }
        index = next
      }
      origins.append(state.blankIsDue ? blank : source.count)
      return (output, origins)
    }
  }

  /// The state between two scalars.
  private struct State {
    /// The start of the key in the output.
    let start: Int
    /// A Boolean value that indicates whether a blank precedes the next byte, if there is one.
    var blankIsDue = false
  }

  @inline(__always)
  private static func appendByte(_ byte: UInt8, _ state: inout State, _ output: inout [UInt8]) {
    if byte == 0x20 {
      state.blankIsDue = output.count > state.start
    } else {
      appendDueBlank(&state, &output)
      output.append(byte)
    }
  }

  @inline(__always)
  private static func appendDueBlank(_ state: inout State, _ output: inout [UInt8]) {
    guard state.blankIsDue else { return }
    output.append(0x20)
    state.blankIsDue = false
  }

  /// Appends eight bytes at once if they are ASCII and nothing is to do but to change letters to lowercase, and
  /// returns whether they were.
  @inline(__always)
  private static func appendWord(
    _ word: UInt64, _ state: inout State, _ output: inout [UInt8]
  ) -> Bool {
    let top = ByteTest.spread(0x80)
    guard word & top == 0 else { return false }
    // The sum with a number from 1 to 0x7F has the top bit of a byte if the byte is at least 0x80 minus that number.
    func atLeast(_ byte: UInt8) -> UInt64 { word &+ ByteTest.spread(0x80 &- byte) }
    let upper = atLeast(UInt8(ascii: "A")) & ~atLeast(UInt8(ascii: "Z") + 1) & top
    let special =
      ~atLeast(0x20) | atLeast(0x7F) | atLeast(UInt8(ascii: "`")) & ~atLeast(UInt8(ascii: "`") + 1)
    let blanks = ~atLeast(0x21) & top
    let startsWithBlank = blanks & 0x80 != 0
    guard special & top == 0, blanks & blanks << 8 == 0,
      !startsWithBlank || (!state.blankIsDue && output.count > state.start)
    else { return false }
    appendDueBlank(&state, &output)
    unsafe withUnsafeBytes(of: (word | upper >> 2).littleEndian) {
      unsafe output.append(contentsOf: $0)
    }
    state.blankIsDue = blanks >> 63 != 0
    if state.blankIsDue { output.removeLast() }
    return true
  }

  /// Returns the end of the scalars from `index` on that are three bytes long and unchanged, such as
  /// most Han characters and kana.
  @inline(__always)
  private static func endOfUnchanged(
    _ source: Span<UInt8>, from index: Int, _ table: FoldingTable
  ) -> Int {
    var end = index
    while end &+ 3 <= source.count {
      let (first, second, third) = (source[end], source[end &+ 1], source[end &+ 2])
      // After these first bytes, any two continuation bytes are valid.
      guard 0xE1...0xEC ~= first, second & 0xC0 == 0x80, third & 0xC0 == 0x80 else { break }
      let scalar =
        UInt32(first & 0x0F) << 12 | UInt32(second & 0x3F) << 6 | UInt32(third & 0x3F)
      guard table.cell(of: scalar) == .unchanged else { break }
      end &+= 3
    }
    return end
  }

  /// Folds the scalar at `index`, and returns the index of the next one.
  private static func step(
    _ source: Span<UInt8>, _ index: Int, _ table: FoldingTable, _ state: inout State,
    _ output: inout [UInt8]
  ) -> Int {
    let (scalar, count) = UTF8Scalar.decode(source, at: index)
    if scalar < 0x80 {
      appendByte(FoldingTable.ascii[Int(scalar)], &state, &output)
      return index + 1
    }
    let cell = table.cell(of: scalar)
    switch cell {
    case .dropped:
      break
    case .blank:
      appendByte(0x20, &state, &output)
    case .unchanged, .joining:
      if cell == .joining && joins(scalar, &output, state) { break }
      if scalar == UTF8Scalar.replacement {
        for byte in [0xEF, 0xBF, 0xBD] as [UInt8] { appendByte(byte, &state, &output) }
      } else {
        for offset in index..<index + count { appendByte(source[offset], &state, &output) }
      }
    default:
      if let range = cell.poolRange {
        for offset in range { appendByte(table.pool[offset], &state, &output) }
      }
      var bits = cell.bits
      for _ in 0..<cell.inlineCount {
        appendByte(UInt8(truncatingIfNeeded: bits), &state, &output)
        bits >>= 8
      }
    }
    return index + count
  }

  /// Returns whether a voicing mark or jamo was joined with the letter at the end of the output. A
  /// voicing mark that can't be joined is dropped, like any other mark.
  private static func joins(_ scalar: UInt32, _ output: inout [UInt8], _ state: State) -> Bool {
    let isVoicing = scalar < 0x1100 || scalar > 0x11FF
    let end = output.count
    guard !state.blankIsDue, end - state.start >= 3, output[end - 3] & 0xF0 == 0xE0 else {
      return isVoicing
    }
    let base =
      UInt32(output[end - 3] & 0x0F) << 12 | UInt32(output[end - 2] & 0x3F) << 6
      | UInt32(output[end - 1] & 0x3F)
    guard let joined = isVoicing ? Kana.voiced(base, scalar) : Hangul.joined(base, scalar) else {
      return isVoicing
    }
    output[end - 3] = 0xE0 | UInt8(joined >> 12)
    output[end - 2] = 0x80 | UInt8(joined >> 6 & 0x3F)
    output[end - 1] = 0x80 | UInt8(joined & 0x3F)
    return true
  }
}

private enum Kana {
  /// Returns the kana with the voicing (U+3099, U+FF9E) or half-voicing mark (U+309A, U+FF9F).
  static func voiced(_ base: UInt32, _ mark: UInt32) -> UInt32? {
    // The rows are equal 0x60 apart, except for the last katakana.
    let row = base >= 0x30A1 && base <= 0x30FE ? base - 0x60 : base
    let isHa = (0x306F...0x307B).contains(row) && row % 3 == 0
    if mark == 0x309A || mark == 0xFF9F { return isHa ? base + 2 : nil }
    switch row {
    case _ where isHa: return base + 1
    case 0x304B...0x3061: return row % 2 == 1 ? base + 1 : nil
    case 0x3064...0x3068: return row % 2 == 0 ? base + 1 : nil
    case 0x309D: return base + 1
    case 0x3046: return base + 0x4E
    default: return (0x30EF...0x30F2).contains(base) ? base + 8 : nil
    }
  }
}

private enum Hangul {
  /// Returns the syllable of a leading consonant and a vowel, or of an open syllable and its final
  /// consonant.
  static func joined(_ base: UInt32, _ jamo: UInt32) -> UInt32? {
    if jamo <= 0x1175 {
      guard (0x1100...0x1112).contains(base) else { return nil }
      return 0xAC00 + ((base - 0x1100) * 21 + jamo - 0x1161) * 28
    }
    guard (0xAC00...0xD7A3).contains(base), (base - 0xAC00) % 28 == 0 else { return nil }
    return base + jamo - 0x11A7
  }
}

// MARK: - Ranges

extension TextFolding {
  /// Returns the ranges where a query occurs in a text, for highlighting matches in the original
  /// text.
  ///
  /// The query is folded, and the ranges are from left to right, without overlaps. A range covers
  /// whole characters of the text, as a reader sees them: `stras` in `"Straße"` is `Straß`, and one
  /// person of a family emoji is the whole family. A query that folds to an empty text has no
  /// ranges.
  package static func ranges(of query: String, in text: String) -> [Range<String.Index>] {
    let needle = foldedBytes(of: query)
    guard !needle.isEmpty else { return [] }
    let (bytes, origins) = foldedBytesWithOrigins(of: text)
    let search = ByteSearch(for: needle)
    var ranges: [Range<String.Index>] = []
    var characters = CharacterCursor(text)
    var position = 0
    while let start = search.firstIndex(in: bytes, from: position) {
      // The match ends where the next scalar that produced something else begins.
      let last = origins[start + needle.count - 1]
      var end = start + needle.count
      while origins[end] == last { end += 1 }
      let range = characters.range(from: origins[start], to: origins[end])
      if let before = ranges.last, range.lowerBound < before.upperBound {
        // Two matches in one character.
        ranges[ranges.count - 1] = before.lowerBound..<max(before.upperBound, range.upperBound)
      } else {
        ranges.append(range)
      }
      position = end
    }
    return ranges
  }

  /// The characters of a text from left to right.
  ///
  /// Looking for the beginning of a character backward at each match would take quadratic time in a
  /// long run of flags or joined emoji.
  private struct CharacterCursor {
    private let text: String
    private var start: String.Index
    private var end: String.Index

    init(_ text: String) {
      self.text = text
      start = text.startIndex
      end = text.isEmpty ? start : text.index(after: start)
    }

    /// Returns the characters that cover the bytes between two offsets, neither of which may lie before
    /// the last one.
    mutating func range(from first: Int, to last: Int) -> Range<String.Index> {
      move(to: text.utf8.index(text.startIndex, offsetBy: first))
      let lower = start
      let upper = text.utf8.index(text.startIndex, offsetBy: last)
      move(to: upper)
      return lower..<(start == upper ? upper : end)
    }

    /// Moves to the character that contains a scalar, or to the end of the text.
    private mutating func move(to place: String.Index) {
      while end <= place, start < text.endIndex {
        start = end
        if start < text.endIndex { end = text.index(after: start) }
      }
    }
  }
}
