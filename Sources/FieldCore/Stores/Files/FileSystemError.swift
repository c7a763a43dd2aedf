internal import FieldFoundation

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

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

  private var isNotAFile: Bool { number == ESPIPE || number == ENXIO }

  /// Returns the error for the user of a store, with a message about the failed operation.
  package func fieldError(_ message: String) -> FieldError {
    if isLocked {
      return FieldError(
        .locked, "\(message) The device is locked, and the file is protected.", underlying: self)
    }
    if isRemote {
      return FieldError(
        .remoteVolume, "\(message) It is on a network volume or in an iCloud container.",
        underlying: self)
    }
    if isDiskFull {
      return FieldError(.diskFull, "\(message) The device is full.", underlying: self)
    }
    if isReadOnly {
      return FieldError(.readOnly, "\(message) The volume is read-only.", underlying: self)
    }
    if isNotAFile {
      return FieldError(
        .notAFile, "\(message) A pipe, a device, or a socket is at its path.", underlying: self)
    }
    return FieldError(.io, message, underlying: self)
  }
}
