#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

extension Storage {
  /// A storage in a folder of this name, in the place where the platform keeps the data of applications.
  ///
  /// That is `Application Support` on Apple platforms, and on Linux `$XDG_DATA_HOME`, or
  /// `~/.local/share` when that is not set (XDG Base Directory Specification).
  ///
  /// - Throws: ``FieldError`` with the code ``FieldError/Code/invalidInput`` when the name is not plain, or
  ///   the platform tells no such place.
  public static func application(
    _ name: String, access: StoreAccess = .readWrite, durability: Durability = .full
  ) throws -> Storage {
    try check(name)
    return .directory(
      try applicationData().appending(path: name), access: access, durability: durability)
  }

  private static func applicationData() throws -> URL {
    #if canImport(Darwin)
      guard
        let folder = FileManager.default.urls(
          for: .applicationSupportDirectory, in: .userDomainMask
        ).first
      else {
        throw FieldError(.invalidInput, "the system tells no folder for the data of applications")
      }
      return folder
    #else
      let environment = ProcessInfo.processInfo.environment
      // The specification says to leave out what is no absolute path.
      if let data = environment["XDG_DATA_HOME"], data.hasPrefix("/") {
        return URL(filePath: data, directoryHint: .isDirectory)
      }
      guard let home = environment["HOME"], home.hasPrefix("/") else {
        throw FieldError(
          .invalidInput, "neither XDG_DATA_HOME nor HOME is set; use Storage.directory")
      }
      return URL(filePath: home, directoryHint: .isDirectory).appending(path: ".local/share")
    #endif
  }
}
