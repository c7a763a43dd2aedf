/// The shape of a record in the default coding: the keys and kinds of its values, so that these need no tags.
///
/// The text of a shape is among the strings of a frame. For its grammar, and for the form of each kind of value, see
/// `Docs/store-format.md`.
package final class RecordShape: Sendable {
  /// The kind of a value.
  ///
  /// The raw value is the tag of a self-described value, and the number of the node of that kind in every shape.
  package enum Kind: UInt8, Sendable, CaseIterable {
    case null, bool, int, uint, double, float, text, bytes, uuid, decimal, int128, uint128, array,
      map, absent
    // Values of these kinds have no tag.
    case any, unknown, id, record, union

    /// The letter of a kind without parts.
    var letter: UInt8? {
      switch self {
      case .null: UInt8(ascii: "n")
      case .bool: UInt8(ascii: "b")
      case .int: UInt8(ascii: "i")
      case .uint: UInt8(ascii: "u")
      case .double: UInt8(ascii: "d")
      case .float: UInt8(ascii: "f")
      case .text: UInt8(ascii: "s")
      case .bytes: UInt8(ascii: "x")
      case .uuid: UInt8(ascii: "g")
      case .decimal: UInt8(ascii: "m")
      case .int128: UInt8(ascii: "I")
      case .uint128: UInt8(ascii: "U")
      case .any: UInt8(ascii: "*")
      case .absent: UInt8(ascii: "-")
      case .unknown: UInt8(ascii: "_")
      case .id: UInt8(ascii: "=")
      case .array, .map, .record, .union: nil
      }
    }

    /// The fewest bytes of a value of a kind without parts.
    var smallestSize: Int {
      switch self {
      case .null, .absent, .id: 0
      case .double: 8
      case .float: 4
      case .uuid, .int128, .uint128: 16
      default: 1
      }
    }

    /// The number of kinds with a tag.
    static let tagCount: UInt8 = 15
  }

  /// A kind and its parts, which are consecutive children of the shape.
  struct Node: Sendable {
    var kind: Kind
    var first = 0
    var count = 0
    var smallestSize: Int

    init(_ kind: Kind) {
      self.kind = kind
      smallestSize = kind.smallestSize
    }
  }

  /// The first byte of a record in this coding. No JSON text begins with it.
  package static let marker: UInt8 = 1
  /// The depth to which values and their shapes are nested.
  static let depthLimit = 128
  /// The largest number of alternatives.
  static let alternativeLimit = 64

  let text: String
  let nodes: [Node]
  /// The numbers of the nodes that are parts of others.
  let children: [Int]
  /// The key of each child, empty for parts other than those of a record.
  let keys: [String]
  /// The node of the ID.
  let id: Int
  /// The node of the record.
  let root: Int

  /// Parses the text of a shape.
  ///
  /// - Throws: ``FieldError/Code/damaged`` if the text isn't that of a shape.
  package init(_ text: String) throws {
    var parser = Parser(text)
    id = try parser.node()
    parser.hasID = true
    root = try parser.node()
    guard parser.isAtEnd else { throw Parser.damaged() }
    self.text = text
    (nodes, children, keys) = (parser.nodes, parser.children, parser.keys)
  }
}

extension RecordShape {
  /// Returns the byte of an absent value, or `nil` if values of this node are always present.
  func absence(_ node: Int) -> UInt8? {
    let part = nodes[node]
    if part.kind == .any { return Kind.absent.rawValue }
    guard part.kind == .union else { return nil }
    let place = (0..<part.count).first { nodes[children[part.first + $0]].kind == .absent }
    return place.map { UInt8($0) }
  }
}

extension RecordShape {
  /// Parses the text of a shape, whose parts are nested to a limited depth.
  private struct Parser {
    private let text: [UInt8]
    private var place = 0
    private var depth = 0
    /// Whether a value may be that of the ID.
    var hasID = false

    private(set) var nodes = Kind.allCases.map(Node.init)
    private(set) var children: [Int] = []
    private(set) var keys: [String] = []

    init(_ text: String) {
      self.text = Array(text.utf8)
      // The parts of self-described containers are self-described.
      for kind in [Kind.array, .map] {
        add([(node: Int(Kind.any.rawValue), key: "")], to: Int(kind.rawValue))
      }
    }

    var isAtEnd: Bool { place == text.count }

    static func damaged() -> FieldError {
      FieldError(.damaged, "The shape of a record is damaged.")
    }

    /// Parses a kind with its parts, adds them, and returns the number of the node.
    mutating func node() throws -> Int {
      let letter = try next()
      guard let (kind, end) = Self.bracket(letter) else {
        guard let kind = Self.kind(letter), kind != .id || hasID else { throw Self.damaged() }
        return Int(kind.rawValue)
      }
      guard depth < RecordShape.depthLimit else { throw Self.damaged() }
      depth += 1
      defer { depth -= 1 }
      var parts: [(node: Int, key: String)] = []
      while place < text.count, text[place] != end {
        let key = kind == .record ? try key() : ""
        parts.append((try node(), key))
      }
      guard try next() == end else { throw Self.damaged() }
      var node = Node(kind)
      switch kind {
      case .record: node.smallestSize = parts.reduce(0) { $0 + nodes[$1.node].smallestSize }
      case .union:
        guard 1...RecordShape.alternativeLimit ~= parts.count,
          parts.allSatisfy({ nodes[$0.node].kind != .union })
        else { throw Self.damaged() }
      default:
        // Each element takes room, so that a number of elements is limited by the bytes that are left.
        guard parts.count == 1, kind == .map || nodes[parts[0].node].smallestSize > 0 else {
          throw Self.damaged()
        }
      }
      nodes.append(node)
      add(parts, to: nodes.count - 1)
      return nodes.count - 1
    }

    private mutating func add(_ parts: [(node: Int, key: String)], to node: Int) {
      (nodes[node].first, nodes[node].count) = (children.count, parts.count)
      children += parts.map(\.node)
      keys += parts.map(\.key)
    }

    private mutating func next() throws -> UInt8 {
      guard place < text.count else { throw Self.damaged() }
      defer { place += 1 }
      return text[place]
    }

    /// Parses a key, preceded by its length and a colon.
    private mutating func key() throws -> String {
      var count = 0
      while case let digit = try next(), digit != UInt8(ascii: ":") {
        guard UInt8(ascii: "0")...UInt8(ascii: "9") ~= digit, count < text.count else {
          throw Self.damaged()
        }
        count = 10 * count + Int(digit - UInt8(ascii: "0"))
      }
      guard count <= text.count - place,
        let key = String(validating: text[place..<place + count], as: UTF8.self)
      else { throw Self.damaged() }
      place += count
      return key
    }

    private static func kind(_ letter: UInt8) -> Kind? {
      Kind.allCases.first { $0.letter == letter }
    }

    private static func bracket(_ letter: UInt8) -> (Kind, end: UInt8)? {
      switch letter {
      case UInt8(ascii: "["): (.array, UInt8(ascii: "]"))
      case UInt8(ascii: "<"): (.map, UInt8(ascii: ">"))
      case UInt8(ascii: "{"): (.record, UInt8(ascii: "}"))
      case UInt8(ascii: "("): (.union, UInt8(ascii: ")"))
      default: nil
      }
    }
  }
}

extension RecordShape {
  private struct Known: Sendable {
    var last: RecordShape?
    var all: [String: RecordShape] = [:]
  }

  private static let known = Lock(Known())

  /// Returns the shape with a text, which is parsed once in a process.
  static func shape(_ text: String) throws -> RecordShape {
    let known = known.withLock { known -> RecordShape? in
      // Texts from the same frame are identical, which is found without comparing them.
      if let last = known.last, last.text == text { return last }
      known.last = known.all[text]
      return known.last
    }
    if let known { return known }
    let shape = try RecordShape(text)
    self.known.withLock { known in
      if known.all.count >= 1000 { known.all = [:] }
      known.all[text] = shape
      known.last = shape
    }
    return shape
  }
}
