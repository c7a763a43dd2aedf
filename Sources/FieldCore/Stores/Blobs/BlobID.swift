/// The ID of a blob, derived from its content: equal bytes have equal IDs.
///
/// It is the SHA-256 of the bytes, so it also verifies them.
public struct BlobID: Hashable, Sendable, Codable, CustomStringConvertible {
  /// The ID as 64 lowercase hexadecimal digits.
  public let hexadecimal: String

  /// Creates the ID of these bytes.
  public init(of bytes: [UInt8]) { self.init(digest: SHA256.digest(of: bytes)) }

  /// Creates the ID of bytes that are read in parts of a multiple of 64 bytes, except for the last.
  init<Failure>(ofParts next: () throws(Failure) -> [UInt8]) throws(Failure) {
    self.init(digest: try SHA256.digest(ofParts: next))
  }

  private init(digest: [UInt8]) {
    hexadecimal = digest.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }

  /// Creates an ID from its digits; returns `nil` unless the text is 64 lowercase hexadecimal
  /// digits.
  public init?(hexadecimal: String) {
    let isGood =
      hexadecimal.utf8.count == 64
      && hexadecimal.utf8.allSatisfy {
        // Bytes below a range wrap to large numbers.
        $0 &- UInt8(ascii: "0") < 10 || $0 &- UInt8(ascii: "a") < 6
      }
    guard isGood else { return nil }
    self.hexadecimal = hexadecimal
  }

  /// Creates an ID from its digits.
  public init(from decoder: any Decoder) throws {
    let text = try decoder.singleValueContainer().decode(String.self)
    guard let id = BlobID(hexadecimal: text) else {
      throw DecodingError.dataCorrupted(
        DecodingError.Context(
          codingPath: decoder.codingPath, debugDescription: "\"\(text)\" isn't the ID of a blob"))
    }
    self = id
  }

  /// Encodes the digits.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(hexadecimal)
  }

  /// The digits.
  public var description: String { hexadecimal }
}
