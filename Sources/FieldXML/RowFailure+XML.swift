internal import FieldCore

extension RowFailure {
  /// Creates a failure from texts of a document, without control characters and at most 200
  /// characters each.
  init(at index: Int, key: String? = nil, quoting text: String = "", reason: String) {
    self.init(
      index: index, key: key.map { String($0.unicodeScalars.prefix(200)).printable },
      excerpt: String(text.unicodeScalars.prefix(200)).printable, reason: reason)
  }
}
