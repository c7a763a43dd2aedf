import FieldKit
import Foundation

/// The kinds of bytes that a visitor may bring, determined by the bytes and not by a name.
enum OwnFormat: Equatable {
  /// A table that isn't compressed.
  case rows
  /// An archive with a timetable.
  case timetable
  /// An archive whose largest table is read.
  case archive(entry: String)

  init(of bytes: [UInt8]) throws {
    if let name = Self.foreign(bytes) {
      throw FieldError(
        .unknownFormat,
        "This is \(name). Drop a CSV, JSON, or GeoJSON file, or a zip archive with one, or a GTFS feed."
      )
    }
    guard
      bytes.starts(with: [0x50, 0x4B, 0x03, 0x04]) || bytes.starts(with: [0x50, 0x4B, 0x05, 0x06])
    else {
      try Self.checkRowCount(bytes)
      self = .rows
      return
    }
    let archive = try ZipArchive(bytes, maximumEntrySize: Int(OwnLimits.archiveSize))
    try Self.checkSize(of: archive)
    let files = archive.entries.filter { !$0.isFolder && !$0.name.hasPrefix("__MACOSX/") }
    let names = Set(files.map { $0.lastPathComponent.lowercased() })
    if names.isSuperset(of: ["stops.txt", "trips.txt", "stop_times.txt"]) {
      self = .timetable
      return
    }
    if names.contains("[content_types].xml") {
      throw FieldError(
        .unknownFormat, "This is an Office document. Save the table as CSV, and drop that.")
    }
    let endings = [".csv", ".json", ".geojson", ".ndjson", ".jsonl", ".tsv", ".txt"]
    let tables = files.filter { file in endings.contains { file.name.lowercased().hasSuffix($0) } }
    guard let largest = tables.max(by: { $0.size < $1.size }) else {
      throw FieldError(
        .unknownFormat,
        "The archive has neither a table nor a GTFS feed, but "
          + "\(files.prefix(5).map(\.name).joined(separator: ", ")).")
    }
    guard largest.size <= OwnLimits.tableSize else {
      throw FieldError(
        .archiveLimit, "\(largest.name) has more than \(OwnLimits.tableSize >> 20) MiB.")
    }
    self = .archive(entry: largest.name)
  }

  /// Refuses an archive that is larger than it seems.
  static func checkSize(of archive: ZipArchive) throws {
    var size: Int64 = 0
    for entry in archive.entries {
      let (sum, isTooLarge) = size.addingReportingOverflow(entry.size)
      guard entry.size >= 0, !isTooLarge, sum <= OwnLimits.archiveSize,
        archive.entries.count < 5_000
      else {
        throw FieldError(
          .archiveLimit,
          "The archive unpacks to more than \(OwnLimits.archiveSize >> 20) MiB, or has too many files."
        )
      }
      size = sum
    }
  }

  /// Refuses a table with so many rows or cells that they would fill the memory before they are counted.
  static func checkRowCount(_ bytes: [UInt8]) throws {
    let first = bytes.first { $0 > 0x20 && $0 < 0x80 }
    let isJSON = first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
    var (lines, objects, arrays, cells) = (0, 0, 0, 0)
    for byte in bytes {
      switch byte {
      case 0x0A, 0x0D: lines += 1
      case UInt8(ascii: "{"): objects += 1
      case UInt8(ascii: "["): arrays += 1
      case UInt8(ascii: ":"): if isJSON { cells += 1 }
      case UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "\t"), UInt8(ascii: "|"):
        if !isJSON { cells += 1 }
      default: break
      }
    }
    let isTooLong =
      isJSON
      ? objects > 5 * OwnLimits.rows || arrays > 20 * OwnLimits.rows : lines > 5 * OwnLimits.rows
    guard !isTooLong else { throw tooManyRows }
    guard cells <= OwnLimits.separators else {
      throw FieldError(
        .responseTooLarge, "The table has more cells than this example can hold in memory.")
    }
  }

  static let tooManyRows = FieldError(
    .responseTooLarge,
    "The table has more than \(OwnLimits.rows) rows, which is the limit of this example.")

  /// Returns the name of a format that has no rows.
  private static func foreign(_ bytes: [UInt8]) -> String? {
    let signs: [(String, [UInt8])] = [
      ("a PDF", Array("%PDF".utf8)), ("a PNG picture", [0x89, 0x50, 0x4E, 0x47]),
      ("a JPEG picture", [0xFF, 0xD8, 0xFF]), ("a GIF picture", Array("GIF8".utf8)),
      ("a gzip file", [0x1F, 0x8B]), ("an old Office document", [0xD0, 0xCF, 0x11, 0xE0]),
      ("a SQLite database", Array("SQLite format 3".utf8)),
      ("a program", [0x7F, 0x45, 0x4C, 0x46]),
    ]
    return signs.first { bytes.starts(with: $0.1) }?.0
  }
}

/// The rows of bytes that a visitor brings.
enum OwnReading {
  /// A value that identifies how rows are read.
  static let fingerprint = "own.rows/1"

  // atlas:begin own
  /// Returns the rows of a table, or of the largest one in an archive.
  ///
  /// - Parameters:
  ///   - charset: The encoding that a server names.
  ///   - lines: Takes the lines in which rows begin.
  static func rows(
    _ bytes: [UInt8], charset: String? = nil, lines: Locked<[Int]>
  ) throws -> Batch<OpenRow> {
    var bytes = bytes
    switch try OwnFormat(of: bytes) {
    case .rows: break
    case .timetable:
      throw FieldError(
        .schema, "This is a timetable now, and it was a table. Remove it, and add it again.")
    case .archive(let entry):
      bytes = try ZipArchive(bytes).bytes(of: entry)
      try OwnFormat.checkRowCount(bytes)
    }
    // As a response, so that a charset that a server names counts.
    let type = charset.map { "text/plain; charset=\($0)" }
    let fields: HTTPHeaderFields = type.map { ["Content-Type": $0] } ?? [:]
    let batch = try Batch<OpenRow>(
      reading: TransportResponse(status: 200, fields: fields, body: .bytes(bytes)))
    guard batch.facts.rowCount <= OwnLimits.rows else { throw OwnFormat.tooManyRows }
    let found = Self.lines(of: bytes, rowCount: batch.facts.rowCount)
    lines.withLock { $0 = found }
    return batch
  }
  // atlas:end own

  /// Returns the numbers of the lines in which rows begin, by their position, from 1; empty if lines aren't rows.
  ///
  /// The rows are all records of separated values but those before the header, if there are as many as were read.
  static func lines(of bytes: [UInt8], rowCount: Int) -> [Int] {
    guard rowCount > 0, bytes.first != 0xFF, bytes.first != 0xFE else { return [] }
    var (starts, line, start, isBlank, isQuoted) = ([Int](), 1, 1, true, false)
    let separators: Set<UInt8> = [0x20, 0x09, 0x2C, 0x3B, 0x7C, 0xEF, 0xBB, 0xBF]
    func end(of starts: inout [Int]) { if !isBlank { starts.append(start) } }
    for (place, byte) in bytes.enumerated() {
      if byte == UInt8(ascii: "\"") {
        isQuoted.toggle()
        isBlank = false
      } else if byte == 0x0A || byte == 0x0D {
        let isPair = byte == 0x0A && place > 0 && bytes[place - 1] == 0x0D
        if !isPair { line += 1 }
        guard !isQuoted else { continue }
        end(of: &starts)
        (start, isBlank) = (line, true)
      } else if !separators.contains(byte) {
        isBlank = false
      }
    }
    end(of: &starts)
    // JSON with a row in each line has no header.
    let isJSON = bytes.first { $0 > 0x20 && $0 < 0x80 } == UInt8(ascii: "{")
    let before = starts.count - rowCount
    guard isJSON ? before == 0 : (1...5).contains(before) else { return [] }
    return Array(starts.dropFirst(before))
  }
}
