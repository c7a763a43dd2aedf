internal import FieldCore

/// A document of a mirror, kept as the server wrote it and decoded only when it is read.
struct MirroredDocument: StoredRecord, Hashable {
  static let storedName = "FirestoreDocument"
  /// The server has all documents.
  static let isBackedUp = false

  /// The ID of the document in its collection.
  let id: String
  /// The document in the REST format; empty if it can't be read.
  let json: String

  var isReadable: Bool { !json.isEmpty }

  init(_ document: FirestoreDocument, in database: FirestoreDatabase) {
    id = document.path.id
    json = document.json(in: database).canonicalText
  }

  /// Creates the record of a document that can't be read, which counts as one that the mirror knows.
  init(unreadable id: String) { (self.id, json) = (id, "") }

  func write(to writer: inout RecordWriter) throws {
    writer.write(id)
    writer.write(json)
  }

  init(reading reader: inout RecordReader) throws {
    id = try reader.string()
    json = try reader.string()
  }

  /// Returns the document; `nil` if it can't be read.
  func document(in database: FirestoreDatabase) throws -> FirestoreDocument? {
    guard isReadable else { return nil }
    do {
      return try FirestoreDocument(json: try JSONDocument.value(Array(json.utf8)), in: database)
    } catch {
      throw FieldError(.damaged, "The stored document \(id) can't be read: it \(error).")
    }
  }
}
