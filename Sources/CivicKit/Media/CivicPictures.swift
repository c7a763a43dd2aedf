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

/// The index of the current banner among several, which always stays in range.
public struct BannerPager: Sendable, Hashable, Codable {
  /// The number of banners.
  public let count: Int
  /// The index of the current banner; 0 if there is none.
  public private(set) var index: Int

  /// Creates a pager, moving an index that is out of range to the nearest one in range.
  public init(count: Int, index: Int = 0) {
    self.count = max(0, count)
    self.index = min(max(0, index), max(0, count - 1))
  }

  /// Moves by a number of banners, backward if it is negative, and stops at the first or last one.
  public mutating func move(by steps: Int) {
    let (sum, overflows) = index.addingReportingOverflow(steps)
    self = BannerPager(count: count, index: overflows ? (steps > 0 ? .max : 0) : sum)
  }
}

/// The names of picture files, as the source's tables contain them.
enum MediaName {
  /// Returns whether a name is a plain file name that can't lead to another folder.
  static func isPlain(_ name: String) -> Bool {
    !name.isEmpty && name != "." && name != ".." && name.utf8.count <= 255
      // Compares bytes: a slash with a combining accent is another character, but still a
      // separator.
      && !name.utf8.contains { [UInt8(ascii: "/"), UInt8(ascii: "\\"), 0].contains($0) }
  }
}
