public import FieldFoundation

/// The size and the location of a blob.
public struct BlobStatus: Sendable, Hashable, Codable {
  /// The size of the blob, in bytes.
  public var byteCount: Int
  /// The file that contains the blob, or `nil` if the store doesn't use files.
  ///
  /// You can display or send the file without a copy, but must never change it.
  public var file: URL?

  /// Creates a description of a blob.
  public init(byteCount: Int, file: URL? = nil) {
    self.byteCount = byteCount
    self.file = file
  }
}

extension BlobStore {
  /// Returns the status after reading the blob to count its bytes.
  public func status(of id: BlobID) async throws -> BlobStatus? {
    try await bytes(of: id).map { BlobStatus(byteCount: $0.count) }
  }
}
