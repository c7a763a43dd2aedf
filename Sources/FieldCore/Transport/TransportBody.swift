public import FieldFoundation

/// The body of a request or a response.
public enum TransportBody: Sendable, Hashable {
  /// Bytes in memory.
  case bytes([UInt8])
  /// The content of a file.
  case file(URL)

  /// Returns a body of UTF-8 text.
  public static func text(_ text: String) -> TransportBody { .bytes(Array(text.utf8)) }

  /// Returns a body of the bytes of `data`.
  public static func data(_ data: Data) -> TransportBody { .bytes([UInt8](data)) }

  /// Returns the bytes, read from the file if the body is one.
  ///
  /// - Throws: ``FieldError`` with the code ``FieldError/Code/io`` if the file can't be read.
  public func bytes() throws -> [UInt8] {
    switch self {
    case .bytes(let bytes):
      return bytes
    case .file(let url):
      do {
        return [UInt8](try Data(contentsOf: url))
      } catch {
        throw LocalFile.unreadable(url, error)
      }
    }
  }
}
