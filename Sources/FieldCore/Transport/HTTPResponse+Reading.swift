extension HTTPResponse {
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
}
