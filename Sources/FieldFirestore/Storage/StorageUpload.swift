internal import FieldFoundation

/// An upload that can be resumed, even after the app has been restarted.
///
/// Store the upload until it has finished. It contains a secret URL with which anyone can continue
/// the upload, so keep it private. The value is `Codable`, and no description shows the URL.
public struct StorageUpload: Sendable, Hashable, Codable {
  /// The name of the object.
  public let name: String
  /// The size of the content, in bytes.
  public let size: Int
  /// The CRC-32C checksum of the content.
  public let crc32c: UInt32
  /// The number of bytes that the size of each part must be a multiple of.
  public let granularity: Int
  let session: URL
}

extension StorageUpload: CustomStringConvertible, CustomReflectable {
  /// The name and the size of the object.
  public var description: String { "StorageUpload of \(name), \(size) bytes" }
  /// A mirror that doesn't show the URL.
  public var customMirror: Mirror { Mirror(self, children: ["name": name, "size": size]) }
}
