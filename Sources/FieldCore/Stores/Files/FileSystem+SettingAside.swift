private import FieldLibc

extension FileSystem {
  /// Saves bytes of a damaged file next to it under an unused name, and returns the path.
  package func setAside(
    _ bytes: [UInt8], beside paths: StoreFilePaths
  ) throws(FileSystemError) -> String {
    try setAside(beside: paths) { file throws(FileSystemError) in
      try write(bytes, to: file, at: 0)
    }
  }

  /// Saves the content of a damaged file from an offset on, and returns the path.
  ///
  /// Large holes of a sparse file stay holes.
  package func setAside(
    _ damaged: OpenFile, from offset: Int, beside paths: StoreFilePaths
  ) throws(FileSystemError) -> String {
    let end = try status(of: damaged).size
    return try setAside(beside: paths) { file throws(FileSystemError) in
      var place = offset
      while place < end {
        let part = try read(damaged, at: place, count: min(end - place, 1 << 20))
        guard !part.isEmpty else { return }
        let isLast = place + part.count == end
        if isLast || !part.isZero {
          try write(part, to: file, at: place - offset)
        }
        place += part.count
      }
    }
  }

  private func setAside(
    beside paths: StoreFilePaths, _ body: (OpenFile) throws(FileSystemError) -> Void
  ) throws(FileSystemError) -> String {
    try removeIfThere(paths.saving)
    let file = try makeFile(paths.saving) { file throws(FileSystemError) in
      try body(file)
      try sync(file)
    }
    try closeFile(file)
    let saved = try rename(paths.saving, toUnused: paths.setAside)
    try syncDirectory(paths.directory)
    return saved
  }

  /// Renames a file to the first name of those with numbers that isn't used, and returns that.
  @discardableResult
  func rename(
    _ old: String, toUnused name: (Int) -> String
  ) throws(FileSystemError) -> String {
    var number = 1
    while try status(at: name(number)) != nil { number += 1 }
    try rename(old, to: name(number))
    return name(number)
  }

  /// Returns the parts of a damaged file that were set aside, and its salvaged originals, in order.
  func partsOfDamage(
    beside paths: StoreFilePaths
  ) throws(FileSystemError) -> (setAside: [String], salvaged: [String]) {
    do throws(FileSystemError) {
      let names = try names(in: paths.directory)
      return (
        Self.inOrder(names.compactMap(paths.setAside(named:))),
        Self.inOrder(names.compactMap(paths.salvaged(named:)))
      )
    } catch  where error.isNotFound {
      return ([], [])
    }
  }

  /// Returns paths in the order of their numbers.
  private static func inOrder(_ paths: [String]) -> [String] {
    paths.sorted { ($0.utf8.count, $0) < ($1.utf8.count, $1) }
  }
}

extension [UInt8] {
  /// Whether all bytes are zero: the first is, and each is the same as the next one.
  var isZero: Bool {
    unsafe withUnsafeBytes { bytes in
      guard let start = bytes.baseAddress, let first = unsafe bytes.first else { return true }
      return unsafe first == 0 && memcmp(start, start + 1, bytes.count - 1) == 0
    }
  }

  /// Returns whether the bytes of a text, which isn't empty, occur among these.
  func contains(_ text: String) -> Bool {
    let part = Array(text.utf8)
    return unsafe withUnsafeBytes { bytes in
      guard let start = bytes.baseAddress else { return false }
      var place = 0
      let end = bytes.count - part.count + 1
      while place < end,
        let found = unsafe memchr(start + place, Int32(part[0]), end - place)
      {
        if unsafe memcmp(found, part, part.count) == 0 { return true }
        unsafe place = UnsafeRawPointer(found) - start + 1
      }
      return false
    }
  }
}
