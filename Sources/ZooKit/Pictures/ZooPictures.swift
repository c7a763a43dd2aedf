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
    animal.pictureLink(number: number).map(address)
  }

  func request(for animal: Animal, number: Int?) throws -> AssetRequest {
    guard let request = pictureRequest(for: animal, number: number) else {
      let which = number.map { "no picture \($0)" } ?? "no picture"
      throw FieldError(
        .pictureMissing, "\(animal.name) has \(which). Show a placeholder.",
        operation: Self.operation)
    }
    return request
  }

  /// Returns the request for the picture at ``address(of:number:)``, or `nil` if there is none.
  func pictureRequest(for animal: Animal, number: Int? = nil) -> AssetRequest? {
    guard let link = animal.pictureLink(number: number) else { return nil }
    var request = AssetRequest(address(of: link), operation: Self.operation)
    // Pictures that were fetched with `http` stay available offline.
    request.originalURL = link.url
    return request
  }

  private func address(of link: ZooLink) -> URL { usesHTTPS ? link.secureURL : link.url }
}

extension Animal {
  /// Returns the link of the picture with the given number, or of the first with a link.
  func pictureLink(number: Int? = nil) -> ZooLink? {
    pictures.first { $0.link != nil && (number == nil || $0.number == number) }?.link
  }
}

/// The transport of a zoo that was created without one.
struct NoTransport: Transport {
  func send(_ request: TransportRequest) async throws -> TransportResponse {
    throw FieldError(
      .offline, "This zoo has no transport. Pass one to fetch pictures.",
      operation: request.operation)
  }
}
