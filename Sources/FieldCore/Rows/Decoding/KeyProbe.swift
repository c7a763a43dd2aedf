internal import FieldFoundation

/// The keys that a `Decodable` type asks for, learned by decoding it from made-up values.
///
/// No value suits every type, so it is decoded several times: with all optional values, which shows their nested keys, and with none, which
/// may lead to other keys; and with other texts if the first ones are rejected.
final class KeyProbe {
  /// A key of the type.
  struct Key {
    let name: String
    /// The texts and numbers that were made up for its values.
    var texts: Set<String> = []
  }

  /// The keys in the order in which they were asked for.
  private(set) var keys: [Key] = []
  /// The key whose value becomes the ID of a record; otherwise the one called `id`, if there is one.
  private(set) var id: String?
  /// The keys of locations.
  private(set) var locations: [String] = []
  /// A Boolean value that indicates whether the type asks which keys there are, or rejects all values.
  private(set) var isOpen = false
  /// The paths of all values with their kinds.
  private(set) var signature = ""

  private var known: Set<String> = []
  private var hasOptionals = true
  private var text: String?
  private var count = 0

  /// Returns the keys of a type.
  static func keys<Value: Decodable>(of type: Value.Type) -> KeyProbe {
    let probe = KeyProbe()
    var isFinished = false
    let texts = [
      nil, "2000-01-01", "2000-01-01T00:00:00Z", "https://example.org/", "#000000", "", "1:1",
    ]
    for text in texts where !isFinished {
      for hasOptionals in [true, false] {
        guard let value = probe.decode(type, text: text, hasOptionals: hasOptionals) else {
          continue
        }
        isFinished = true
        if let record = value as? any StoredRecord { probe.findID(of: record) }
      }
    }
    if !isFinished { probe.isOpen = true }
    if probe.id == nil {
      probe.id = probe.keys.first { RowSchema.fold($0.name) == "id" }?.name
    }
    return probe
  }

  private func decode<Value: Decodable>(
    _ type: Value.Type, text: String?, hasOptionals: Bool
  ) -> Value? {
    (self.text, self.hasOptionals, count) = (text, hasOptionals, 0)
    for place in keys.indices { keys[place].texts = [] }
    return try? Value(from: WholeDecoder(cells: RowCells(probe: self, path: [])))
  }

  private func findID<Record: StoredRecord>(of record: Record) {
    guard id == nil, text == nil else { return }
    id =
      keys.first { key in
        key.texts.contains { RowKey.id(of: $0, as: Record.ID.self) == record.id }
      }?.name
  }

  /// Notes that the type asks which keys a row has.
  func openKeys(of cells: RowCells) { if cells.path.isEmpty { isOpen = true } }

  /// Notes that a value is asked for.
  ///
  /// - Parameters:
  ///   - kind: The kind of the value, such as `number`.
  ///   - path: The way to the value, with its key.
  ///   - text: The value, if it may become an ID.
  private func note(_ kind: String, at path: [String], text: String? = nil) {
    guard let name = path.first else { return }
    let sign = path.joined(separator: "\u{1F}") + ":" + kind
    if known.insert(sign).inserted { signature += sign + "\n" }
    if known.insert(name + "\u{1F}").inserted { keys.append(Key(name: name)) }
    if kind == "location", path.count == 1, !locations.contains(name) { locations.append(name) }
    guard let text, path.count == 1 else { return }
    for place in keys.indices where keys[place].name == name { keys[place].texts.insert(text) }
  }

  // MARK: values

  /// Returns whether a container pretends to have a value for a key.
  func hasValue(at place: Int, of cells: RowCells) -> Bool {
    note("any", at: cells.path(to: place))
    return hasOptionals && cells.path.count < 3
  }

  /// Returns a made-up value for a key, or `nil`.
  func optionalValue<Value: Decodable>(
    _ type: Value.Type, at place: Int, of cells: RowCells
  ) -> Value? {
    // What an optional value throws, the reader of rows makes nil, too.
    let value = try? value(type, at: place, of: cells)
    return hasOptionals ? value : nil
  }

  /// Returns a made-up value for a key.
  func value<Value: Decodable>(
    _ type: Value.Type, at place: Int, of cells: RowCells
  ) throws -> Value {
    let path = cells.path(to: place)
    if let (value, kind, text) = plainValue(type) {
      note(kind, at: path, text: text)
      return value
    }
    note("any", at: path)
    guard path.count < 5 else {
      throw cells.error("is nested too deeply", at: place)
    }
    if let all = (type as? any CaseIterable.Type)?.firstCase, let first = all as? Value {
      note("case", at: path)
      return first
    }
    do {
      return try Value(from: CellDecoder(cells: cells, place: place))
    } catch {
      guard let first = firstCase(of: type) else { throw error }
      return first
    }
  }

  private func plainValue<Value>(_ type: Value.Type) -> (Value, kind: String, text: String?)? {
    count += 1
    func plain(_ value: Any, _ kind: String, _ text: String? = nil) -> (Value, String, String?)? {
      (value as? Value).map { ($0, kind, text) }
    }
    if let integer = type as? any FixedWidthInteger.Type {
      return plain(integer.init(clamping: count), "integer", "\(count)")
    }
    if type == String.self {
      let made = text ?? "\(count)"
      return plain(made, "text", made)
    }
    if type == UUID.self {
      let byte = UInt8(clamping: count)
      let id = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, byte))
      return plain(id, "uuid", id.uuidString)
    }
    if type == Double.self { return plain(Double(count), "number") }
    if type == Float.self { return plain(Float(count), "number") }
    if type == Bool.self { return plain(true, "bool") }
    if type == Decimal.self { return plain(Decimal(count), "decimal") }
    if type == Date.self { return plain(Date(timeIntervalSince1970: 0), "date") }
    if type == CalendarDay.self { return plain(CalendarDay.first, "day") }
    if type == Data.self { return plain(Data(), "data") }
    if type == URL.self {
      return URL(string: "https://example.org/").flatMap { plain($0, "address") }
    }
    if type == Coordinate.self {
      return Coordinate(validLatitude: 0, longitude: 0).flatMap { plain($0, "location") }
    }
    return nil
  }

  /// Returns the first case of an enumeration whose raw value can't be guessed.
  ///
  /// A type with a raw value and the size of a byte contains no references. If it is an enumeration, the first of its cases is zero.
  private func firstCase<Value>(of type: Value.Type) -> Value? {
    guard type is any RawRepresentable.Type, MemoryLayout<Value>.size == 1 else { return nil }
    let zero: [UInt8] = [0]
    return unsafe zero.withUnsafeBytes { unsafe $0.loadUnaligned(as: Value.self) }
  }
}

extension CaseIterable {
  fileprivate static var firstCase: Any? { allCases.first }
}
