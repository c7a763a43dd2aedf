public import Foundation
public import Testing

/// A directory in `Tests/Fixtures/Golden` that FieldKit once wrote and has to be able to open forever.
///
/// `Tests/Fixtures/Golden/README.md` says how the directories are written and when.
public struct Golden: Sendable {
  /// Whether this run replaces the directories instead of reading them.
  public static let isWriting =
    ProcessInfo.processInfo.environment["FIELDKIT_WRITE_GOLDEN"] == "1"

  /// Enables the tests that write the directories.
  public static var writing: ConditionTrait {
    .enabled(if: isWriting, "set FIELDKIT_WRITE_GOLDEN=1 to replace the golden files")
  }

  /// Enables the tests that read the directories.
  public static var reading: ConditionTrait {
    .disabled(if: isWriting, "the golden files are being replaced")
  }

  /// The directory.
  public let url: URL

  /// Names a directory.
  public init(_ name: String) {
    url = SharedData.root.appending(path: "Tests/Fixtures/Golden/\(name)")
  }

  /// Replaces the directory by what the closure writes into a new one; lock files are left out.
  public func replace(
    isolation: isolated (any Actor)? = #isolation, _ body: (URL) async throws -> Void
  ) async throws {
    let folder = try TemporaryFolder()
    try await body(folder.url)
    if FileManager.default.fileExists(atPath: url.path) {
      try FileManager.default.removeItem(at: url)
    }
    try Self.copy(folder.url, to: url)
  }

  /// A copy of the directory, which a test may change.
  public func copy() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try Self.copy(url, to: folder.url)
    return folder
  }

  /// The bytes of a file of the directory.
  public func bytes(_ name: String) throws -> Data {
    try Data(contentsOf: url.appending(path: name))
  }

  /// Expects what the closure writes into a new directory to equal this one: the same files with the
  /// same content, except for the random numbers that ``Transcript`` leaves out.
  public func expectSame(
    sourceLocation: SourceLocation = #_sourceLocation,
    isolation: isolated (any Actor)? = #isolation, _ body: (URL) async throws -> Void
  ) async throws {
    let folder = try TemporaryFolder()
    try await body(folder.url)
    let golden = try Transcript.lines(of: url)
    let new = try Transcript.lines(of: folder.url)
    #expect(
      !golden.isEmpty, "there are no golden files in \(url.path)", sourceLocation: sourceLocation)
    guard
      let place = zip(golden, new).enumerated().first(where: { $1.0 != $1.1 })?.offset
        ?? (golden.count == new.count ? nil : min(golden.count, new.count))
    else { return }
    let file = golden.prefix(place + 1).last { $0.hasPrefix("== ") } ?? "the list of files"
    let (old, now) = (
      golden.dropFirst(place).first ?? "nothing", new.dropFirst(place).first ?? "nothing"
    )
    Issue.record(
      """
      the form of \(url.lastPathComponent) \(file) has changed:
      golden: \(old)
      now:    \(now)
      """, sourceLocation: sourceLocation)
  }

  /// A value as JSON with sorted keys.
  public static func json(_ value: some Encodable) throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
    return try encoder.encode(value)
  }

  /// The paths of the files below a directory, sorted; without locks, which have no content.
  static func files(in folder: URL) throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter { path in
      var isDirectory: ObjCBool = false
      let isThere = unsafe FileManager.default.fileExists(
        atPath: folder.appending(path: path).path, isDirectory: &isDirectory)
      return isThere && !isDirectory.boolValue && !path.hasSuffix(".lock")
    }.sorted()
  }

  private static func copy(_ source: URL, to target: URL) throws {
    for path in try files(in: source) {
      let file = target.appending(path: path)
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(contentsOf: source.appending(path: path)).write(to: file)
    }
  }
}
