internal import FieldCore

/// The path of a field: the names of the maps that contain it, followed by its own.
///
/// ```swift
/// let path: FirestoreFieldPath = "address.city"            // the field city of the map address
/// let dotted = FirestoreFieldPath(segments: ["a.b"])       // the field whose name is a.b
/// ```
public struct FirestoreFieldPath: Sendable, Hashable, Comparable, ExpressibleByStringLiteral {
  /// The names, from the outermost map to the field.
  public var segments: [String]

  /// Creates a path from names, which may contain any characters.
  public init(segments: [String]) { self.segments = segments }

  /// Creates a path from text, in which names that aren't simple are in backquotes.
  ///
  /// - Throws: `FieldError` with the code `input.invalid` if the text isn't a path.
  public init(_ text: String) throws {
    guard let segments = Self.segments(of: text) else {
      throw FieldError(
        .invalidInput,
        "\"\(text)\" isn't a field path. Put names that aren't simple in backquotes, or use "
          + "init(segments:).")
    }
    self.segments = segments
  }

  /// Returns the path of a text, or `nil` if the text isn't a path.
  package static func reading(_ text: String) -> FirestoreFieldPath? {
    segments(of: text).map { FirestoreFieldPath(segments: $0) }
  }

  /// Creates a path from names that are joined by dots, as in the keys of an update.
  ///
  /// Names may contain any characters except `~*/[]`.
  ///
  /// - Throws: `FieldError` with the code `input.invalid` if a name is empty or contains one of
  ///   these.
  public init(dotted text: String) throws {
    segments = Self.split(text)
    guard segments.allSatisfy({ !$0.isEmpty }), !text.utf8.contains(where: "~*/[]".utf8.contains)
    else {
      throw FieldError(
        .invalidInput,
        "\"\(text)\" isn't a field path: names joined by dots can't be empty or contain any of ~*/[]. "
          + "Use FirestoreFieldPath(segments:).")
    }
  }

  /// The name of the document, which queries can filter and order by.
  public static var documentID: FirestoreFieldPath { FirestoreFieldPath(segments: ["__name__"]) }

  package var isDocumentID: Bool { segments.count == 1 && segments[0].hasSameBytes(as: "__name__") }

  /// Whether the path equals another one or is inside it.
  func isWithin(_ other: FirestoreFieldPath) -> Bool {
    segments.count >= other.segments.count
      && zip(segments, other.segments).allSatisfy { $0.hasSameBytes(as: $1) }
  }

  private static func split(_ text: String) -> [String] {
    text.parts(at: ".").map(String.init)
  }

  private static func isSimple(_ name: String) -> Bool {
    guard let first = name.utf8.first, !(48...57).contains(first) else { return false }
    return name.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
        true
      default: false
      }
    }
  }

  private static func segments(of text: String) -> [String]? {
    var segments: [String] = []
    var rest = Array(text.utf8)[...]
    while true {
      var name: [UInt8] = []
      if rest.first == UInt8(ascii: "`") {
        rest = rest.dropFirst()
        var isClosed = false
        while !isClosed, let byte = rest.popFirst() {
          switch byte {
          case UInt8(ascii: "`"): isClosed = true
          case UInt8(ascii: "\\"):
            guard let escaped = rest.popFirst() else { return nil }
            name.append(escaped)
          default: name.append(byte)
          }
        }
        guard isClosed, !name.isEmpty else { return nil }
      } else {
        name = Array(rest.prefix { $0 != UInt8(ascii: ".") })
        guard isSimple(String(decoding: name, as: UTF8.self)) else { return nil }
        rest = rest.dropFirst(name.count)
      }
      segments.append(String(decoding: name, as: UTF8.self))
      guard let dot = rest.popFirst() else { return segments }
      guard dot == UInt8(ascii: ".") else { return nil }
    }
  }

  /// Returns a Boolean value that indicates whether two paths have the same names, byte for byte.
  public static func == (left: FirestoreFieldPath, right: FirestoreFieldPath) -> Bool {
    left.segments.count == right.segments.count && left.isWithin(right)
  }

  /// Hashes the names.
  public func hash(into hasher: inout Hasher) {
    for segment in segments { hasher.combine(utf8: segment) }
  }

  /// Returns a Boolean value that indicates whether one path comes before another, comparing the
  /// bytes of their names in turn.
  public static func < (left: FirestoreFieldPath, right: FirestoreFieldPath) -> Bool {
    left.segments.lexicographicallyPrecedes(right.segments) {
      $0.utf8.lexicographicallyPrecedes($1.utf8)
    }
  }

  /// Creates a path from text, as ``init(_:)`` does.
  ///
  /// Text without backquotes is split at its dots. An invalid path causes an error where it is
  /// used.
  public init(stringLiteral text: String) {
    segments =
      text.utf8.contains(UInt8(ascii: "`")) ? Self.segments(of: text) ?? [] : Self.split(text)
  }
}

extension FirestoreFieldPath: CustomStringConvertible {
  /// The path as text, with names that aren't simple in backquotes.
  public var description: String {
    segments.map { name in
      guard !Self.isSimple(name) else { return name }
      var quoted: [UInt8] = [UInt8(ascii: "`")]
      for byte in name.utf8 {
        if byte == UInt8(ascii: "`") || byte == UInt8(ascii: "\\") {
          quoted.append(UInt8(ascii: "\\"))
        }
        quoted.append(byte)
      }
      quoted.append(UInt8(ascii: "`"))
      return String(decoding: quoted, as: UTF8.self)
    }.joined(separator: ".")
  }
}
