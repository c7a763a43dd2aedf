package import FieldFoundation

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
      throw FieldError(
        .io, "There is no file at \(url.path), or it can't be read.", underlying: error)
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
      throw FieldError(.io, "\(url.path) can't be read.", underlying: error)
    }
  }
}
