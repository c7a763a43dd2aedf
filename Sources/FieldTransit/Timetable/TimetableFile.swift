internal import FieldCore

/// The layout of a compiled timetable.
///
/// | offset | bytes | content |
/// |---|---|---|
/// | 0 | 8 | `FKTT`, CR, LF, 0x1A, LF |
/// | 8 | 4 | the version of the format |
/// | 12 | 4 | the number of sections |
/// | 16 | 8 | the length of the file |
/// | 24 | 16 each | the offset and the number of rows of each section |
/// | | | the sections, each at a multiple of 8 |
/// | end - 4 | 4 | the CRC-32C of all bytes before |
enum TimetableFile {
  static let magic: [UInt8] = Array("FKTT\r\n".utf8) + [0x1A, 0x0A]
  static let version: UInt32 = 2
  static var headSize: Int { 24 + TimetableSection.allCases.count * 16 }

  /// Writes a file.
  struct Writer {
    private var sections = [[UInt8]](repeating: [], count: TimetableSection.allCases.count)

    /// Sets the numbers of a section.
    mutating func set<Number: FixedWidthInteger & BitwiseCopyable>(
      _ section: TimetableSection, _ numbers: [Number]
    ) {
      var numbers = numbers
      if Number.bitWidth > 8, Number(littleEndian: 1) != 1 {
        for place in numbers.indices { numbers[place] = numbers[place].littleEndian }
      }
      sections[section.rawValue] = unsafe numbers.withUnsafeBytes { unsafe [UInt8]($0) }
    }

    consuming func finish() -> [UInt8] {
      let ends = sections.reduce(TimetableFile.headSize) { ($0 + 7) & ~7 + $1.count }
      var bytes = TimetableFile.magic
      bytes.reserveCapacity(ends + 12)
      bytes.append(fixed: TimetableFile.version)
      bytes.append(fixed: UInt32(sections.count))
      let total = (ends + 7) & ~7 + 4
      bytes.append(fixed: UInt64(total))
      var place = TimetableFile.headSize
      for section in TimetableSection.allCases {
        place = (place + 7) & ~7
        let count = sections[section.rawValue].count
        bytes.append(fixed: UInt64(place))
        bytes.append(fixed: UInt64(count / section.width / section.stride))
        place += count
      }
      for section in sections {
        while bytes.count & 7 != 0 { bytes.append(0) }
        bytes += section
      }
      while bytes.count & 7 != 0 { bytes.append(0) }
      bytes.append(fixed: bytes.withByteSpan { CRC32C.checksum($0) })
      return bytes
    }
  }

  /// Returns the offset and the number of rows of each section.
  ///
  /// - Throws: ``/FieldCore/FieldError`` if the bytes aren't a timetable, or aren't intact.
  static func places(
    _ bytes: [UInt8]
  ) throws(FieldError) -> [(offset: Int, count: Int)] {
    guard bytes.starts(with: magic) else {
      throw FieldError(
        .notData, "This isn't a compiled timetable. Compile it from the feed again.")
    }
    guard bytes.count >= headSize + 4 else { throw damaged }
    guard bytes.fixed(at: 8) == version else {
      throw FieldError(
        .newerFormat,
        "The timetable has another format than this version reads. Compile it from the feed again.")
    }
    let sections = TimetableSection.allCases
    let end = bytes.count - 4
    guard bytes.fixed(at: 12) == UInt32(sections.count), bytes.fixed(at: 16) == UInt64(bytes.count),
      bytes.fixed(at: end)
        == bytes.withByteSpan({ CRC32C.checksum($0.extracting(0..<end)) })
    else { throw damaged }
    var places: [(offset: Int, count: Int)] = []
    for section in sections {
      let entry = 24 + section.rawValue * 16
      guard let offset = Int(exactly: bytes.fixed(at: entry) as UInt64),
        let count = Int(exactly: bytes.fixed(at: entry + 8) as UInt64),
        offset >= headSize, offset & 7 == 0, offset <= end,
        count <= (end - offset) / (section.width * section.stride)
      else { throw damaged }
      places.append((offset, count))
    }
    return places
  }

  static var damaged: FieldError {
    FieldError(.damaged, "The compiled timetable is damaged. Compile it from the feed again.")
  }
}

extension Timetable {
  /// The version of the compiled form.
  package static var formatVersion: UInt32 { TimetableFile.version }
}
