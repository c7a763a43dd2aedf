internal import FieldCore
internal import FieldFoundation

/// A loader of pictures and icons from the app's folder, the cache, or the network, in that order.
struct CivicPictures: Sendable {
  let cache: AssetCache
  let service: CivicService?
  let folder: URL?

  /// Returns the picture with a file name, or `nil` if the name is `nil`.
  @concurrent
  func asset(named name: String?) async throws -> Asset? {
    guard let name else { return nil }
    let operation = "civic.picture"
    guard MediaName.isPlain(name) else {
      throw FieldError(
        .invalidInput, "“\(name.prefix(100))” isn't the name of a picture file.",
        operation: operation)
    }
    let file = folder?.appending(path: name)
    let isThere = try file.map { try LocalFile.exists(at: $0.path) } ?? false
    guard let url = isThere ? file : service?.mediaURL(of: name) else {
      throw FieldError(
        .noCivicService,
        "The picture \(name) isn't in any folder of the app, and no media URL is set.",
        operation: operation)
    }
    return try await cache.asset(for: AssetRequest(url, operation: operation))
  }
}
