/// The name of a blob, which is that of its content: equal bytes have equal ids.
///
/// It is the SHA-256 of the bytes, so an id also proves what it names.
public struct BlobID: Hashable, Sendable, Codable, CustomStringConvertible {
  /// 64 hexadecimal digits in lower case.
  public let hexadecimal: String

  /// The id of these bytes.
  public init(of bytes: [UInt8]) {
    let digits = Array("0123456789abcdef".utf8)
    var text: [UInt8] = []
    for byte in SHA256.digest(of: bytes) {
      text.append(digits[Int(byte >> 4)])
      text.append(digits[Int(byte & 15)])
    }
    hexadecimal = String(decoding: text, as: UTF8.self)
  }

  /// Reads an id back; nil when the text is not 64 hexadecimal digits in lower case.
  public init?(hexadecimal: String) {
    let isGood =
      hexadecimal.utf8.count == 64
      && hexadecimal.utf8.allSatisfy {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
          || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains($0)
      }
    guard isGood else { return nil }
    self.hexadecimal = hexadecimal
  }

  /// Reads the digits.
  public init(from decoder: any Decoder) throws {
    let text = try decoder.singleValueContainer().decode(String.self)
    guard let id = BlobID(hexadecimal: text) else {
      throw DecodingError.dataCorrupted(
        DecodingError.Context(
          codingPath: decoder.codingPath, debugDescription: "\"\(text)\" is no id of a blob"))
    }
    self = id
  }

  /// Writes the digits.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(hexadecimal)
  }

  /// The digits.
  public var description: String { hexadecimal }
}
