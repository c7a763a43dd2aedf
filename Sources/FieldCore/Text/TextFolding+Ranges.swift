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
