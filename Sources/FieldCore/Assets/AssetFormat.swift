public import FieldFoundation

/// The format of an asset, detected from its first bytes and never from a name or a header field.
///
/// Servers send HTML pages as `image/jpeg` and name WebP pictures `.jpg`; the first bytes don't
/// lie.
public struct AssetFormat: RawRepresentable, Hashable, Sendable, Codable, CustomStringConvertible {
  /// The name of the format, such as `jpeg`.
  public var rawValue: String
  /// Creates a format with a name.
  public init(rawValue: String) { self.rawValue = rawValue }
  /// The name of the format.
  public var description: String { rawValue }

  /// The JPEG format.
  public static var jpeg: Self { Self(rawValue: "jpeg") }
  /// The PNG format.
  public static var png: Self { Self(rawValue: "png") }
  /// The GIF format, version 87a or 89a.
  public static var gif: Self { Self(rawValue: "gif") }
  /// The WebP format.
  public static var webp: Self { Self(rawValue: "webp") }
  /// The HEIC format, and HEIF with any codec except AV1.
  public static var heic: Self { Self(rawValue: "heic") }
  /// The AVIF format.
  public static var avif: Self { Self(rawValue: "avif") }
  /// The Windows bitmap format.
  public static var bmp: Self { Self(rawValue: "bmp") }
  /// The TIFF format.
  public static var tiff: Self { Self(rawValue: "tiff") }
  /// The SVG format, uncompressed.
  public static var svg: Self { Self(rawValue: "svg") }
  /// The PDF format.
  public static var pdf: Self { Self(rawValue: "pdf") }
  /// An HTML page, which many servers return in place of a picture.
  public static var html: Self { Self(rawValue: "html") }

  /// The picture formats, which don't include PDF and HTML.
  public static let images: Set<AssetFormat> = [
    .jpeg, .png, .gif, .webp, .heic, .avif, .bmp, .tiff, .svg,
  ]

  /// Creates the format of data from its first 4,096 bytes; returns `nil` for any other format.
  public init?(sniffing data: Data) {
    let head = [UInt8](data.prefix(4096))
    guard let format = Self.binary(head) ?? AssetMarkup.format(head) else { return nil }
    self = format
  }

  private static func binary(_ head: [UInt8]) -> AssetFormat? {
    func has(_ bytes: [UInt8], at place: Int = 0) -> Bool {
      head.dropFirst(place).starts(with: bytes)
    }
    func has(_ text: String, at place: Int = 0) -> Bool { has(Array(text.utf8), at: place) }

    if has([0xFF, 0xD8, 0xFF]) { return .jpeg }
    if has([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) { return .png }
    if has("GIF87a") || has("GIF89a") { return .gif }
    if has("RIFF"), has("WEBP", at: 8) { return .webp }
    if has([0x49, 0x49, 0x2A, 0x00]) || has([0x4D, 0x4D, 0x00, 0x2A]) { return .tiff }
    if has("%PDF-") { return .pdf }
    if has("ftyp", at: 4) { return still(brands(head)) }
    // Two letters aren't proof, so check that the second header's size is one of the seven in use.
    if has("BM"), head.count >= 18, has([0, 0, 0, 0], at: 6),
      [12, 40, 52, 56, 64, 108, 124].contains(head.fixed(at: 14) as UInt32)
    {
      return .bmp
    }
    return nil
  }

  /// Returns the brands of an ISO media file (ISO/IEC 14496-12, section 4.3): the major brand, then
  /// the compatible ones.
  private static func brands(_ head: [UInt8]) -> [String] {
    guard head.count >= 16 else { return [] }
    let size = head[0..<4].reduce(0) { $0 << 8 | Int($1) }
    let places = [8] + stride(from: 16, to: min(size, head.count) - 3, by: 4)
    return places.map { String(decoding: head[$0..<($0 + 4)], as: UTF8.self) }
  }

  private static func still(_ brands: [String]) -> AssetFormat? {
    if !Set(["avif", "avis"]).isDisjoint(with: brands) { return .avif }
    let pictures: Set = ["heic", "heix", "heim", "heis", "hevc", "hevx", "mif1", "msf1"]
    return pictures.isDisjoint(with: brands) ? nil : .heic
  }
}
