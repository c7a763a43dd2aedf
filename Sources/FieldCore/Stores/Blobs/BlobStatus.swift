public import FieldFoundation

/// What is known of a blob without reading it.
public struct BlobStatus: Sendable, Hashable, Codable {
  /// How many bytes it has.
  public var byteCount: Int
  /// The file that it is in, to be shown or sent without a copy, and never to be changed; nil for a
  /// store that keeps its blobs elsewhere.
  public var file: URL?

  /// Makes a description of a blob.
  public init(byteCount: Int, file: URL? = nil) {
    self.byteCount = byteCount
    self.file = file
  }
}

extension BlobStore {
  /// Reads the blob to count its bytes; a store that knows better has its own.
  public func status(of id: BlobID) async throws -> BlobStatus? {
    try await bytes(of: id).map { BlobStatus(byteCount: $0.count) }
  }
}
