internal import FieldCore
internal import FieldFoundation

/// A request to the server of a feed, whatever the form of the feed.
struct FeedExchange {
  var request: TransportRequest
  var network: MetroNetwork
  var limits: FeedLimits
  var estimateUnit = TDXLiveBoard.EstimateUnit.seconds

  /// Sends the request, conditional if there are validators for its URL, and reads the response.
  ///
  /// - Parameter send: A closure that sends a request, and signs it if necessary.
  func batch(
    validators: [String: HTTPValidators],
    by send: (TransportRequest) async throws -> TransportResponse
  ) async throws -> Batch<Arrival> {
    let address = request.url.absoluteString
    var limited = request
    limited.responseLimit = limits.bytes
    let conditional = ConditionalRequest(limited, known: validators[address])
    let response = try await Self.answer(to: conditional.request, by: send)
    let answer = try conditional.answer(of: response)
    var batch: Batch<Arrival> =
      try answer.isNew
      ? Self.reading(response, operation: request.operation, limit: limits.bytes) {
        let batch = try Batch<Arrival>(
          reading: $0, network: network, estimateUnit: estimateUnit)
        try batch.check(limits)
        return batch
      } : .notModified()
    batch.facts.origin = response.url ?? request.url
    batch.facts.serverDate = response.serverDate
    batch.facts.validators = answer.validators.map { [address: $0] } ?? [:]
    return batch
  }

  /// Returns the response to a request if it is a success or 304.
  static func answer(
    to request: TransportRequest, by send: (TransportRequest) async throws -> TransportResponse
  ) async throws -> TransportResponse {
    let answer = try await FieldError.wrapping(
      "The metro's feed couldn't be reached.", as: .transport, operation: request.operation
    ) { try await send(request) }
    try answer.checkStatus(operation: request.operation)
    return answer
  }

  /// Returns what `read` reads from a response's body; errors include the response's details.
  static func reading<Value>(
    _ answer: TransportResponse, operation: String, limit: Int, _ read: ([UInt8]) throws -> Value
  ) throws -> Value {
    try answer.reading(operation: operation) { bytes in
      guard bytes.count <= limit else {
        throw FieldError(
          .responseTooLarge, "The feed has \(bytes.count) bytes, but only \(limit) are allowed.")
      }
      return try read(bytes)
    }
  }
}
