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
    let (bytes, origins) = foldedBytesWithOrigins(of: text)
    var ranges: [Range<String.Index>] = []
    var start = 0
    while !needle.isEmpty, start + needle.count <= bytes.count {
      guard bytes[start..<start + needle.count] == needle[...] else {
        start += 1
        continue
      }
      // The match ends where the next scalar that produced something else begins.
      let last = origins[start + needle.count - 1]
      var end = start + needle.count
      while origins[end] == last { end += 1 }
      let range = characters(of: text, from: origins[start], to: origins[end])
      if let before = ranges.last, range.lowerBound < before.upperBound {
        // Two matches in one character.
        ranges[ranges.count - 1] = before.lowerBound..<max(before.upperBound, range.upperBound)
      } else {
        ranges.append(range)
      }
      start = end
    }
    return ranges
  }

  /// Returns the characters that cover the bytes between two offsets.
  private static func characters(of text: String, from start: Int, to end: Int)
    -> Range<String.Index>
  {
    let (lower, upper) = (index(start, in: text), index(end, in: text))
    let first = beginning(of: lower, in: text)
    let last = beginning(of: upper, in: text)
    return first..<(last == upper ? upper : text.index(after: last))
  }

  /// Returns the beginning of the character that contains a scalar.
  private static func beginning(of index: String.Index, in text: String) -> String.Index {
    index < text.endIndex ? text.index(before: text.index(after: index)) : index
  }

  private static func index(_ offset: Int, in text: String) -> String.Index {
    text.utf8.index(text.utf8.startIndex, offsetBy: offset)
  }
}
