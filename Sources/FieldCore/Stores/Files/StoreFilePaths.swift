/// The names of a store's files.
package struct StoreFilePaths: Sendable, Hashable {
  /// The store file.
  package let file: String

  package init(_ file: String) { self.file = file }

  /// The file whose advisory lock guards the store.
  package var lock: String { file + ".lock" }
  /// A store file in the making; one that is there at opening was given up.
  package var new: String { file + ".new" }
  /// A copy of damaged bytes in the making; one that is there at opening was given up.
  package var saving: String { file + ".saving" }
  /// The directory of all of them.
  package var directory: String { PosixFileSystem.parent(of: file) }

  /// The name for the `number`th part that was set aside.
  package func setAside(_ number: Int) -> String { "\(file)\(Self.setAsideMark)\(number)" }

  /// The path of a part that was set aside, if `name` in the directory is the name of one.
  package func setAside(named name: String) -> String? {
    let start = (file.split(separator: "/").last ?? "") + Self.setAsideMark
    guard name.hasPrefix(start) else { return nil }
    return Int(name.dropFirst(start.count)).map(setAside)
  }

  private static var setAsideMark: String { ".damaged-" }
}
