/// The names of picture files, as the source's tables contain them.
enum MediaName {
  /// Returns whether a name is a plain file name that can't lead to another folder.
  static func isPlain(_ name: String) -> Bool {
    !name.isEmpty && name != "." && name != ".." && name.utf8.count <= 255
      // Compares bytes: a slash with a combining accent is another character, but still a
      // separator.
      && !name.utf8.contains { [UInt8(ascii: "/"), UInt8(ascii: "\\"), 0].contains($0) }
  }
}
