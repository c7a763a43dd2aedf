internal import FieldCore
internal import FieldFoundation

/// The zoo's own pictures, fetched once and kept.
struct ZooPictures: Sendable {
  static let operation = "zoo.picture"

  let cache: AssetCache
  let usesHTTPS: Bool

  /// Where a picture of an animal is: the one of a number, or the first that has an address.
  func address(of animal: Animal, number: Int? = nil) -> URL? {
    let picture = animal.pictures.first {
      $0.link != nil && (number == nil || $0.number == number)
    }
    return picture?.link?.url(upgradingToHTTPS: usesHTTPS)
  }

  func request(for animal: Animal, number: Int?) throws -> AssetRequest {
    guard let url = address(of: animal, number: number) else {
      let which = number.map { "no picture \($0)" } ?? "no picture"
      throw FieldError(
        .pictureMissing, "\(animal.name) has \(which); show a placeholder",
        operation: Self.operation)
    }
    return request(for: url)
  }

  func request(for url: URL) -> AssetRequest { AssetRequest(url, operation: Self.operation) }
}

/// What stands in for a transport in a zoo that was made without one.
struct NoTransport: Transport {
  func send(_ request: TransportRequest) async throws -> TransportResponse {
    throw FieldError(
      .offline, "this zoo was made without a transport; give it one to fetch pictures",
      operation: request.operation)
  }
}
