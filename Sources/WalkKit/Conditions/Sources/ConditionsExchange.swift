internal import FieldCore
internal import FieldFoundation

/// A request to a weather or air quality service that expects its key in the address.
struct ConditionsExchange {
  var transport: any Transport
  var key: ServiceKey
  var fields: HTTPHeaderFields
  var timeout: Duration

  /// Sends a request and parses the body of the response, whatever its status, because the
  /// service's own words are worth more than the number; errors don't contain the key.
  ///
  /// - Parameter items: The query, which includes the key.
  func value<Value>(
    from address: URL, asking items: [(name: String, value: String)], operation: String,
    _ read: ([UInt8]) throws -> Value
  ) async throws -> Value {
    do {
      guard !key.text.isEmpty else {
        throw FieldError(
          .serviceKeyRefused, "The service needs a key. Request one from its provider.")
      }
      var request = TransportRequest(
        url: try PercentEncoding.url(address, adding: items), fields: fields, timeout: timeout,
        operation: operation)
      // Hourly responses of these services are a few kilobytes long.
      request.responseLimit = 1 << 20
      let answer = try await FieldError.wrapping(
        "The service couldn't be reached.", as: .transport, operation: operation
      ) { try await transport.send(request) }
      do {
        let body = try answer.body.bytes()
        if answer.isSuccess, let refusal = Self.refusal(inText: body) { throw refusal }
        let value = try read(body)
        try answer.checkStatus(operation: operation)
        guard answer.isSuccess else {
          throw FieldError(.status, "The service responded with 304 to an unconditional request.")
        }
        return value
      } catch var error as FieldError {
        if !answer.isSuccess, !Self.ownWords.contains(error.code) {
          if answer.status == 401 || answer.status == 403 {
            error = FieldError(
              .serviceKeyRefused, "HTTP \(answer.status): The service rejected the key.")
          } else {
            try answer.checkStatus(operation: operation)
          }
        }
        error.response = answer.head
        throw error
      }
    } catch var error as FieldError {
      error.operation = error.operation ?? operation
      throw key.hidden(in: error)
    }
  }

  /// Returns the error for a gateway that refuses a request in plain text, such as `Unauthorized`,
  /// with status 200; `nil` for any other body.
  private static func refusal(inText body: [UInt8]) -> FieldError? {
    guard let text = ForeignBody.plainText(body) else { return nil }
    let words = text.lowercased()
    func has(_ signs: [String]) -> Bool { signs.contains { words.contains(bytesOf: $0) } }
    let code: FieldError.Code =
      has(["too many", "limit", "quota"])
      ? .tooManyRequests
      : has(["unauthor", "forbidden", "denied", "key"]) ? .serviceKeyRefused : .conditionsRefused
    return FieldError(code, "The service responded with the text \(text).")
  }

  /// The codes that stand for the service's own errors.
  private static let ownWords: Set<FieldError.Code> = [
    .serviceKeyRefused, .conditionsRefused, .noConditions, .tooManyRequests,
  ]
}

/// The latitude and longitude as sent to services, with three decimal places. That is about a
/// hundred meters, and reveals no more about where the owner lives than weather requires.
struct AskedPlace: Hashable {
  let latitude: String
  let longitude: String

  init(_ coordinate: Coordinate) {
    let place = coordinate.normalized
    latitude = NumberStyle.plain.string(place.latitude, fractionDigits: 3)
    longitude = NumberStyle.plain.string(place.longitude, fractionDigits: 3)
  }
}
