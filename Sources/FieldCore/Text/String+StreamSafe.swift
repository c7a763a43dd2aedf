extension String {
  /// How many bytes a text has that may consist of combining marks only.
  static let shortLength = 1024
  /// How many combining marks may follow each other in a longer text.
  private static let mostMarks = 30

  /// The text with at most 30 combining marks after each other, in Unicode's Stream-Safe Text Format
  /// (UAX #15, section 13), which looks the same.
  ///
  /// Swift sorts such marks when it hashes or compares texts, in a time that grows with the square of
  /// their number: a megabyte of them, in the name of a column, would take a minute. Texts of up to
  /// 1,024 bytes stay as they are, because they take less than 0.1 ms in any case.
  @inline(__always)
  package var streamSafe: String {
    utf8.count > Self.shortLength ? separatingMarks() : self
  }

  @inline(never)
  private func separatingMarks() -> String {
    var text = ""
    var copied = startIndex
    var marks = 0
    for place in unicodeScalars.indices {
      let scalar = unicodeScalars[place]
      let isMark =
        scalar.value >= 0x300 && scalar.properties.canonicalCombiningClass != .notReordered
      marks = isMark ? marks + 1 : 0
      guard marks > Self.mostMarks else { continue }
      // A view of scalars would copy all of itself whenever it gets more than one.
      text += self[copied..<place]
      text += "\u{34F}"  // the combining grapheme joiner, which isn't sorted
      copied = place
      marks = 1
    }
    return copied == startIndex ? self : text + self[copied...]
  }
}

extension StringProtocol where SubSequence == Substring {
  /// Returns the parts between a separator of ASCII, also empty ones.
  ///
  /// Formats separate bytes. Among `Character`s, a combining mark after a separator would hide it.
  package func parts(at separator: Unicode.Scalar, maxSplits: Int = .max) -> [Substring] {
    self[...].utf8.split(
      separator: UInt8(ascii: separator), maxSplits: maxSplits, omittingEmptySubsequences: false
    ).map { Substring($0) }
  }
}

extension String {
  /// The text as a cell of CSV (RFC 4180), in quotes if it must be.
  package var csvCell: String {
    let needsQuotes = utf8.contains { byte in
      byte == UInt8(ascii: ",") || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\n")
        || byte == UInt8(ascii: "\r")
    }
    return needsQuotes ? inQuotes : self
  }

  /// The text in quotes, with each of its quotes doubled, as a cell of CSV.
  package var inQuotes: String { "\"\(parts(at: "\"").joined(separator: "\"\""))\"" }
}
