package import FieldFoundation

extension TransportResponse {
  /// Reads the body; an error tells of the operation and of the answer.
  package func reading<Value>(
    operation: String, _ read: ([UInt8]) throws -> Value
  ) throws -> Value {
    do {
      return try read(try body.bytes())
    } catch var error as FieldError {
      error.operation = operation
      error.response = head
      throw error
    }
  }

  /// The time on the server's clock when it answered; nil when it does not say.
  package var serverDate: Date? {
    fields.values(of: "Date").first.flatMap {
      // Only years of two digits are measured from today, and no server writes those.
      HTTPDate.date(from: $0, now: Date(timeIntervalSince1970: 1_767_225_600))
    }
  }
}
