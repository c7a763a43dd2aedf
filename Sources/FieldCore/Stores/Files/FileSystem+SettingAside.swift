extension FileSystem {
  /// Saves bytes of a damaged file next to it under an unused name, and returns the path.
  package func setAside(
    _ bytes: [UInt8], beside paths: StoreFilePaths
  ) throws(FileSystemError) -> String {
    try removeIfThere(paths.saving)
    let file = try openFile(paths.saving, .makingNew)
    do throws(FileSystemError) {
      try write(bytes, to: file, at: 0)
      try sync(file)
    } catch {
      // The next opening removes what is left.
      _ = try? closeFile(file)
      _ = try? removeIfThere(paths.saving)
      throw error
    }
    try closeFile(file)
    var number = 1
    while try status(at: paths.setAside(number)) != nil { number += 1 }
    try rename(paths.saving, to: paths.setAside(number))
    try syncDirectory(paths.directory)
    return paths.setAside(number)
  }

  /// Returns the files with parts of a damaged file, sorted by path.
  package func setAsideFiles(beside paths: StoreFilePaths) throws(FileSystemError) -> [String] {
    do throws(FileSystemError) {
      return try names(in: paths.directory).compactMap(paths.setAside(named:)).sorted()
    } catch  where error.isNotFound {
      return []
    }
  }
}
