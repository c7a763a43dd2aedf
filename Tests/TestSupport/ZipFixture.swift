/// Writes a zip archive, with what real ones have and what attacks do.
public struct ZipFixture {
  private var archive: [UInt8] = []
  private var directory: [UInt8] = []
  private var count: UInt16 = 0
  private var prefixCount = 0

  /// Begins an archive, after bytes that don't belong to it.
  public init(after prefix: [UInt8] = []) {
    archive = prefix
    prefixCount = prefix.count
  }

  /// Writes files that are stored.
  public init(_ files: [(String, String)]) {
    for (name, text) in files { add(name, Array(text.utf8)) }
  }

  /// Adds a file.
  ///
  /// - Parameters:
  ///   - name: The path.
  ///   - content: The content, for its size and checksum.
  ///   - deflated: The compressed bytes; the content is stored if there are none.
  ///   - hasDescriptor: Whether the sizes follow the data instead of preceding it.
  ///   - isWide: Whether the sizes are in an extra field of Zip64.
  public mutating func add(
    _ name: String, _ content: [UInt8], deflated: [UInt8]? = nil, hasDescriptor: Bool = false,
    localSize: UInt32? = nil, isWide: Bool = false, flags: UInt16 = 0, method: UInt16? = nil,
    size: UInt64? = nil, checksum: UInt32? = nil, at place: UInt32? = nil
  ) {
    let data = deflated ?? content
    let start = UInt32(archive.count - prefixCount)
    let flags = flags | (hasDescriptor ? 8 : 0)
    let method = method ?? (deflated == nil ? 0 : 8)
    let sum = checksum ?? Self.checksum(content)
    let size = size ?? UInt64(content.count)
    archive += Self.bytes(0x0403_4B50 as UInt32) + Self.bytes(20 as UInt16) + Self.bytes(flags)
    archive += Self.bytes(method) + [0, 0, 0, 0] + Self.bytes(hasDescriptor ? 0 : sum)
    archive += Self.bytes(localSize ?? (hasDescriptor ? 0 : UInt32(data.count)))
    archive += Self.bytes(localSize ?? (hasDescriptor ? 0 : UInt32(content.count)))
    archive += Self.bytes(UInt16(name.utf8.count)) + Self.bytes(2 as UInt16) + Array(name.utf8)
    archive += [0, 0] + data
    if hasDescriptor {
      archive += Self.bytes(0x0807_4B50 as UInt32) + Self.bytes(sum)
      archive += Self.bytes(UInt32(data.count)) + Self.bytes(UInt32(content.count))
    }
    let extra =
      isWide
      ? Self.bytes(1 as UInt16) + Self.bytes(16 as UInt16) + Self.bytes(size)
        + Self.bytes(UInt64(data.count)) : []
    directory += Self.bytes(0x0201_4B50 as UInt32) + [45, 0, 20, 0] + Self.bytes(flags)
    directory += Self.bytes(method) + [0, 0, 0, 0] + Self.bytes(sum)
    directory += Self.bytes(isWide ? .max : UInt32(data.count))
    directory += Self.bytes(isWide ? .max : UInt32(clamping: size))
    directory += Self.bytes(UInt16(name.utf8.count)) + Self.bytes(UInt16(extra.count))
    directory += [UInt8](repeating: 0, count: 10) + Self.bytes(place ?? start)
    directory += Array(name.utf8) + extra
    count += 1
  }

  /// The archive, with a Zip64 end record if `isWide`.
  public func bytes(isWide: Bool = false, comment: String = "") -> [UInt8] {
    let start = UInt64(archive.count - prefixCount)
    var bytes = archive + directory
    if isWide {
      let end = UInt64(bytes.count - prefixCount)
      bytes += Self.bytes(0x0606_4B50 as UInt32) + Self.bytes(44 as UInt64) + [45, 0, 45, 0]
      bytes += [UInt8](repeating: 0, count: 8) + Self.bytes(UInt64(count))
      bytes += Self.bytes(UInt64(count)) + Self.bytes(UInt64(directory.count)) + Self.bytes(start)
      bytes += Self.bytes(0x0706_4B50 as UInt32) + [0, 0, 0, 0] + Self.bytes(end) + [1, 0, 0, 0]
    }
    bytes += Self.bytes(0x0605_4B50 as UInt32) + [0, 0, 0, 0]
    bytes += Self.bytes(isWide ? .max : count) + Self.bytes(isWide ? .max : count)
    bytes += Self.bytes(isWide ? .max : UInt32(directory.count))
    bytes += Self.bytes(isWide ? .max : UInt32(start))
    return bytes + Self.bytes(UInt16(comment.utf8.count)) + Array(comment.utf8)
  }

  private static func bytes<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
    (0..<MemoryLayout<Number>.size).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
  }

  /// The checksum, one bit at a time, so that it shares nothing with the package's.
  private static func checksum(_ bytes: [UInt8]) -> UInt32 {
    ~bytes.reduce(UInt32.max) { sum, byte in
      (0..<8).reduce(sum ^ UInt32(byte)) { sum, _ in
        sum & 1 == 1 ? sum >> 1 ^ 0xEDB8_8320 : sum >> 1
      }
    }
  }
}
