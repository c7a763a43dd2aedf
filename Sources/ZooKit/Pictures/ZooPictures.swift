internal import FieldCore
internal import FieldFoundation

/// The zoo's own pictures, fetched once and cached.
struct ZooPictures: Sendable {
  static let operation = "zoo.picture"

  let cache: AssetCache
  let usesHTTPS: Bool

  /// Returns the URL of an animal's picture: the one with the given number, or the first with a
  /// URL.
  func address(of animal: Animal, number: Int? = nil) -> URL? {
    let picture = animal.pictures.first { $0.link != nil && (number == nil || $0.number == number) }
    return usesHTTPS ? picture?.link?.secureURL : picture?.link?.url
  }

  func request(for animal: Animal, number: Int?) throws -> AssetRequest {
    guard let url = address(of: animal, number: number) else {
      let which = number.map { "no picture \($0)" } ?? "no picture"
      throw FieldError(
        .pictureMissing, "\(animal.name) has \(which). Show a placeholder.",
        operation: Self.operation)
    }
    return request(for: url)
  }

  func request(for url: URL) -> AssetRequest { AssetRequest(url, operation: Self.operation) }
}

/// The transport of a zoo that was created without one.
struct NoTransport: Transport {
  func send(_ request: TransportRequest) async throws -> TransportResponse {
    throw FieldError(
      .offline, "This zoo has no transport. Pass one to fetch pictures.",
      operation: request.operation)
  }
}
