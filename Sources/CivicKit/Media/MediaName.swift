/// The names of picture files, as the source's tables have them.
enum MediaName {
  /// Whether a name is that of a single file: what leads to another folder is not followed.
  static func isPlain(_ name: String) -> Bool {
    !name.isEmpty && name != "." && name != ".." && name.utf8.count <= 255
      // By bytes: a slash with an accent on it is another character, and parts folders all the same.
      && !name.utf8.contains { [UInt8(ascii: "/"), UInt8(ascii: "\\"), 0].contains($0) }
  }
}
