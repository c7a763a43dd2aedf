public import Foundation

/// The captures beside the project, which tests read when they are there.
///
/// A test that needs one says so with
/// `@Test(.enabled(if: SharedData.isThere, "the captures of ../shared are not here"))`.
public enum SharedData {
  /// The project's root folder.
  public static let root = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// Whether the captures are there, and a program can unpack them.
  public static let isThere =
    Tool.canRun && FileManager.default.fileExists(atPath: url("meteor").path)

  /// The address of a capture, such as `meteor/legacy_rows_json_excerpt.json`.
  public static func url(_ path: String) -> URL {
    root.appending(path: "../shared/data").appending(path: path).standardizedFileURL
  }

  /// The bytes of a capture, unpacked when its name ends in `.gz`.
  public static func bytes(_ path: String) throws -> [UInt8] {
    guard path.hasSuffix(".gz") else { return [UInt8](try Data(contentsOf: url(path))) }
    return [UInt8](try Tool.run("gzip", "-dc", url(path).path))
  }
}
