internal import FieldCore

/// A searchable name: its ``NameKey``, and where its words begin.
struct SearchKey: Sendable {
  /// The quality of a match between a text and a name; greater is better.
  enum Match: Int, Comparable {
    case none, part, word, beginning

    static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
  }

  private let bytes: [UInt8]
  private let wordStarts: [Int]

  init(_ name: String) {
    var (bytes, starts) = ([] as [UInt8], [] as [Int])
    for word in TextFolding.foldedBytes(of: name).split(whereSeparator: { NameKey.drops($0) }) {
      starts.append(bytes.count)
      bytes.append(contentsOf: word)
    }
    (self.bytes, wordStarts) = (bytes, starts)
  }

  func match(_ key: NameKey) -> Match {
    let text = key.bytes
    guard text.count <= bytes.count else { return .none }
    if bytes.starts(with: text) { return .beginning }
    if wordStarts.contains(where: { bytes[$0...].starts(with: text) }) { return .word }
    let last = bytes.count - text.count
    return (0...last).contains { bytes[$0...].starts(with: text) } ? .part : .none
  }

  /// Returns the number of letters to insert, delete, or replace to turn a text into the name.
  func distance(to text: [Character]) -> Int {
    let name = Array(String(decoding: bytes, as: UTF8.self))
    var row = Array(0...text.count)
    for (line, letter) in name.enumerated() {
      var diagonal = row[0]
      row[0] = line + 1
      for column in text.indices {
        let replaced = diagonal + (text[column] == letter ? 0 : 1)
        diagonal = row[column + 1]
        row[column + 1] = min(replaced, diagonal + 1, row[column] + 1)
      }
    }
    return row[text.count]
  }
}
