public import FieldFoundation

/// What the bytes of an asset are, told by how they begin and never by a name or a header field.
///
/// Servers send web pages with `image/jpeg`, and name pictures `.jpg` that are WebP; the first bytes
/// do not lie.
public struct AssetFormat: RawRepresentable, Hashable, Sendable, Codable, CustomStringConvertible {
  /// The name of the format, such as `jpeg`.
  public var rawValue: String
  /// Makes a format from its name.
  public init(rawValue: String) { self.rawValue = rawValue }
  /// The name of the format.
  public var description: String { rawValue }

  /// JPEG.
  public static var jpeg: Self { Self(rawValue: "jpeg") }
  /// PNG.
  public static var png: Self { Self(rawValue: "png") }
  /// GIF, of 1987 or of 1989.
  public static var gif: Self { Self(rawValue: "gif") }
  /// WebP.
  public static var webp: Self { Self(rawValue: "webp") }
  /// HEIC, and HEIF of other codings but AV1.
  public static var heic: Self { Self(rawValue: "heic") }
  /// AVIF.
  public static var avif: Self { Self(rawValue: "avif") }
  /// A Windows bitmap.
  public static var bmp: Self { Self(rawValue: "bmp") }
  /// TIFF.
  public static var tiff: Self { Self(rawValue: "tiff") }
  /// SVG in plain text.
  public static var svg: Self { Self(rawValue: "svg") }
  /// PDF.
  public static var pdf: Self { Self(rawValue: "pdf") }
  /// A web page, which is what many servers answer in place of a picture.
  public static var html: Self { Self(rawValue: "html") }

  /// The formats of pictures; PDF and web pages are none.
  public static let images: Set<AssetFormat> = [
    .jpeg, .png, .gif, .webp, .heic, .avif, .bmp, .tiff, .svg,
  ]

  /// The format of these bytes, by their first 4,096; nil when it is none of the above.
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
    // Two letters are no proof: the size of the second header has one of seven values.
    if has("BM"), head.count >= 18, has([0, 0, 0, 0], at: 6),
      [12, 40, 52, 56, 64, 108, 124].contains(head.fixed(at: 14) as UInt32)
    {
      return .bmp
    }
    return nil
  }

  /// The brands of an ISO media file (ISO/IEC 14496-12, section 4.3): the major one, then those that
  /// it is compatible with.
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
