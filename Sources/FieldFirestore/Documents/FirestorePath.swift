internal import FieldCore

/// The path of a document or of a collection in a database, such as `Pets/mesh/Walks/1`.
///
/// A path with an even number of segments is a document's; any other is a collection's. Paths are
/// checked when they are used, so a literal never fails.
///
/// ```swift
/// let pet: FirestorePath = "Pets/mesh"
/// let walk = pet.child("Walks").child(id)
/// ```
public struct FirestorePath: Sendable, Hashable, Comparable {
  /// The path as text, without slashes at its ends.
  public let text: String

  /// Creates a path from text.
  public init(_ text: String) { self.text = text }

  /// Creates a path from its segments.
  public init(segments: [String]) { text = segments.joined(separator: "/") }

  /// The IDs of the collections and documents on the path; empty for the root of the database.
  public var segments: [String] {
    text.isEmpty ? [] : text.parts(at: "/").map(String.init)
  }

  /// The last segment, or an empty string for the root of the database.
  public var id: String { segments.last ?? "" }

  /// A Boolean value that indicates whether the path is that of a document.
  public var isDocument: Bool { !text.isEmpty && !isCollection }

  /// A Boolean value that indicates whether the path is that of a collection.
  public var isCollection: Bool { segments.count % 2 == 1 }

  /// The path without its last segment.
  public var parent: FirestorePath { FirestorePath(segments: segments.dropLast()) }

  /// Returns the path of a document in this collection or of a collection in this document.
  public func child(_ id: String) -> FirestorePath {
    FirestorePath(text.isEmpty ? id : "\(text)/\(id)")
  }

  /// Returns the path of a new document in this collection, with a random ID.
  ///
  /// - Parameter generator: The source of random numbers. Defaults to the system's.
  public func newDocument(using generator: inout some RandomNumberGenerator) -> FirestorePath {
    let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789".utf8)
    let id = (0..<20).map { _ in letters[Int.random(in: 0..<letters.count, using: &generator)] }
    return child(String(decoding: id, as: UTF8.self))
  }

  /// Throws unless the path is a document's and every ID on it is valid.
  func checkDocument() throws(FieldError) { try check(isDocument, "a document", "an even") }

  /// Throws unless the path is a collection's and every ID on it is valid.
  func checkCollection() throws(FieldError) { try check(isCollection, "a collection", "an odd") }

  private func check(_ isRight: Bool, _ kind: String, _ parity: String) throws(FieldError) {
    let segments = segments
    if let problem = segments.lazy.compactMap(FirestoreLimits.problem(ofID:)).first {
      throw FieldError(.invalidInput, "The path \"\(text.prefix(200))\" can't be used: \(problem).")
    }
    guard segments.count <= 200 else {
      throw FieldError(
        .invalidInput, "A path has at most 100 collections, but it has \(segments.count / 2).")
    }
    guard isRight else {
      throw FieldError(
        .invalidInput,
        "\"\(text)\" isn't the path of \(kind): it must have \(parity) number of segments.")
    }
  }

  /// Returns a Boolean value that indicates whether two paths have the same UTF-8.
  public static func == (left: FirestorePath, right: FirestorePath) -> Bool {
    left.text.hasSameBytes(as: right.text)
  }

  /// Hashes the path.
  public func hash(into hasher: inout Hasher) { hasher.combine(utf8: text) }

  /// Returns a Boolean value that indicates whether one path comes before another in Firestore's order,
  /// segment by segment.
  public static func < (left: FirestorePath, right: FirestorePath) -> Bool {
    FirestoreValue.order(ofNames: left.text, right.text) == .before
  }
}

extension FirestorePath: ExpressibleByStringLiteral, CustomStringConvertible, Codable {
  /// Creates a path from text.
  public init(stringLiteral text: String) { self.text = text }

  /// The path as text.
  public var description: String { text }

  /// Creates a path from its text.
  public init(from decoder: any Decoder) throws {
    text = try decoder.singleValueContainer().decode(String.self)
  }

  /// Encodes the path as text.
  public func encode(to encoder: any Encoder) throws { try text.encode(to: encoder) }
}
