internal import FieldCore

/// A value of a kind that this version of the package doesn't know, kept as it was received.
public struct FirestoreUnknownValue: Sendable, Hashable {
  /// The name of the kind, such as `pipelineValue`.
  public var kind: String
  /// The content, as JSON.
  public var content: String

  /// Creates a value from the name of its kind and its content.
  ///
  /// - Throws: `FieldError` with the code `rows.malformed` or `rows.cut` if the content isn't JSON.
  public init(kind: String, content: String) throws {
    self.init(kind: kind, json: try JSONDocument.value(Array(content.utf8)))
  }

  init(kind: String, json: JSONValue) {
    self.kind = kind
    content = json.canonicalText
  }

  var json: JSONValue {
    do {
      return try JSONDocument.value(Array(content.utf8))
    } catch {
      // The content was replaced with text that isn't JSON; the server will reject it.
      return .string(content)
    }
  }
}
