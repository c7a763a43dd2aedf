internal import FieldCore

/// A Firestore database: its project and its ID.
public struct FirestoreDatabase: Sendable, Hashable, Codable {
  /// The ID of the project.
  public var project: String
  /// The ID of the database.
  ///
  /// Defaults to `(default)`.
  public var id: String

  /// Creates a database.
  public init(project: String, id: String = "(default)") {
    self.project = project
    self.id = id
  }

  /// The full name, such as `projects/p/databases/(default)`.
  public var name: String { "projects/\(project)/databases/\(id)" }

  /// Returns the full name of a document or a collection.
  ///
  /// For the empty path, it is the name of the root that contains all documents.
  public func name(of path: FirestorePath) -> String {
    path.text.isEmpty ? "\(name)/documents" : "\(name)/documents/\(path.text)"
  }

  /// Returns the path of a full name, or `nil` if the name isn't in this database.
  public func path(of name: String) -> FirestorePath? {
    let root = "\(self.name)/documents/"
    guard name.utf8.starts(with: root.utf8) else { return nil }
    return FirestorePath(String(decoding: name.utf8.dropFirst(root.utf8.count), as: UTF8.self))
  }

  /// Returns a reference to a document of this database.
  public func reference(to path: FirestorePath) -> FirestoreValue { .reference(name(of: path)) }

  func check() throws(FieldError) {
    guard !project.isEmpty, !id.isEmpty, !(project + id).utf8.contains(UInt8(ascii: "/")),
      // Servers and clients resolve these names as steps in the path, escaped or not.
      ![".", ".."].contains(project), ![".", ".."].contains(id)
    else {
      throw FieldError(
        .invalidInput, "The project \"\(project)\" and the database \"\(id)\" don't make a name.")
    }
  }
}
