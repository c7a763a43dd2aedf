public import FieldCore
public import FieldFoundation

/// The location of a picture in the list.
///
/// A view can load a file or a web URL itself; `Zoo.image(for:)` returns the bytes in all three
/// cases.
public enum ZooPicture: Sendable, Hashable, Codable {
  /// A user's photo in a file, which you mustn't change.
  case file(URL)
  /// A user's photo in a storage without files, such as the one in memory.
  case stored(BlobID)
  /// A zoo's picture at its web URL, which is valid whatever the source has written.
  case remote(URL)

  private enum FileCodingKeys: String, CodingKey { case _0 = "url" }
  private enum StoredCodingKeys: String, CodingKey { case _0 = "blob" }
  private enum RemoteCodingKeys: String, CodingKey { case _0 = "url" }

  /// A Boolean value that indicates whether the picture is a user's photo.
  public var isLocal: Bool { if case .remote = self { false } else { true } }
}
