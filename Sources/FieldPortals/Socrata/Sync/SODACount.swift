internal import FieldCore

/// Reads the response to a count: one row with one cell, a number or its text.
enum SODACount {
  static func read(_ body: [UInt8]) throws(FieldError) -> Int {
    guard let row = try JSONDocument.value(body).elements?.first,
      let count = row["row_count"]?.integer
    else {
      throw FieldError(.malformed, "The portal didn't respond to a count with one number.")
    }
    return count
  }
}
