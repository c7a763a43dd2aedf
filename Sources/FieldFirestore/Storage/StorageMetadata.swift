package import FieldCore
internal import FieldFoundation

/// The metadata of an object in a bucket.
public struct StorageMetadata: Sendable, Hashable, Codable {
  /// The name of the object, such as `walks/1/photo.jpg`.
  public var name: String
  /// The generation of the content, which changes whenever the content is replaced.
  public var generation: String?
  /// The size of the content, in bytes.
  public var size: Int
  /// The type of the content.
  public var contentType: String?
  /// The CRC-32C checksum of the content, or `nil` if the server doesn't report it.
  ///
  /// Without it, ``StorageClient`` verifies only the ``size``.
  public var crc32c: UInt32?
  /// The MD5 checksum of the content in base64, or `nil` if the server doesn't report it.
  ///
  /// It isn't verified.
  public var md5: String?
  /// The time at which the content was uploaded.
  public var created: FirestoreTimestamp?
  /// The time of the last change, of the content or of this metadata.
  public var updated: FirestoreTimestamp?
  /// The app's metadata.
  public var custom: [String: String]

  /// Creates metadata.
  public init(
    name: String, generation: String? = nil, size: Int = 0, contentType: String? = nil,
    crc32c: UInt32? = nil, md5: String? = nil, created: FirestoreTimestamp? = nil,
    updated: FirestoreTimestamp? = nil, custom: [String: String] = [:]
  ) {
    self.name = name
    self.generation = generation
    self.size = size
    self.contentType = contentType
    self.crc32c = crc32c
    self.md5 = md5
    self.created = created
    self.updated = updated
    self.custom = custom
  }

  /// Creates metadata from the server's JSON.
  ///
  /// Its download tokens are secrets, and aren't kept.
  package init(json: JSONValue, operation: String) throws(FieldError) {
    guard let name = json["name"]?.string, let size = json["size"]?.integer, size >= 0 else {
      throw FieldError(
        .schema,
        "The response isn't an object's metadata: \(json.canonicalText.prefix(80)). Check the "
          + "URL.", operation: operation)
    }
    self.init(
      name: name, generation: json["generation"]?.string, size: size,
      contentType: json["contentType"]?.string,
      crc32c: json["crc32c"]?.string.flatMap(Self.checksum), md5: json["md5Hash"]?.string,
      created: FirestoreClient.time(json["timeCreated"]),
      updated: FirestoreClient.time(json["updated"]))
    if case .object(let members)? = json["metadata"] {
      for member in members { custom[member.key] = member.value.string }
    }
  }

  /// The checksum is the base64 encoding of 4 bytes in big-endian order.
  private static func checksum(_ text: String) -> UInt32? {
    guard let bytes = FirestoreValue.base64(text), bytes.count == 4 else { return nil }
    return bytes.reduce(0) { $0 << 8 | UInt32($1) }
  }
}

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
