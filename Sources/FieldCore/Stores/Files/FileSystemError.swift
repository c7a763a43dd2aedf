internal import FieldFoundation
internal import FieldLibc

/// A failed system call, as the underlying error of a store's ``FieldError``.
public struct FileSystemError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The platform's error number, such as `ENOSPC`.
  public var number: Int32
  /// The name of the system call, such as `fdatasync`.
  public var call: String
  /// The file that the call concerned.
  public var path: String
  /// A Boolean value that indicates whether the call was refused because the device is locked.
  package var isLocked = false

  /// Creates an error.
  public init(_ number: Int32, call: String, path: String) {
    self.number = number
    self.call = call
    self.path = path
  }

  /// The call, the file, and the platform's description of the error number.
  public var description: String {
    "\(call) of \(path): \(Self.words(for: number))"
  }

  /// Returns the platform's words for an error number, and the number.
  static func words(for number: Int32) -> String {
    "\(unsafe String(cString: strerror(number))) (\(number))"
  }

  /// Returns the platform's words for an error of a call that Foundation made.
  static func words(for error: POSIXError) -> String { words(for: error.code.rawValue) }

  /// A Boolean value that indicates whether the device is full, or the user's quota is exhausted.
  package var isDiskFull: Bool { number == ENOSPC || number == EDQUOT }

  /// Returns the error for a file whose lock another process holds.
  static func taken(_ path: String) -> FileSystemError {
    FileSystemError(EWOULDBLOCK, call: "flock", path: path)
  }

  /// A Boolean value that indicates whether another process holds the file's lock.
  package var isTaken: Bool { number == EWOULDBLOCK }

  package var isNotFound: Bool { number == ENOENT || number == ENOTDIR }

  package var isAlreadyThere: Bool { number == EEXIST }

  /// A Boolean value that indicates whether the file is on a read-only volume.
  package var isReadOnly: Bool { number == EROFS }

  /// A Boolean value that indicates whether the file can't be opened or synced at all by this process.
  package var isOutOfReach: Bool {
    number == EACCES || number == EPERM || number == EINVAL || isReadOnly
  }

  /// The error for a path that names a pipe, a device, or a socket: `ESPIPE`, as `pread` reports it.
  static func notAFile(_ path: String) -> FileSystemError {
    FileSystemError(ESPIPE, call: "open", path: path)
  }

  /// A Boolean value that indicates whether the system refuses the call whatever the mode of the
  /// file, as Apple platforms do for protected files of a locked device.
  var isNotPermitted: Bool { number == EPERM }

  /// Returns the error for a file on a volume that isn't suitable for stores.
  static func remote(_ path: String) -> FileSystemError {
    FileSystemError(EREMOTE, call: "open", path: path)
  }

  private var isRemote: Bool { number == EREMOTE }

  /// Other calls than `open` report `ENXIO` if the device was removed.
  private var isNotAFile: Bool { number == ESPIPE || number == ENXIO && call == "open" }

  /// The code of the error for the user of a store, and its reason as the end of a message.
  private var cause: (code: FieldError.Code, reason: String) {
    if isLocked { return (.locked, " The device is locked, and the file is protected.") }
    if isRemote { return (.remoteVolume, " It is on a network volume or in an iCloud container.") }
    if isDiskFull { return (.diskFull, " The device is full.") }
    if isReadOnly { return (.readOnly, " The volume is read-only.") }
    if isNotAFile { return (.notAFile, " A pipe, a device, or a socket is at its path.") }
    return (.io, "")
  }

  /// The code of the error for the user of a store.
  var code: FieldError.Code { cause.code }

  /// Returns the error for the user of a store, with a message about the failed operation.
  package func fieldError(_ message: String) -> FieldError {
    let (code, reason) = cause
    return FieldError(code, message + reason, underlying: self)
  }

  /// Runs `body`, and adds to a file system error what couldn't be done.
  static func explained<Result>(
    _ message: @autoclosure () -> String, _ body: () throws -> Result
  ) throws -> Result {
    do {
      return try body()
    } catch let error as FileSystemError {
      throw error.fieldError(message())
    }
  }
}
