#if canImport(Darwin)
  internal import FieldFoundation
  internal import FieldLibc
#endif

#if canImport(Darwin)
  extension PosixFileSystem {
    package func setProtection(
      _ protection: FileProtection, of path: String
    ) throws(FileSystemError) {
      do throws(FileSystemError) {
        try Self.setting("setAttributes(protectionKey)", path) {
          try FileManager.default.setAttributes(
            [.protectionKey: protection.type], ofItemAtPath: path)
        }
      } catch  where [ENOTSUP, EINVAL, ENOTTY].contains(error.number) {
        // The volume has no protection classes, as that of a simulator.
      }
    }

    package func excludeFromBackup(_ path: String) throws(FileSystemError) {
      try Self.setting("setResourceValues(isExcludedFromBackup)", path) {
        var url = URL(filePath: path)
        var values = URLResourceValues()
        values.isExcludedFromBackup = true
        try url.setResourceValues(values)
      }
    }

    package func location(of path: String) throws(FileSystemError) -> FileLocation {
      var directory = canonical(path)
      while directory != "/", try status(at: directory) == nil {
        directory = Self.parent(of: directory)
      }
      let url = URL(filePath: directory)
      let isUbiquitous =
        directory.split(separator: "/").contains("Mobile Documents")
        || FileManager.default.isUbiquitousItem(at: url)
      if isUbiquitous { return .ubiquitous }
      // Not `statfs`, for which Apple requires a reason that the privacy manifest can't give.
      let values = try? url.resourceValues(forKeys: [.volumeIsLocalKey])
      return values?.volumeIsLocal == false ? .network : .local
    }

    private static func setting(
      _ call: String, _ path: String, _ body: () throws -> Void
    ) throws(FileSystemError) {
      do {
        try body()
      } catch {
        throw FileSystemError(number(of: error), call: call, path: path)
      }
    }

    /// Returns the error number behind an error of Foundation.
    private static func number(of error: any Error) -> Int32 {
      let outer = error as NSError
      let cause = outer.userInfo[NSUnderlyingErrorKey] as? NSError ?? outer
      return cause.domain == NSPOSIXErrorDomain ? Int32(truncatingIfNeeded: cause.code) : EIO
    }
  }

  extension FileProtection {
    fileprivate var type: FileProtectionType {
      switch level {
      case .off: FileProtectionType.none
      case .untilFirstUserAuthentication: .completeUntilFirstUserAuthentication
      case .unlessOpen: .completeUnlessOpen
      case .complete: .complete
      }
    }
  }
#elseif os(Linux)
  extension FileStatus {
    /// Whether the file system is on a block device; the others' devices have the major number 0.
    fileprivate var isOnBlockDevice: Bool { device >> 8 & 0xFFF | device >> 32 & ~0xFFF != 0 }
  }

  extension PosixFileSystem {
    package func location(of path: String) throws(FileSystemError) -> FileLocation {
      // Reading the list takes long in comparison, and no file system in it that isn't local is on a block device.
      if let status = try? status(at: path), status.isOnBlockDevice { return .local }
      // Without this file, nothing says where a path is.
      guard let file = try? openFile("/proc/self/mountinfo", .reading) else { return .local }
      // Nothing was written, so closing has nothing to report.
      defer { _ = try? closeFile(file) }
      guard let bytes = try? read(file, at: 0, count: 1 << 20) else { return .local }
      return MountTable(String(decoding: bytes, as: UTF8.self)).location(of: canonical(path))
    }
  }
#endif
