internal import FieldCore

/// The files of a feed in an archive.
struct FeedFiles {
  private let archive: ZipArchive?
  /// The entries by lowercase name without folders.
  private var entries: [String: ZipArchive.Entry] = [:]
  /// The bytes of files that aren't in an archive, by name.
  private var contents: [String: [UInt8]] = [:]

  /// Creates a feed of files that aren't in an archive.
  init(_ contents: [String: [UInt8]]) { (archive, self.contents) = (nil, contents) }

  /// Finds the files, which are in the folder of `stops.txt`, the uppermost one if there are several.
  init(_ archive: ZipArchive) throws(FieldError) {
    self.archive = archive
    let files = archive.entries.filter { !$0.isFolder && !$0.name.hasPrefix("__MACOSX/") }
    let depth = { (entry: ZipArchive.Entry) in entry.name.utf8.count { $0 == UInt8(ascii: "/") } }
    let stops =
      files
      .filter { $0.lastPathComponent.lowercased() == "stops.txt" }
      .min { depth($0) < depth($1) }
    guard let stops else {
      throw FieldError(
        .schema, "The archive has no file stops.txt, so it isn't a GTFS feed. Check its URL.")
    }
    let folder = stops.name.dropLast(stops.lastPathComponent.count)
    for entry in files where entry.name.dropLast(entry.lastPathComponent.count) == folder {
      entries[entry.lastPathComponent.lowercased()] = entry
    }
  }

  private func bytes(_ name: String) throws(FieldError) -> [UInt8]? {
    guard let archive, let entry = entries[name] else { return contents[name] }
    return try archive.bytes(of: entry)
  }

  /// Returns a file, or `nil` if the feed doesn't have it or it is empty.
  func file(_ name: String) throws(FieldError) -> FeedFile? {
    guard let bytes = try bytes(name) else { return nil }
    do throws(FieldError) {
      return try FieldError.naming(name) { () throws(FieldError) in
        FeedFile(name: name, table: try CSVTable(bytes))
      }
    } catch {
      if error.code == .emptyBody { return nil }
      throw error
    }
  }
}

/// A file of a feed.
struct FeedFile {
  let name: String
  let table: CSVTable

  /// Calls a closure with each row that can be read, and reports the others.
  ///
  /// - Parameters:
  ///   - columns: The names of the columns, in the order in which the rows have them.
  ///   - required: The number of the first columns that the file must have.
  ///   - lost: A closure to call with each row that can't be read, after it was reported. Defaults to nothing.
  func forEachRow(
    _ columns: [String], required: Int, _ log: inout FeedLog,
    lost: (FeedRow, inout FeedLog) -> Void = { _, _ in },
    _ body: (FeedRow, inout FeedLog) -> Void
  ) throws(FieldError) {
    let places = columns.map(table.column)
    for place in 0..<required where places[place] == nil {
      throw FieldError(
        .schema, "\(name) has no column \(columns[place]). Check whether it is a GTFS feed.",
        problems: table.names.prefix(50).map { "\($0) is a column" })
    }
    try FieldError.naming(name) { () throws(FieldError) in
      try unsafe table.bytes.withUnsafeBufferPointer { bytes throws(FieldError) in
        try unsafe table.forEachRow(places) { index, range, cells, problem in
          let row = unsafe FeedRow(index, range, table, bytes, cells)
          guard let problem else { return body(row, &log) }
          log.add(Self.reason(problem), row, self)
          lost(row, &log)
        }
      }
    }
  }

  private static func reason(_ problem: CSVTable.Problem) -> String {
    switch problem {
    case .excess: "it has more cells than the header"
    case .brokenQuotes: "text follows quotes around a line break"
    case .encoding: "its text isn't UTF-8"
    }
  }
}
