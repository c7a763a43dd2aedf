import Foundation

/// The size of a picture in pixels, read from its header without decoding the picture.
///
/// A file of a few kilobytes can have a size whose decoding takes gigabytes, in the browser that shows it.
struct PictureSize: Equatable, Sendable {
  /// The maximum number of pixels of a picture that the server stores or sends.
  ///
  /// Phones take up to 108 megapixels, except in special modes of 200.
  static let pixelLimit = 128_000_000

  var width: Int
  var height: Int

  /// A Boolean value that indicates whether the picture may be decoded.
  var isReasonable: Bool {
    let (pixels, isLarge) = width.multipliedReportingOverflow(by: height)
    return !isLarge && pixels <= Self.pixelLimit
  }

  /// Returns the largest size that a picture declares, or `nil` if it declares none, and so can't be decoded, or
  /// if its format isn't known.
  static func largest(in data: Data) -> PictureSize? {
    let bytes = PictureBytes(bytes: [UInt8](data))
    let sizes: [PictureSize]
    if bytes.has([0xFF, 0xD8, 0xFF], at: 0) {
      sizes = bytes.jpegSizes()
    } else if bytes.has([0x89, 0x50, 0x4E, 0x47], at: 0) {
      sizes = bytes.pngSizes()
    } else if bytes.has(Array("GIF8".utf8), at: 0) {
      sizes = bytes.gifSizes()
    } else if bytes.has(Array("RIFF".utf8), at: 0), bytes.has(Array("WEBP".utf8), at: 8) {
      sizes = bytes.webpSizes()
    } else if bytes.has(Array("ftyp".utf8), at: 4) {
      sizes = bytes.mediaSizes()
    } else if bytes.has(Array("BM".utf8), at: 0) {
      sizes = bytes.bitmapSizes()
    } else {
      sizes = bytes.tiffSizes()
    }
    return sizes.max { Double($0.width) * Double($0.height) < Double($1.width) * Double($1.height) }
  }
}

/// The bytes of a picture; a number beyond their end is `nil`.
private struct PictureBytes {
  let bytes: [UInt8]

  func has(_ part: [UInt8], at place: Int) -> Bool {
    place >= 0 && place <= bytes.count && bytes[place...].starts(with: part)
  }

  func number(_ size: Int, at place: Int, isLittle: Bool = false) -> Int? {
    guard place >= 0, place <= bytes.count - size else { return nil }
    let part = bytes[place..<place + size]
    return (isLittle ? part.reversed() : Array(part)).reduce(0) { $0 << 8 | Int($1) }
  }

  private func size(
    _ size: Int, at place: Int, isLittle: Bool = false, more: Int = 0
  ) -> [PictureSize] {
    guard let width = number(size, at: place, isLittle: isLittle),
      let height = number(size, at: place + size, isLittle: isLittle)
    else { return [] }
    return [PictureSize(width: width + more, height: height + more)]
  }

  /// ITU T.81, annex B: the frames before the first scan.
  func jpegSizes() -> [PictureSize] {
    var sizes: [PictureSize] = []
    var place = 2
    while let mark = number(1, at: place), let kind = number(1, at: place + 1) {
      guard mark == 0xFF, kind != 0xFF, kind != 0 else {
        // Decoders skip what isn't a marker.
        place += 1
        continue
      }
      if kind == 0xDA || kind == 0xD9 { break }
      if kind == 0x01 || (0xD0...0xD8).contains(kind) {
        place += 2
        continue
      }
      guard let length = number(2, at: place + 2) else { break }
      if (0xC0...0xCF).contains(kind), ![0xC4, 0xC8, 0xCC].contains(kind),
        let height = number(2, at: place + 5), let width = number(2, at: place + 7)
      {
        sizes.append(PictureSize(width: width, height: height))
      }
      place += 2 + max(length, 2)
    }
    return sizes
  }

  func pngSizes() -> [PictureSize] { size(4, at: 16) }

  /// The screen of a GIF and its frames, which may be larger.
  func gifSizes() -> [PictureSize] {
    var sizes = size(2, at: 6, isLittle: true)
    func afterColors(_ flags: Int, _ place: Int) -> Int {
      flags & 0x80 == 0 ? place : place + 3 << (flags & 7 + 1)
    }
    guard let flags = number(1, at: 10) else { return sizes }
    var place = afterColors(flags, 13)
    while let kind = number(1, at: place), kind == 0x2C || kind == 0x21 {
      if kind == 0x2C {
        sizes += size(2, at: place + 5, isLittle: true)
        guard let flags = number(1, at: place + 9) else { break }
        place = afterColors(flags, place + 10) + 1
      } else {
        place += 2
      }
      while let length = number(1, at: place), length > 0 { place += 1 + length }
      place += 1
    }
    return sizes
  }

  func webpSizes() -> [PictureSize] {
    if has(Array("VP8X".utf8), at: 12) { return size(3, at: 24, isLittle: true, more: 1) }
    if has(Array("VP8L".utf8), at: 12), let bits = number(4, at: 21, isLittle: true) {
      return [PictureSize(width: bits & 0x3FFF + 1, height: bits >> 14 & 0x3FFF + 1)]
    }
    return size(2, at: 26, isLittle: true).map {
      PictureSize(width: $0.width & 0x3FFF, height: $0.height & 0x3FFF)
    }
  }

  /// The properties of all items of a HEIC or AVIF file (ISO/IEC 23008-12, section 6.5.3).
  func mediaSizes() -> [PictureSize] {
    let name = Array("ispe".utf8)
    return bytes.indices.dropLast(3).flatMap { place in
      bytes[place] == name[0] && has(name, at: place) ? size(4, at: place + 8) : []
    }
  }

  /// A bitmap's height is negative if its rows are in order.
  func bitmapSizes() -> [PictureSize] {
    if number(4, at: 14, isLittle: true) == 12 { return size(2, at: 18, isLittle: true) }
    return size(4, at: 18, isLittle: true).map {
      PictureSize(width: $0.width, height: Int(Int32(truncatingIfNeeded: $0.height).magnitude))
    }
  }

  /// The first directories of a TIFF file.
  func tiffSizes() -> [PictureSize] {
    let isLittle = has([0x49, 0x49, 0x2A, 0], at: 0)
    guard isLittle || has([0x4D, 0x4D, 0, 0x2A], at: 0) else { return [] }
    var sizes: [PictureSize] = []
    var place = number(4, at: 4, isLittle: isLittle)
    for _ in 0..<16 {
      guard let start = place, start > 0, let count = number(2, at: start, isLittle: isLittle)
      else { break }
      var found = PictureSize(width: 0, height: 0)
      for entry in 0..<count {
        let field = start + 2 + entry * 12
        guard let tag = number(2, at: field, isLittle: isLittle),
          let type = number(2, at: field + 2, isLittle: isLittle)
        else { break }
        let value = number(type == 3 ? 2 : 4, at: field + 8, isLittle: isLittle) ?? 0
        if tag == 256 { found.width = value }
        if tag == 257 { found.height = value }
      }
      sizes.append(found)
      place = number(4, at: start + 2 + count * 12, isLittle: isLittle)
    }
    return sizes
  }
}
