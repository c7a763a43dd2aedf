internal import FieldFoundation
private import FieldLibc

/// The process that has claimed something, in a form by which another one sees that it has ended.
///
/// A lock would say the same, but iOS ends apps that hold one while they are suspended. So the mark
/// contains the process's number, which counts only where the same number means the same process: during one
/// run of the system, and among the processes that see each other. A mark of another computer, container, or
/// run of the system says nothing.
struct ProcessMark: Codable, Hashable, Sendable {
  /// The run of the system and the namespace of the number; `nil` if they can't be found out.
  var system: String?
  var number: Int32
  /// Distinguishes the process from a later one with the same number.
  var id: UUID

  static let current = ProcessMark(system: Self.currentSystem, number: getpid(), id: UUID())

  /// A Boolean value that indicates whether the process has certainly ended.
  var hasEnded: Bool {
    let current = Self.current
    guard let system, system == current.system, id != current.id else { return false }
    // This process has the number now.
    if number == current.number { return true }
    // Signal 0 sends nothing. A process that may not be signaled is there.
    return number > 0 && kill(number, 0) == -1 && errno == ESRCH
  }

  #if canImport(Darwin)
    private static var currentSystem: String? {
      var size = 0
      guard unsafe sysctlbyname("kern.bootsessionuuid", nil, &size, nil, 0) == 0, size > 1 else {
        return nil
      }
      var bytes = [UInt8](repeating: 0, count: size)
      guard unsafe sysctlbyname("kern.bootsessionuuid", &bytes, &size, nil, 0) == 0 else {
        return nil
      }
      return String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
  #else
    private static var currentSystem: String? {
      guard let boot = contents(of: "/proc/sys/kernel/random/boot_id"),
        let namespace = target(of: "/proc/self/ns/pid")
      else { return nil }
      return "\(boot) \(namespace)"
    }

    private static func contents(of path: String) -> String? {
      guard let file = try? PosixFileSystem().openFile(path, .reading) else { return nil }
      defer { try? PosixFileSystem().closeFile(file) }
      guard let bytes = try? PosixFileSystem().read(file, at: 0, count: 64), !bytes.isEmpty else {
        return nil
      }
      return String(decoding: bytes.prefix { $0 > 0x20 }, as: UTF8.self)
    }

    private static func target(of link: String) -> String? {
      var bytes = [UInt8](repeating: 0, count: 256)
      let count = unsafe bytes.withUnsafeMutableBytes { buffer in
        unsafe buffer.withMemoryRebound(to: CChar.self) { buffer in
          guard let start = buffer.baseAddress else { return 0 }
          return unsafe readlink(link, start, buffer.count)
        }
      }
      return count > 0 ? String(decoding: bytes.prefix(count), as: UTF8.self) : nil
    }
  #endif
}

extension OutboxOperation.Lease {
  /// A Boolean value that indicates whether the claiming process has ended, so that nobody sends the
  /// operation.
  var isAbandoned: Bool { process?.hasEnded ?? false }
}
