#if SQLite
  internal import FieldCore
  internal import FieldFoundation

  /// A database file together with the files that SQLite keeps beside it while it is changed.
  struct SQLiteOriginal {
    let url: URL
    private let files = PosixFileSystem()

    init(_ url: URL) { self.url = url }

    /// The suffixes of the file itself, of its write-ahead log, and of its journal.
    static let suffixes = ["", "-wal", "-journal"]

    /// Checks that the file exists and has a plausible size.
    ///
    /// A city's database has less than a megabyte; a file of hundreds of megabytes is something
    /// else.
    ///
    /// - Throws: `FieldError` with the code `store.io` or `civic.notADatabase`.
    func check() throws(FieldError) {
      let stamps = try stamps()
      guard let file = stamps[0], !file.isDirectory else {
        throw FieldError(.io, "There is no file \(url.lastPathComponent).")
      }
      guard stamps.allSatisfy({ $0.map(\.size) ?? 0 <= 256 << 20 }) else {
        throw FieldError(.notADatabase, "\(url.lastPathComponent) is larger than 256 MiB.")
      }
    }

    func hasLog() throws(FieldError) -> Bool { try stamps()[1].map(\.size) ?? 0 > 0 }

    /// Returns whether the database uses a write-ahead log, according to its header.
    func usesWAL() throws(FieldError) -> Bool {
      try reading { () throws(FileSystemError) in
        let file = try files.openFile(url.path, .reading)
        defer { try? files.closeFile(file) }
        return try files.read(file, at: 18, count: 2).contains(2)
      }
    }

    /// Returns the statuses of the file and of those beside it, in the order of ``suffixes``, which
    /// reveal a write; `nil` for a file that doesn't exist.
    func stamps() throws(FieldError) -> [FileStatus?] {
      try reading { () throws(FileSystemError) in
        try Self.suffixes.map { suffix throws(FileSystemError) in
          try files.status(at: url.path + suffix)
        }
      }
    }

    private func reading<Result>(
      _ body: () throws(FileSystemError) -> Result
    ) throws(FieldError) -> Result {
      do {
        return try body()
      } catch {
        throw FieldError(.io, "\(url.lastPathComponent) can't be read.", underlying: error)
      }
    }
  }

  /// A copy of a database and of the files beside it, in a folder that is removed with this object.
  final class SQLiteCopy: Sendable {
    let url: URL
    private let folder: URL

    /// Copies a database in its state at one moment.
    ///
    /// - Throws: `FieldError` with the code `store.io` if a file can't be copied or is written to
    ///   during every attempt.
    init(of original: SQLiteOriginal) throws {
      folder = FileManager.default.temporaryDirectory.appending(
        path: "fieldkit-civic-\(UUID().uuidString)")
      url = folder.appending(path: "copy.sqlite")
      for _ in 0..<20 {
        let before = try original.stamps()
        let copied = Result { try copyFiles(of: original) }
        guard try original.stamps() == before else { continue }
        guard case .failure(let failure) = copied else { return }
        throw FieldError(
          .io, "\(original.url.lastPathComponent) can't be copied to read it.", underlying: failure)
      }
      throw FieldError(
        .io, "\(original.url.lastPathComponent) is being written. Read it again later.")
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    private func copyFiles(of original: SQLiteOriginal) throws {
      let manager = FileManager.default
      if manager.fileExists(atPath: folder.path) { try manager.removeItem(at: folder) }
      try manager.createDirectory(
        at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
      for suffix in SQLiteOriginal.suffixes {
        let source = original.url.path + suffix
        // Without its log, the database would lack the last changes.
        guard try LocalFile.exists(at: source) else { continue }
        try manager.copyItem(atPath: source, toPath: url.path + suffix)
        try manager.setAttributes([.posixPermissions: 0o600], ofItemAtPath: url.path + suffix)
      }
    }
  }
#endif
