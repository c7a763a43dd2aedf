internal import FieldCore
internal import FieldFoundation

/// An exchange with a service of weather or air, which wants its key in the address.
struct ConditionsExchange {
  var transport: any Transport
  var key: ServiceKey
  var fields: HTTPHeaderFields
  var timeout: Duration
  /// Hourly answers of these services have some kilobytes.
  static let largestAnswer = 1 << 20

  /// Asks, and reads the body of the answer, whatever its status; errors are told without the key.
  ///
  /// - Parameters:
  ///   - address: Where the service is.
  ///   - items: The question; the key is in it.
  ///   - operation: The id of the request.
  ///   - read: Gives the value, or throws what the body says has gone wrong. It is also asked when the
  ///     status is no success, since what the service says is worth more than the number.
  func value<Value>(
    from address: URL, asking items: [(name: String, value: String)], operation: String,
    _ read: ([UInt8]) throws -> Value
  ) async throws -> Value {
    do {
      guard !key.text.isEmpty else {
        throw FieldError(.serviceKeyRefused, "the service needs a key; ask it for one")
      }
      var request = TransportRequest(
        url: try PercentEncoding.url(address, adding: items), fields: fields, timeout: timeout,
        operation: operation)
      request.responseLimit = Self.largestAnswer
      let answer = try await FieldError.wrapping(
        "the service could not be asked", as: .transport, operation: operation
      ) { try await transport.send(request) }
      do {
        let value = try read(try answer.body.bytes())
        try answer.checkStatus(operation: operation)
        guard answer.isSuccess else {
          throw FieldError(.status, "the service says that nothing has changed, unasked")
        }
        return value
      } catch var error as FieldError {
        if !answer.isSuccess, !Self.ownWords.contains(error.code) {
          if answer.status == 401 || answer.status == 403 {
            error = FieldError(
              .serviceKeyRefused, "HTTP \(answer.status): the service does not accept the key")
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

  /// The codes that tell what the service itself says.
  private static let ownWords: Set<FieldError.Code> = [
    .serviceKeyRefused, .conditionsRefused, .noConditions, .tooManyRequests,
  ]
}

extension URL {
  /// The address up to its query.
  var withoutQuery: URL? {
    URL(string: String(absoluteString.prefix { $0 != "?" && $0 != "#" }))
  }
}

extension Coordinate {
  /// Latitude and longitude as services take them: with three digits behind the point, which is about
  /// a hundred metres and says no more of where somebody lives than weather needs.
  var asked: (latitude: String, longitude: String) {
    let place = normalized
    return (
      NumberStyle.plain.string(place.latitude, fractionDigits: 3),
      NumberStyle.plain.string(place.longitude, fractionDigits: 3)
    )
  }
}
