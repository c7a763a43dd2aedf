/// The names of picture files, as the source's tables have them.
enum MediaName {
  /// Whether a name is that of a single file: what leads to another folder is not followed.
  static func isPlain(_ name: String) -> Bool {
    !name.isEmpty && name != "." && name != ".." && name.utf8.count <= 255
      && !name.contains { $0 == "/" || $0 == "\\" || $0 == "\0" }
  }
}
