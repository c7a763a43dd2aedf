/// The central directory of a zip archive.
struct ZipDirectory {
  /// The offset of the directory.
  let start: Int
  private let end: Int
  private let count: UInt64
  /// The number of bytes before the archive, which offsets don't count.
  private let prefix: Int

  /// Finds the directory, from the end of the archive.
  init(_ bytes: Span<UInt8>) throws(FieldError) {
    let place = try Self.endRecord(bytes)
    var count = UInt64(bytes.number(at: place + 10, UInt16.self))
    var size = UInt64(bytes.number(at: place + 12, UInt32.self))
    var offset = UInt64(bytes.number(at: place + 16, UInt32.self))
    var disks = [
      UInt32(bytes.number(at: place + 4, UInt16.self)),
      UInt32(bytes.number(at: place + 6, UInt16.self)),
    ]
    var limit = place
    if let wide = try Self.wideRecord(bytes, before: place) {
      count = bytes.number(at: wide + 32, UInt64.self)
      size = bytes.number(at: wide + 40, UInt64.self)
      offset = bytes.number(at: wide + 48, UInt64.self)
      disks = [
        bytes.number(at: wide + 16, UInt32.self), bytes.number(at: wide + 20, UInt32.self),
      ]
      limit = wide
    }
    guard disks.allSatisfy({ $0 == 0 }) else {
      throw FieldError(
        .unknownFormat, "The archive spans several files. Join them into one archive first.")
    }
    guard size <= UInt64(limit), offset <= UInt64(limit) - size else {
      throw FieldError(
        .cut, "The archive is shorter than its directory says. Download it again.")
    }
    end = limit
    start = limit - Int(size)
    prefix = start - Int(offset)
    self.count = count
  }

  /// Returns the offset of the record that ends the archive, with a comment of up to 64 KiB after it.
  private static func endRecord(_ bytes: Span<UInt8>) throws(FieldError) -> Int {
    guard bytes.count > 0 else { throw FieldError(.emptyBody, "The archive is empty.") }
    var place = bytes.count - 22
    let lowest = max(bytes.count - 22 - 0xFFFF, 0)
    while place >= lowest {
      if bytes[place] == UInt8(ascii: "P"), bytes.number(at: place, UInt32.self) == 0x0605_4B50,
        Int(bytes.number(at: place + 20, UInt16.self)) <= bytes.count - place - 22
      {
        return place
      }
      place -= 1
    }
    guard bytes.begins(with: "PK", at: 0) else {
      throw FieldError(
        .notData, "This isn't a zip archive. Check the URL, and whether it requires signing in.")
    }
    throw FieldError(.cut, "The archive ends before its directory. Download it again.")
  }

  /// Returns the offset of the end record of Zip64, or `nil` if there is none.
  private static func wideRecord(
    _ bytes: Span<UInt8>, before place: Int
  ) throws(FieldError) -> Int? {
    let locator = place - 20
    guard locator >= 0, bytes.number(at: locator, UInt32.self) == 0x0706_4B50 else { return nil }
    // It is at the offset that the locator says, or right before it if something precedes the archive.
    let said = Int(exactly: bytes.number(at: locator + 8, UInt64.self)) ?? .max
    for start in [said, locator - 56] where start >= 0 && start <= locator - 56 {
      if bytes.number(at: start, UInt32.self) == 0x0606_4B50 { return start }
    }
    throw FieldError(
      .malformed, "The archive's directory (Zip64) can't be found. Download it again.")
  }

  /// Reads the entries.
  func entries(_ bytes: Span<UInt8>) throws(FieldError) -> [ZipArchive.Entry] {
    var entries: [ZipArchive.Entry] = []
    var place = start
    while UInt64(entries.count) < count {
      guard place <= end - 46, bytes.number(at: place, UInt32.self) == 0x0201_4B50 else {
        throw FieldError(
          .malformed,
          "The archive's directory has \(entries.count) files instead of \(count). Download it again."
        )
      }
      let nameEnd = place + 46 + Int(bytes.number(at: place + 28, UInt16.self))
      let extraEnd = nameEnd + Int(bytes.number(at: place + 30, UInt16.self))
      let next = extraEnd + Int(bytes.number(at: place + 32, UInt16.self))
      guard next <= end else {
        throw FieldError(.malformed, "The archive's directory is damaged. Download it again.")
      }
      entries.append(try entry(bytes, place, place + 46..<nameEnd, nameEnd..<extraEnd))
      place = next
    }
    return entries
  }

  private func entry(
    _ bytes: Span<UInt8>, _ place: Int, _ nameRange: Range<Int>, _ extra: Range<Int>
  ) throws(FieldError) -> ZipArchive.Entry {
    let flags = bytes.number(at: place + 8, UInt16.self)
    let name = Self.name(bytes, nameRange, isUTF8: flags & 0x800 != 0)
    guard Self.isSafe(name) else {
      throw FieldError(
        .archivePath,
        "The archive names \"\(name.prefix(200))\", which is outside its folder. Don't use it.")
    }
    var wide = WideFields(bytes, extra)
    let size = wide.value(bytes.number(at: place + 24, UInt32.self), bytes)
    let compressedSize = wide.value(bytes.number(at: place + 20, UInt32.self), bytes)
    let offset = wide.value(bytes.number(at: place + 42, UInt32.self), bytes)
    guard let size = Int64(exactly: size), let compressedSize = Int64(exactly: compressedSize),
      let offset = Int(exactly: offset), offset <= start - prefix
    else {
      throw FieldError(
        .malformed, "The archive's directory says that \(name) is outside of it. Download it again."
      )
    }
    return ZipArchive.Entry(
      name: name, size: size, compressedSize: compressedSize, isEncrypted: flags & 0x2041 != 0,
      method: bytes.number(at: place + 10, UInt16.self),
      checksum: bytes.number(at: place + 16, UInt32.self), start: offset + prefix)
  }

  /// Returns a name, which is in UTF-8, or in code page 437 if it isn't valid UTF-8.
  private static func name(_ bytes: Span<UInt8>, _ range: Range<Int>, isUTF8: Bool) -> String {
    let text: String
    if isUTF8 || UTF8Check.isValid(bytes, range) {
      text = bytes.text(range)
    } else {
      text = String(
        range.map { place in
          let byte = bytes[place]
          return byte < 0x80 ? Character(Unicode.Scalar(byte)) : codePage437[Int(byte) - 0x80]
        })
    }
    return text.replacing("\\", with: "/")
  }

  private static let codePage437 = Array(
    "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐"
      + "└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u{A0}")

  private static func isSafe(_ name: String) -> Bool {
    !name.isEmpty && !name.hasPrefix("/") && !name.utf8.contains(0)
      && !name.dropFirst().hasPrefix(":")
      && !name.split(separator: "/").contains("..")
  }
}

/// The fields of Zip64 that replace those of 32 bits.
private struct WideFields {
  private var place = 0
  private var end = 0

  init(_ bytes: Span<UInt8>, _ extra: Range<Int>) {
    var at = extra.lowerBound
    while at <= extra.upperBound - 4 {
      let count = Int(bytes.number(at: at + 2, UInt16.self))
      guard count <= extra.upperBound - at - 4 else { return }
      if bytes.number(at: at, UInt16.self) == 1 {
        (place, end) = (at + 4, at + 4 + count)
        return
      }
      at += 4 + count
    }
  }

  /// Returns a number, or the next one of 64 bits if it stands for that.
  mutating func value(_ short: UInt32, _ bytes: Span<UInt8>) -> UInt64 {
    guard short == .max, place <= end - 8 else { return UInt64(short) }
    defer { place += 8 }
    return bytes.number(at: place, UInt64.self)
  }
}
