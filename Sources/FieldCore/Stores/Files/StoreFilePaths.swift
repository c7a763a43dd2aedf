internal import FieldFoundation

/// The names of a store's files.
package struct StoreFilePaths: Sendable, Hashable {
  package let file: String

  package init(_ file: String) { self.file = file }

  /// The file whose advisory lock guards the store.
  package var lock: String { file + ".lock" }
  /// The path of an unfinished store file; one that exists at opening is a leftover.
  package var new: String { file + ".new" }
  /// The path of an unfinished copy of damaged bytes; one that exists at opening is a leftover.
  package var saving: String { file + ".saving" }
  /// The file that contains what can be computed from the store again.
  package var derived: String { file + ".derived" }
  /// The path of an unfinished derived file; one that exists at opening is a leftover.
  package var newDerived: String { file + ".derived.new" }
  /// The directory of all these files.
  package var directory: String { PosixFileSystem.parent(of: file) }

  /// Returns the path of the part with a number that was set aside.
  package func setAside(_ number: Int) -> String { "\(file)\(Self.setAsideMark)\(number)" }

  /// The name of the `number`th damaged original whose batches were salvaged.
  package func salvaged(_ number: Int) -> String { "\(file)\(Self.salvagedMark)\(number)" }

  private var name: Substring { file.split(separator: "/").last ?? "" }

  /// Whether the file is a journal, or a part of one that was set aside.
  var isJournal: Bool {
    name.hasSuffix(JournalDirectory.suffix) || name.contains(bytesOf: JournalDirectory.setAsideMark)
  }

  /// The name of the journal in the file; `nil` if it isn't a journal, or is a part of one.
  var journalName: String? {
    name.hasSuffix(JournalDirectory.suffix)
      ? String(name.dropLast(JournalDirectory.suffix.count)) : nil
  }

  /// Returns the path of a part that was set aside, or `nil` if `name` isn't the name of one.
  package func setAside(named name: String) -> String? {
    number(of: name, after: Self.setAsideMark).map(setAside)
  }

  /// The path of a damaged original, if `name` in the directory is one.
  package func salvaged(named name: String) -> String? {
    number(of: name, after: Self.salvagedMark).map(salvaged)
  }

  private func number(of name: String, after mark: String) -> Int? {
    // Most names don't end in a digit, which is found out at once.
    guard let last = name.utf8.last, last >= 0x30, last <= 0x39 else { return nil }
    let start = self.name + mark
    return name.hasPrefix(start) ? Int(name.dropFirst(start.count)) : nil
  }

  private static var setAsideMark: String { ".damaged-" }
  private static var salvagedMark: String { ".salvaged-" }
}

extension URL {
  /// The absolute path of a file URL.
  ///
  /// The first use of `path` takes a tenth of a millisecond in a new process, so it is used only if there is something
  /// to decode or to remove.
  var absolutePath: String {
    let path = absoluteURL.path(percentEncoded: true)
    let needsDecoding = path.utf8.contains(UInt8(ascii: "%")) || path.utf8.last == UInt8(ascii: "/")
    return needsDecoding ? absoluteURL.path : path
  }
}
