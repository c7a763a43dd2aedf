internal import FieldLibc

/// Files in memory, for code that usually stores files on the device.
///
/// They exist as long as this value. Every directory exists.
package final class VolatileFileSystem: FileSystem {
  private struct Content: Sendable {
    var bytes: [UInt8] = []
    var modified: Int64 = 0
    var owner: Int32?
  }

  private struct State: Sendable {
    var names: [String: UInt64] = [:]
    var contents: [UInt64: Content] = [:]
    var files: [Int32: UInt64] = [:]
    var lastNumber: UInt64 = 0
    var lastFile: Int32 = 0
  }

  private let state = Lock(State())

  package init() {}

  package func openFile(_ path: String, _ mode: OpenMode) throws(FileSystemError) -> OpenFile {
    try state.withLock { state throws(FileSystemError) -> OpenFile in
      let present = state.names[path]
      if present != nil, mode == .makingNew {
        throw FileSystemError(EEXIST, call: "open", path: path)
      }
      if present == nil, mode == .reading || mode == .writing {
        throw FileSystemError(ENOENT, call: "open", path: path)
      }
      let number = present ?? state.lastNumber + 1
      if present == nil {
        state.lastNumber = number
        state.names[path] = number
        state.contents[number] = Content()
      }
      state.lastFile += 1
      state.files[state.lastFile] = number
      return OpenFile(descriptor: state.lastFile)
    }
  }

  package func closeFile(_ file: OpenFile) throws(FileSystemError) {
    state.withLock { state in
      guard let number = state.files.removeValue(forKey: file.descriptor) else { return }
      if state.contents[number]?.owner == file.descriptor { state.contents[number]?.owner = nil }
      Self.dropUnused(number, &state)
    }
  }

  package func read(
    _ file: OpenFile, at offset: Int, count: Int
  ) throws(FileSystemError) -> [UInt8] {
    try with(file, "read") { content in Array(content.bytes.dropFirst(offset).prefix(count)) }
  }

  package func write(
    _ bytes: [UInt8], to file: OpenFile, at offset: Int
  ) throws(FileSystemError) {
    try with(file, "write") { content in
      if content.bytes.count == offset {
        content.bytes += bytes
      } else {
        let missing = offset + bytes.count - content.bytes.count
        content.bytes += repeatElement(0, count: max(missing, 0))
        content.bytes.replaceSubrange(offset..<(offset + bytes.count), with: bytes)
      }
      content.modified += 1
    }
  }

  package func truncate(_ file: OpenFile, to size: Int) throws(FileSystemError) {
    try with(file, "ftruncate") { content in
      content.bytes.removeLast(max(content.bytes.count - size, 0))
      content.modified += 1
    }
  }

  package func sync(_ file: OpenFile) throws(FileSystemError) {}

  package func syncDirectory(_ path: String) throws(FileSystemError) {}

  package func status(at path: String) throws(FileSystemError) -> FileStatus? {
    state.withLock { state in
      if let number = state.names[path] { return Self.status(number, state) }
      let isDirectory = state.names.keys.contains { Self.parent(of: $0) == path }
      guard isDirectory else { return nil }
      return FileStatus(device: 0, inode: 0, size: 0, modified: 0, isDirectory: true)
    }
  }

  package func status(of file: OpenFile) throws(FileSystemError) -> FileStatus {
    try state.withLock { state throws(FileSystemError) -> FileStatus in
      Self.status(try Self.number(file, state, "fstat"), state)
    }
  }

  package func rename(_ old: String, to new: String) throws(FileSystemError) {
    try state.withLock { state throws(FileSystemError) in
      guard let number = state.names.removeValue(forKey: old) else {
        throw FileSystemError(ENOENT, call: "rename", path: old)
      }
      let replaced = state.names.updateValue(number, forKey: new)
      if let replaced { Self.dropUnused(replaced, &state) }
    }
  }

  package func remove(_ path: String) throws(FileSystemError) {
    try state.withLock { state throws(FileSystemError) in
      guard let number = state.names.removeValue(forKey: path) else {
        throw FileSystemError(ENOENT, call: "unlink", path: path)
      }
      Self.dropUnused(number, &state)
    }
  }

  package func makeDirectory(_ path: String) throws(FileSystemError) {}

  package func names(in path: String) throws(FileSystemError) -> [String] {
    state.withLock { state in
      state.names.keys.filter { Self.parent(of: $0) == path }.map {
        String($0.dropFirst(path.count + 1))
      }
    }
  }

  package func tryLock(_ file: OpenFile) throws(FileSystemError) -> Bool {
    try with(file, "flock") { content in
      if let owner = content.owner, owner != file.descriptor { return false }
      content.owner = file.descriptor
      return true
    }
  }

  package func unlock(_ file: OpenFile) throws(FileSystemError) {
    try with(file, "flock") { content in
      if content.owner == file.descriptor { content.owner = nil }
    }
  }

  package func canonical(_ path: String) -> String { path }

  private func with<Result>(
    _ file: OpenFile, _ call: String, _ body: (inout Content) -> Result
  ) throws(FileSystemError) -> Result {
    try state.withLock { state throws(FileSystemError) -> Result in
      let number = try Self.number(file, state, call)
      return body(&state.contents[number, default: Content()])
    }
  }

  private static func number(
    _ file: OpenFile, _ state: State, _ call: String
  ) throws(FileSystemError) -> UInt64 {
    guard let number = state.files[file.descriptor] else {
      throw FileSystemError(EBADF, call: call, path: "descriptor \(file.descriptor)")
    }
    return number
  }

  private static func status(_ number: UInt64, _ state: State) -> FileStatus {
    let content = state.contents[number] ?? Content()
    return FileStatus(
      device: 0, inode: number, size: content.bytes.count, modified: content.modified,
      isDirectory: false)
  }

  /// An unlinked file exists until its last user closes it.
  private static func dropUnused(_ number: UInt64, _ state: inout State) {
    if !state.names.values.contains(number), !state.files.values.contains(number) {
      state.contents[number] = nil
    }
  }
}
