extension JournalDirectory {
  /// Returns a Boolean value that indicates whether parts of damaged journals were set aside here.
  package func hasSetAside() throws -> Bool {
    try wrapping("The journals in \(path) can't be listed.") {
      try files().contains { $0.contains(Self.setAsideMark) }
    }
  }

  /// Returns the blobs whose IDs occur anywhere in the journals and in parts that were set aside.
  ///
  /// A quarter of an ID suffices, because the rest of it may be damaged.
  package func mentioned(among ids: Set<BlobID>) throws -> Set<BlobID> {
    guard !ids.isEmpty else { return [] }
    return try wrapping("The journals in \(path) can't be read.") {
      var found: Set<BlobID> = []
      for file in try files() {
        guard let bytes = try contentIfThere("\(path)/\(file)") else { continue }
        found.formUnion(ids.filter { Self.mentions($0, bytes) })
      }
      return found
    }
  }

  static var setAsideMark: String { suffix + ".damaged-" }

  private func files() throws(FileSystemError) -> [String] {
    guard try fileSystem.status(at: path) != nil else { return [] }
    return try fileSystem.names(in: path).filter { $0.contains(Self.suffix) }
  }

  private static func mentions(_ id: BlobID, _ bytes: [UInt8]) -> Bool {
    let digits = Array(id.hexadecimal.utf8)
    return stride(from: 0, to: digits.count, by: 16).contains { start in
      bytes.firstRange(of: digits[start..<(start + 16)]) != nil
    }
  }
}
