/// The names of a store's files.
package struct StoreFilePaths: Sendable, Hashable {
  /// The store file.
  package let file: String

  package init(_ file: String) { self.file = file }

  /// The file whose advisory lock guards the store.
  package var lock: String { file + ".lock" }
  /// The path of an unfinished store file; one that exists at opening is a leftover.
  package var new: String { file + ".new" }
  /// The path of an unfinished copy of damaged bytes; one that exists at opening is a leftover.
  package var saving: String { file + ".saving" }
  /// The directory of all these files.
  package var directory: String { PosixFileSystem.parent(of: file) }

  /// Returns the path of the part with a number that was set aside.
  package func setAside(_ number: Int) -> String { "\(file)\(Self.setAsideMark)\(number)" }

  /// Returns the path of a part that was set aside, or `nil` if `name` isn't the name of one.
  package func setAside(named name: String) -> String? {
    let start = (file.split(separator: "/").last ?? "") + Self.setAsideMark
    guard name.hasPrefix(start) else { return nil }
    return Int(name.dropFirst(start.count)).map(setAside)
  }

  private static var setAsideMark: String { ".damaged-" }
}
