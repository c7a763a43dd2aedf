internal import FieldCore

/// Changes of a timetable's sections, whose other bytes are copied as they are.
struct SectionEdits {
  private var replaced: [[UInt8]?] = Array(repeating: nil, count: TimetableSection.allCases.count)
  private var appended: [[UInt8]] = Array(repeating: [], count: TimetableSection.allCases.count)

  /// Replaces all numbers of a section.
  mutating func replace<Number: FixedWidthInteger & BitwiseCopyable>(
    _ section: TimetableSection, with numbers: [Number]
  ) {
    replaced[section.rawValue] = unsafe numbers.withUnsafeBytes { unsafe [UInt8]($0) }
  }

  /// Appends numbers to a section.
  mutating func append<Number: FixedWidthInteger & BitwiseCopyable>(
    _ numbers: [Number], to section: TimetableSection
  ) {
    unsafe numbers.withUnsafeBytes { unsafe appended[section.rawValue] += $0 }
  }

  /// Returns the changed timetable, in an array without head and checksum, because it isn't stored.
  consuming func applied(to base: TimetableStorage) -> (
    bytes: [UInt8], places: [(offset: Int, count: Int)]
  ) {
    var bytes: [UInt8] = []
    var places: [(offset: Int, count: Int)] = []
    let extra = appended.reduce(0) { $0 + $1.count } + replaced.reduce(0) { $0 + ($1?.count ?? 0) }
    bytes.reserveCapacity(base.bytes.count + extra + 8 * replaced.count)
    for section in TimetableSection.allCases {
      while bytes.count & 7 != 0 { bytes.append(0) }
      let (start, row) = (bytes.count, section.width * section.stride)
      if let new = replaced[section.rawValue] {
        bytes += new
      } else {
        let place = base.places[section.rawValue]
        bytes += base.bytes[place.offset..<place.offset + place.count * row]
      }
      bytes += appended[section.rawValue]
      places.append((start, (bytes.count - start) / row))
    }
    return (bytes, places)
  }
}
