internal import FieldFoundation

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// A call to the operating system that failed, as the underlying error of a store's ``FieldError``.
public struct FileSystemError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The error number of the platform, such as `ENOSPC`.
  public var number: Int32
  /// The name of the call, such as `fdatasync`.
  public var call: String
  /// The file that it was for.
  public var path: String

  /// Makes an error.
  public init(_ number: Int32, call: String, path: String) {
    self.number = number
    self.call = call
    self.path = path
  }

  /// The call, the file and the platform's words for the error number.
  public var description: String {
    "\(call) of \(path): \(Self.words(for: number))"
  }

  /// Returns the platform's words for an error number, and the number.
  static func words(for number: Int32) -> String {
    "\(unsafe String(cString: strerror(number))) (\(number))"
  }

  /// Returns the platform's words for an error of a call that Foundation made.
  static func words(for error: POSIXError) -> String { words(for: error.code.rawValue) }

  /// Whether there is no room left, on the device or for this user.
  package var isDiskFull: Bool { number == ENOSPC || number == EDQUOT }

  /// The error of a file whose lock another holds.
  static func taken(_ path: String) -> FileSystemError {
    FileSystemError(EWOULDBLOCK, call: "flock", path: path)
  }

  /// Whether another holds the lock of the file.
  package var isTaken: Bool { number == EWOULDBLOCK }

  package var isNotFound: Bool { number == ENOENT || number == ENOTDIR }

  package var isAlreadyThere: Bool { number == EEXIST }

  /// The error for the user of a store, who tried to do what `message` says.
  package func fieldError(_ message: String) -> FieldError {
    isDiskFull
      ? FieldError(.diskFull, "\(message) The device is full.", underlying: self)
      : FieldError(.io, message, underlying: self)
  }
}
