internal import FieldCore

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// An exchange with the server of a feed, whatever the form of the feed.
struct FeedExchange {
  var request: HTTPRequest
  var network: MetroNetwork
  var limits: FeedLimits
  var estimateUnit = TDXLiveBoard.EstimateUnit.seconds

  /// Sends the request, conditional when the address has given validators, and reads the answer.
  ///
  /// - Parameter send: What sends a request, and signs it where that is needed.
  func delivery(
    validators: [String: HTTPValidators],
    by send: (HTTPRequest) async throws -> HTTPResponse
  ) async throws -> ArrivalDelivery {
    let address = request.url.absoluteString
    let known = validators[address]
    var question = request
    question.responseLimit = limits.bytes
    known?.apply(to: &question)
    let answer = try await Self.answer(to: question, by: send)
    if answer.status == 304 {
      guard let known else {
        throw FieldError(
          .status, "the server says that nothing has changed, and was not asked that",
          operation: request.operation, response: answer.head)
      }
      return ArrivalDelivery(
        rows: nil, origin: answer.url ?? request.url, serverDate: answer.serverDate,
        validators: [address: known])
    }
    let rows = try Self.reading(answer, operation: request.operation, limit: limits.bytes) {
      let rows = try ArrivalRows(reading: $0, network: network, estimateUnit: estimateUnit)
      try rows.check(limits)
      return rows
    }
    return ArrivalDelivery(
      rows: rows, origin: answer.url ?? request.url, serverDate: answer.serverDate,
      validators: HTTPValidators(answer.fields).map { [address: $0] } ?? [:])
  }

  /// The answer to a request, when it is a success or 304.
  static func answer(
    to request: HTTPRequest, by send: (HTTPRequest) async throws -> HTTPResponse
  ) async throws -> HTTPResponse {
    let answer: HTTPResponse
    do {
      answer = try await send(request)
    } catch {
      throw FieldError.wrapping(
        error, as: .transport, "the metro's feed could not be asked", operation: request.operation)
    }
    try answer.checkStatus(operation: request.operation)
    return answer
  }

  /// What is read from the body of an answer; errors tell of the answer.
  static func reading<Value>(
    _ answer: HTTPResponse, operation: String, limit: Int, _ read: ([UInt8]) throws -> Value
  ) throws -> Value {
    do {
      let bytes = try answer.body.bytes()
      guard bytes.count <= limit else {
        throw FieldError(
          .responseTooLarge, "the feed has \(bytes.count) bytes, and \(limit) are allowed")
      }
      return try read(bytes)
    } catch var error as FieldError {
      error.operation = operation
      error.response = answer.head
      throw error
    }
  }
}
