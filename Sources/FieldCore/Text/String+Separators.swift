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
