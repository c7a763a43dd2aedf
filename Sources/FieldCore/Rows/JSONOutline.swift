/// The rough structure of the object that begins a body: its keys, its arrays, and its objects of
/// objects.
struct JSONOutline {
  /// An array in the object that may contain rows, or an object whose values may be rows.
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
  /// The objects, including this one, that have nothing but objects as values.
  var objects: [Array] = []
  /// The format, if the object revealed it early; then the rest wasn't scanned.
  var format: RowFormat?
  /// The offset after the object.
  var end = 0

  /// Scans the object whose opening brace is at an offset.
  init(_ bytes: Span<UInt8>, at start: Int) throws(JSONFault) {
    var scanner = JSONScanner(at: start)
    scanner.allowsNonFinite = true
    try look(bytes, &scanner, [])
    end = scanner.at
  }

  private mutating func look(
    _ bytes: Span<UInt8>, _ scanner: inout JSONScanner, _ path: [String]
  ) throws(JSONFault) {
    let outset = scanner.at
    guard try scanner.enter(bytes, until: UInt8(ascii: "}")) else { return }
    var count = 0
    var firstValue: Int?
    var hasOnlyObjects = true
    repeat {
      let string = try scanner.key(bytes)
      count += 1
      firstValue = firstValue ?? scanner.at
      hasOnlyObjects = hasOnlyObjects && scanner.peek(bytes) == UInt8(ascii: "{")
      guard count <= Self.mostKeys else {
        try scanner.skipRows(bytes)
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
        try scanner.skipRows(bytes)
        let first = ForeignBody.firstInk(bytes, from: start + 1)
        arrays.append(
          Array(
            path: path + [key], length: scanner.at - start, start: first,
            isEmpty: bytes[first] == UInt8(ascii: "]"),
            hasRows: bytes[first] == UInt8(ascii: "{")))
      case UInt8(ascii: "{") where path.count + 1 < Self.deepest:
        try look(bytes, &scanner, path + [key])
      default:
        try scanner.skipRows(bytes)
      }
      if format != nil { return }
    } while try scanner.another(bytes, until: UInt8(ascii: "}"))
    if hasOnlyObjects, let firstValue {
      objects.append(
        Array(
          path: path, length: scanner.at - outset, start: firstValue, isEmpty: false, hasRows: true)
      )
    }
    if path.isEmpty, keys.contains("meta"), arrays.contains(where: { $0.path == ["data"] }) {
      format = .positionalJSON
    }
  }

  /// A Boolean value that indicates whether the object is a GeoJSON feature.
  var isFeature: Bool {
    keys.contains("properties") && (keys.contains("type") || keys.contains("geometry"))
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
