public import FieldFoundation

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
