public import FieldFoundation

/// A reader of files that a user names, with helpful errors.
package enum LocalFile {
  /// Returns the bytes of a regular file.
  ///
  /// - Parameters:
  ///   - limit: The maximum size, in bytes.
  ///   - advice: The alternative to suggest for a URL that isn't a file URL.
  /// - Throws: ``FieldError`` with the code ``FieldError/Code/invalidInput`` for a URL that isn't a
  ///   file URL, ``FieldError/Code/io`` if the file doesn't exist or can't be read, and
  ///   ``FieldError/Code/responseTooLarge``.
  package static func bytes(
    of url: URL, limit: Int = .max, advice: String
  ) throws(FieldError) -> [UInt8] {
    guard url.isFileURL else {
      throw FieldError(.invalidInput, "\(url.absoluteString) isn't a file. \(advice)")
    }
    let attributes: [FileAttributeKey: Any]
    do {
      attributes = try FileManager.default.attributesOfItem(
        atPath: url.resolvingSymlinksInPath().path)
    } catch {
      throw unreadable(url, error)
    }
    guard attributes[.type] as? FileAttributeType == .typeRegular else {
      throw FieldError(
        .io, "\(url.path) isn't a regular file. Pass one file.")
    }
    if let size = attributes[.size] as? UInt, size > UInt(clamping: limit) {
      throw FieldError(
        .responseTooLarge, "The file has \(size) bytes, but only \(limit) are allowed.")
    }
    do {
      return [UInt8](try Data(contentsOf: url))
    } catch {
      throw unreadable(url, error)
    }
  }

  /// Returns whether there is a file at a path, following symbolic links.
  ///
  /// `FileManager.fileExists` is also `false` if the device fails or the file's folder can't be searched, so
  /// existing data would pass for missing.
  ///
  /// - Throws: ``FieldError`` with the code ``FieldError/Code/io`` if the system can't tell.
  package static func exists(at path: String) throws(FieldError) -> Bool {
    do throws(FileSystemError) {
      return try PosixFileSystem().status(at: path) != nil
    } catch {
      throw error.fieldError("It can't be determined whether there is a file at \(path).")
    }
  }

  /// Returns the error for a file that couldn't be read, which says whether it exists.
  package static func unreadable(_ url: URL, _ error: any Error) -> FieldError {
    if case .some(false) = try? exists(at: url.path) {
      return FieldError(.io, "There is no file at \(url.path).", underlying: error)
    }
    return FieldError(.io, "\(url.path) can't be read.", underlying: error)
  }
}

extension URL {
  /// Creates a URL from a literal, where invalid text is a programming error.
  package init(literal: StaticString) {
    guard let url = URL(string: "\(literal)") else {
      preconditionFailure("\(literal) isn't a URL.")
    }
    self = url
  }
}

extension ZipArchive {
  /// Creates an archive from a file, whose directory is read.
  ///
  /// - Parameters:
  ///   - url: The file, which is read whole.
  ///   - maximumEntrySize: The largest entry to read, in bytes. Defaults to 1 GiB.
  /// - Throws: ``FieldError`` if the file or the directory can't be read; see the table above.
  public init(contentsOf url: URL, maximumEntrySize: Int = 1 << 30) throws(FieldError) {
    let bytes = try LocalFile.bytes(
      of: url, advice: "Download the archive, and pass its bytes or the file.")
    try self.init(bytes, maximumEntrySize: maximumEntrySize)
  }
}
