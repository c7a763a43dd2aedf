public import FieldCore
public import FieldFoundation

/// Where a picture of the list can be had.
///
/// A view may take a file or an address itself; `Zoo.image(for:)` gives the
/// bytes of all three.
public enum ZooPicture: Sendable, Hashable, Codable {
  /// A photo of the user's, in a file that is not to be changed.
  case file(URL)
  /// A photo of the user's in a storage that has no files, such as the one in memory.
  case stored(BlobID)
  /// A picture of the zoo's at its web address, which is valid whatever the source has written.
  case remote(URL)

  private enum FileCodingKeys: String, CodingKey { case _0 = "url" }
  private enum StoredCodingKeys: String, CodingKey { case _0 = "blob" }
  private enum RemoteCodingKeys: String, CodingKey { case _0 = "url" }

  /// Whether it is a photo of the user's.
  public var isLocal: Bool {
    if case .remote = self { false } else { true }
  }
}
