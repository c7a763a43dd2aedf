extension TextFolding {
  /// Where the folded `query` occurs in `text`, from left to right and without overlaps, for
  /// showing a match in the text as it was written.
  ///
  /// A range takes in whole characters of the text and the marks that follow them: `stras` in
  /// `"Straße"` is `Straß`. No ranges for a query that folds to nothing.
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
      // The end is where the next scalar starts that gave something else.
      let last = origins[start + needle.count - 1]
      var end = start + needle.count
      while origins[end] == last { end += 1 }
      ranges.append(index(origins[start], in: text)..<index(origins[end], in: text))
      start = end
    }
    return ranges
  }

  private static func index(_ offset: Int, in text: String) -> String.Index {
    text.utf8.index(text.utf8.startIndex, offsetBy: offset)
  }
}
