extension JournalDirectory {
  /// Returns a Boolean value that indicates whether parts of damaged journals were set aside here.
  package func hasSetAside() throws -> Bool {
    try FileSystemError.explained("The journals in \(path) can't be listed.") {
      try files().contains { $0.contains(bytesOf: Self.setAsideMark) }
    }
  }

  /// Returns the blobs whose IDs occur anywhere in the journals and in parts that were set aside.
  ///
  /// A quarter of an ID suffices, because the rest of it may be damaged.
  package func mentioned(among ids: Set<BlobID>) throws -> Set<BlobID> {
    guard !ids.isEmpty else { return [] }
    return try FileSystemError.explained("The journals in \(path) can't be read.") {
      var found: Set<BlobID> = []
      for file in try files() {
        guard let open = try fileSystem.openIfThere("\(path)/\(file)", .reading) else { continue }
        // Nothing was written, so closing can't lose data.
        defer { _ = try? fileSystem.closeFile(open) }
        try search(open, for: ids, &found)
      }
      return found
    }
  }

  /// Searches a file in parts, so that a hole in a sparse one takes no memory.
  private func search(
    _ file: OpenFile, for ids: Set<BlobID>, _ found: inout Set<BlobID>
  ) throws(FileSystemError) {
    var (place, last) = (0, [UInt8]())
    while true {
      let part = try fileSystem.read(file, at: place, count: 1 << 20)
      if part.isEmpty { return }
      place += part.count
      let bytes = part.isZero ? [] : last + part
      found.formUnion(ids.filter { Self.mentions($0, bytes) })
      last = Array(bytes.suffix(Self.quarter - 1))
    }
  }

  static var setAsideMark: String { suffix + ".damaged-" }

  private func files() throws(FileSystemError) -> [String] {
    guard try fileSystem.status(at: path) != nil else { return [] }
    return try fileSystem.names(in: path).filter { $0.contains(bytesOf: Self.suffix) }
  }

  private static var quarter: Int { 16 }

  private static func mentions(_ id: BlobID, _ bytes: [UInt8]) -> Bool {
    let digits = id.hexadecimal
    return stride(from: 0, to: digits.utf8.count, by: quarter).contains { start in
      bytes.contains(String(digits.dropFirst(start).prefix(quarter)))
    }
  }
}
