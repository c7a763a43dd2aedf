/// Re-exports the C library of the platform, so that no other file has to know the module's name.
///
/// What the libraries spell differently is in this module, too.
#if canImport(Darwin)
  @_exported public import Darwin
#elseif canImport(Glibc)
  @_exported public import Glibc
  // If Swift 6.3 loads this module before Glibc, it treats timespec as a type of this module.
  @_exported public import SwiftOverlayShims
#elseif canImport(Musl)
  @_exported public import Musl
#elseif canImport(Android)
  @_exported public import Android
#elseif canImport(WASILibc)
  @unsafe @_exported @preconcurrency public import WASILibc
#else
  #error("FieldKit knows no C library for this platform. Windows isn't supported.")
#endif

extension stat {
  /// The time of the last change of the file's content.
  @inlinable
  package var modificationTime: timespec {
    #if canImport(Darwin)
      st_mtimespec
    #else
      st_mtim
    #endif
  }
}

extension dirent {
  /// Returns the name of an entry of a directory.
  package static func name(of entry: UnsafeMutablePointer<dirent>) -> String {
    #if os(WASI)
      // The name has no length, so Swift doesn't import it. It follows the kind of the entry.
      let kind = MemoryLayout<dirent>.offset(of: \.d_type) ?? 0
      let name = unsafe UnsafeRawPointer(entry) + kind + 1
      return unsafe String(cString: name.assumingMemoryBound(to: CChar.self))
    #else
      return unsafe withUnsafePointer(to: &entry.pointee.d_name) { tuple in
        unsafe tuple.withMemoryRebound(to: CChar.self, capacity: size(tuple)) {
          unsafe String(cString: $0)
        }
      }
    #endif
  }

  #if !os(WASI)
    /// The size of a value: 256 bytes for a name on Linux, and 1024 on Apple platforms.
    ///
    /// `MemoryLayout.size(ofValue:)` would load each of them, which takes seconds to compile.
    private static func size<Value>(_ pointer: UnsafePointer<Value>) -> Int {
      MemoryLayout<Value>.size
    }
  #endif
}

#if !os(WASI)
  /// Constants of sockets as numbers: a macro is an `Int32`, a constant of a nameless enumeration an `Int`, and one of a
  /// named enumeration has a type of its own, and each library has others.
  package enum SocketNumber {
    package static var stream: Int32 {
      #if canImport(Glibc)
        Int32(SOCK_STREAM.rawValue)
      #else
        Int32(SOCK_STREAM)
      #endif
    }

    package static var shutWrite: Int32 { Int32(SHUT_WR) }
    package static var tcp: Int32 { Int32(IPPROTO_TCP) }

    /// The flag by which `send` reports a closed connection without a signal. On Apple platforms, that is an option of
    /// the socket.
    package static var noSignal: Int32 {
      #if canImport(Darwin)
        0
      #else
        Int32(MSG_NOSIGNAL)
      #endif
    }
  }
#else
  /// The number of the last failed call's error.
  ///
  /// The header declares a variable of each thread, and Swift takes it for one that all threads share.
  package var errno: Int32 {
    get { WASILibc.errno }
    set { WASILibc.errno = newValue }
  }

  // Swift doesn't import these macros, because they convert types. Their values are part of the platform's ABI.
  package var EWOULDBLOCK: Int32 { EAGAIN }
  package var O_CREAT: Int32 { 1 << 12 }
  package var O_EXCL: Int32 { 4 << 12 }
  package var O_NONBLOCK: Int32 { 4 }
  package var O_RDWR: Int32 { O_RDONLY | 0x1000_0000 }

  /// The platform has no volumes of other computers, and so no number for them.
  package var EREMOTE: Int32 { .max }

  // A program is alone: it has no number, nobody else can be asked whether they run, and nobody else locks files.
  package var LOCK_EX: Int32 { 2 }
  package var LOCK_NB: Int32 { 4 }
  package var LOCK_UN: Int32 { 8 }
  @discardableResult
  package func flock(_ descriptor: Int32, _ operation: Int32) -> Int32 { 0 }
  package func getpid() -> Int32 { 0 }
  package func kill(_ process: Int32, _ signal: Int32) -> Int32 { 0 }
#endif
