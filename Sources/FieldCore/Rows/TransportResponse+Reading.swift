package import FieldFoundation

extension TransportResponse {
  /// Reads the body, and adds the operation and the response to errors.
  ///
  /// A text for people, such as `Unauthorized`, is reported as `rows.notData` instead of malformed
  /// JSON.
  package func reading<Value>(
    operation: String, _ read: ([UInt8]) throws -> Value
  ) throws -> Value {
    do {
      let bytes = try body.bytes()
      do {
        return try read(bytes)
      } catch let error as FieldError {
        throw ForeignBody.explained(error, by: bytes)
      }
    } catch var error as FieldError {
      error.operation = operation
      error.response = head
      throw error
    }
  }

  /// The encoding in a header such as `Content-Type: text/csv; charset=big5`; `nil` if there is none.
  package var charset: String? {
    for part in (fields["Content-Type"] ?? "").split(separator: ";").dropFirst() {
      let pair = part.split(separator: "=", maxSplits: 1)
      guard pair.count == 2, pair[0].filter({ $0 != " " }).lowercased() == "charset" else {
        continue
      }
      let name = pair[1].filter { $0 != " " && $0 != "\"" && $0 != "'" }
      return name.isEmpty ? nil : name
    }
    return nil
  }

  /// The time of the response on the server's clock; `nil` if the server doesn't state it.
  package var serverDate: Date? {
    fields.values(of: "Date").first.flatMap {
      // Only two-digit years depend on the current date, and no server writes those.
      HTTPDate.date(from: $0, now: Date(timeIntervalSince1970: 1_767_225_600))
    }
  }
}
