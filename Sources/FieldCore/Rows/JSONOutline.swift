/// The rough structure of the object that begins a body: its keys and its arrays.
struct JSONOutline {
  /// An array in the object that may contain rows.
  struct Array {
    var path: [String]
    var length: Int
    /// The offset of the first element, or of the closing bracket if there is none.
    var start: Int
    var isEmpty: Bool
    /// A Boolean value that indicates whether the array begins with an object.
    var hasRows: Bool
  }

  /// The maximum depth at which to look for arrays, and the maximum number of an object's keys to
  /// keep.
  private static let deepest = 3
  private static let mostKeys = 100

  var keys: [String] = []
  var arrays: [Array] = []
  /// The format, if the object revealed it early; then the rest wasn't scanned.
  var format: RowFormat?
  /// The offset after the object.
  var end = 0

  /// Scans the object whose opening brace is at an offset.
  init(_ bytes: Span<UInt8>, at start: Int) throws(JSONFault) {
    var scanner = JSONScanner(at: start)
    try look(bytes, &scanner, [])
    end = scanner.at
  }

  private mutating func look(
    _ bytes: Span<UInt8>, _ scanner: inout JSONScanner, _ path: [String]
  ) throws(JSONFault) {
    guard try scanner.enter(bytes, until: UInt8(ascii: "}")) else { return }
    var count = 0
    repeat {
      let string = try scanner.key(bytes)
      count += 1
      guard count <= Self.mostKeys else {
        try scanner.skipValue(bytes)
        continue
      }
      let key = JSONValue.text(bytes, string)
      if path.isEmpty { keys.append(key) }
      let start = scanner.at
      switch scanner.peek(bytes) {
      case UInt8(ascii: "["):
        if path.isEmpty, key == "features" { format = .geoJSON }
        if path.isEmpty, key == "data", keys.contains("meta") { format = .positionalJSON }
        if format != nil { return }
        try scanner.skipContainer(bytes)
        let first = ForeignBody.firstInk(bytes, from: start + 1)
        arrays.append(
          Array(
            path: path + [key], length: scanner.at - start, start: first,
            isEmpty: bytes[first] == UInt8(ascii: "]"),
            hasRows: bytes[first] == UInt8(ascii: "{")))
      case UInt8(ascii: "{") where path.count + 1 < Self.deepest:
        try look(bytes, &scanner, path + [key])
      default:
        try scanner.skipValue(bytes)
      }
      if format != nil { return }
    } while try scanner.another(bytes, until: UInt8(ascii: "}"))
    if path.isEmpty, keys.contains("meta"), arrays.contains(where: { $0.path == ["data"] }) {
      format = .positionalJSON
    }
  }

  /// The arrays whose names say that they contain rows, the most usual name first.
  var namedRows: [Array] {
    let names = ["results", "records", "resource", "data", "result", "rows", "items", "value"]
    let holders: [[String]] = [[], ["result"], ["data"], ["response"], ["payload"]]
    let paths = holders.flatMap { holder in names.map { holder + [$0] } }
    return paths.flatMap { path in
      arrays.filter { $0.path == path && ($0.hasRows || $0.isEmpty) }
    }
  }
}
