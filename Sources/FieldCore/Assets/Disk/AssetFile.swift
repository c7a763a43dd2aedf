internal import FieldFoundation

/// The format of a file of the cache: a header with a checksum, then the bytes of the asset.
///
/// Numbers are little-endian. See `Docs/decisions/005-asset-cache.md` for the reasons.
///
/// | offset | size | content |
/// |---|---|---|
/// | 0 | 8 | `FKAS`, and line ends that a transfer as text would change |
/// | 8 | 2 | version: 1 |
/// | 10 | 2 | size of the header, including its checksum |
/// | 12 | 4 | CRC-32C of the asset's bytes |
/// | 16 | 8 | number of the asset's bytes |
/// | 24 | 32 | SHA-256 of the key, which is also the name of the file |
/// | 56 | 32 | SHA-256 of the URL |
/// | 88 | 8 | time of the download, seconds since 1970 as a `Double` |
/// | 96 | 8 | time of the last confirmation |
/// | 104 | … | content type, `ETag`, and `Last-Modified`: two bytes of length (65,535 for none), UTF-8 |
/// | … | 4 | CRC-32C of the header up to here |
struct AssetFile {
  static let version: UInt16 = 1
  static let largestHeader = 16_384
  private static let magic = Array("FKAS\r\n".utf8) + [0x1A, 0x0A]
  private static let fixedSize = 104
  private static let longestText = 4096
  private static let noText = UInt16.max

  struct Fault: Error {
    var reason: String
  }

  struct Header {
    var size: Int
    var checksum: UInt32
    var count: Int
    var asset: KeptAsset
  }

  static func bytes(of asset: KeptAsset, key: [UInt8]) -> [UInt8] {
    var header = magic
    header.append(fixed: version)
    header.append(fixed: UInt16(0))
    header.append(fixed: UInt32(0))
    header.append(fixed: UInt64(asset.data.count))
    header += key
    header += asset.address
    header.append(fixed: asset.fetchedAt.timeIntervalSince1970.bitPattern)
    header.append(fixed: asset.confirmedAt.timeIntervalSince1970.bitPattern)
    append(asset.contentType, to: &header)
    append(asset.validators?.entityTag, to: &header)
    append(asset.validators?.lastModified, to: &header)
    let size = header.count + 4
    header.put(fixed: UInt16(size), at: 10)

    var file: [UInt8] = []
    file.reserveCapacity(size + asset.data.count)
    file += header
    file += [0, 0, 0, 0]
    file += asset.data
    file.put(fixed: CRC32C.checksum(file, size..<file.count), at: 12)
    file.put(fixed: CRC32C.checksum(file, 0..<(size - 4)), at: size - 4)
    return file
  }

  static func asset(in file: [UInt8], key: [UInt8]) throws(Fault) -> KeptAsset {
    let header = try header(of: file, fileSize: file.count, key: key)
    guard CRC32C.checksum(file, header.size..<file.count) == header.checksum else {
      throw Fault(reason: "the bytes of the asset are damaged")
    }
    var asset = header.asset
    asset.data = Data(file[header.size...])
    asset.format = AssetFormat(sniffing: asset.data)
    return asset
  }

  /// Returns the header of a file from its first bytes, with an asset without bytes.
  static func header(
    of head: [UInt8], fileSize: Int, key: [UInt8]
  ) throws(Fault) -> Header {
    guard head.starts(with: magic), head.count >= fixedSize + 10 else {
      throw Fault(reason: "the file doesn't begin like a file of the cache")
    }
    let size = Int(head.fixed(at: 10) as UInt16)
    guard size >= fixedSize + 10, size <= min(head.count, largestHeader),
      head.fixed(at: size - 4) == CRC32C.checksum(head, 0..<(size - 4))
    else { throw Fault(reason: "the header is damaged") }
    guard head.fixed(at: 8) == version else {
      throw Fault(reason: "the file was written by another version of the cache")
    }
    guard head[24..<56].elementsEqual(key) else {
      throw Fault(reason: "the file is named for another asset")
    }
    let count = Int(clamping: head.fixed(at: 16) as UInt64)
    guard fileSize - size == count else {
      throw Fault(reason: "the asset has \(fileSize - size) bytes instead of \(count)")
    }
    var place = fixedSize
    let contentType = try text(head, &place, end: size - 4)
    let validators = HTTPValidators(
      entityTag: try text(head, &place, end: size - 4),
      lastModified: try text(head, &place, end: size - 4))
    let asset = KeptAsset(
      data: Data(), format: nil, contentType: contentType, fetchedAt: date(head, at: 88),
      confirmedAt: date(head, at: 96),
      validators: validators == HTTPValidators() ? nil : validators,
      address: Array(head[56..<88]))
    return Header(size: size, checksum: head.fixed(at: 12), count: count, asset: asset)
  }

  private static func date(_ bytes: [UInt8], at place: Int) -> Date {
    Date(timeIntervalSince1970: Double(bitPattern: bytes.fixed(at: place)))
  }

  /// Overlong text is omitted; without a validator, the asset is fetched in full.
  private static func append(_ text: String?, to bytes: inout [UInt8]) {
    guard let text, text.utf8.count <= longestText else { return bytes.append(fixed: noText) }
    bytes.append(fixed: UInt16(text.utf8.count))
    bytes += text.utf8
  }

  private static func text(
    _ bytes: [UInt8], _ place: inout Int, end: Int
  ) throws(Fault) -> String? {
    guard place + 2 <= end else { throw Fault(reason: "the header is too short") }
    let count: UInt16 = bytes.fixed(at: place)
    place += 2
    if count == noText { return nil }
    guard place + Int(count) <= end else { throw Fault(reason: "the header is too short") }
    defer { place += Int(count) }
    return String(decoding: bytes[place..<(place + Int(count))], as: UTF8.self)
  }
}
