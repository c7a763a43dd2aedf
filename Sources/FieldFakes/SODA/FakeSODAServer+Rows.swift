internal import FieldCore
public import FieldFoundation

extension FakeSODAServer {
  /// The current number of rows.
  public var rowCount: Int { state.withLock(\.table.count) }

  /// Inserts rows in one write, even if rows with the same key exist.
  ///
  /// - Parameters:
  ///   - rows: The rows. A missing column is null, and an unknown column is a programming error
  ///     that ends the program.
  ///   - date: The stamp instead of the clock's: an old one simulates a row that becomes visible
  ///     late.
  /// - Returns: The `:id`s of the rows, in order.
  @discardableResult
  public func insert(_ rows: [Row], at date: Date? = nil) -> [String] {
    write(at: date) { state, stamp in
      rows.map { add(cells(of: $0), createdAt: stamp, stamp, &state) }
    }
  }

  /// Replaces all cells of the rows whose key exists and inserts the others, in one write.
  ///
  /// - Returns: The `:id`s of the rows, in order.
  @discardableResult
  public func upsert(_ rows: [Row], at date: Date? = nil) -> [String] {
    write(at: date) { state, stamp in
      rows.map { row in
        guard let number = rowNumbers(of: keyText(cells(of: row)), &state).last,
          let old = state.table.record(number)
        else { return add(cells(of: row), createdAt: stamp, stamp, &state) }
        return store(cells(of: row), number, createdAt: old.createdAt, stamp, &state)
      }
    }
  }

  /// Changes some cells of the rows with a key, where `.null` clears a cell.
  ///
  /// - Returns: The number of changed rows.
  @discardableResult
  public func update(_ key: String, _ changes: Row, at date: Date? = nil) -> Int {
    write(at: date) { state, stamp in
      let numbers = rowNumbers(of: key, &state)
      return change(numbers.compactMap(state.table.record), changes, stamp, &state)
    }
  }

  /// Changes some cells of all rows that a closure selects.
  ///
  /// - Returns: The number of changed rows.
  @discardableResult
  public func update(where isWanted: (Row) -> Bool, _ changes: Row, at date: Date? = nil) -> Int {
    write(at: date) { state, stamp in
      change(matching({ isWanted(presentRow($0)) }, state.table), changes, stamp, &state)
    }
  }

  private func change(
    _ found: [FakeSODARecord], _ changes: Row, _ stamp: Int64, _ state: inout State
  ) -> Int {
    for old in found {
      let row = presentRow(old).merging(changes) { $1 }
      _ = store(cells(of: row), old.number, createdAt: old.createdAt, stamp, &state)
    }
    return found.count
  }

  /// Deletes the rows with the given keys without a trace.
  ///
  /// - Returns: The number of deleted rows.
  @discardableResult
  public func delete(_ keys: String...) -> Int {
    write(at: nil) { state, _ in
      let numbers = keys.flatMap { rowNumbers(of: $0, &state) }
      for number in numbers { remove(number, &state) }
      return numbers.count
    }
  }

  /// Deletes all rows that a closure selects.
  ///
  /// - Returns: The number of deleted rows.
  @discardableResult
  public func delete(where isWanted: (Row) -> Bool) -> Int {
    write(at: nil) { state, _ in
      let found = matching({ isWanted(presentRow($0)) }, state.table)
      for old in found { remove(old.number, &state) }
      return found.count
    }
  }

  /// Replaces all rows at once, as publishers do.
  ///
  /// Every row is new, with a new `:id`, stamps, and version, whether or not it existed before.
  ///
  /// - Returns: The `:id`s of the rows, in order.
  @discardableResult
  public func replaceAll(_ rows: [Row], at date: Date? = nil) -> [String] {
    write(at: date) { state, stamp in
      state.lastNumber = max(state.lastNumber, state.table.lastMadeNumber)
      state.table.removeAll()
      state.numbers = nil
      return rows.map { add(cells(of: $0), createdAt: stamp, stamp, &state) }
    }
  }

  /// Replaces all rows with rows that are generated on demand, so they take no memory.
  ///
  /// You can update and delete them like others.
  ///
  /// - Parameters:
  ///   - count: The number of rows.
  ///   - stamp: A closure that returns the stamps by index, in ascending order; `nil` uses the time
  ///     of this write.
  ///   - row: A closure that returns the rows by index, always the same for the same index.
  public func generate(
    _ count: Int, stamp: (@Sendable (_ index: Int) -> Date)? = nil,
    row: @escaping @Sendable (_ index: Int) -> Row
  ) {
    write(at: nil) { state, now in
      let keepsMicroseconds = state.options.keepsMicroseconds
      let resolved: @Sendable (Int) -> Int64 = { index in
        guard let stamp else { return now }
        return Self.cut(Self.micros(stamp(index)), keepsMicroseconds)
      }
      state.table.removeAll()
      state.numbers = nil
      state.table.make(FakeSODAMadeRows(count: count, stamp: resolved, row: row))
    }
  }

  /// The current rows, in the order of their numbers, without null values.
  public var rows: [Row] { matching({ _ in true }, state.withLock(\.table)).map(presentRow) }

  /// The `:id`s of the current rows, in the server's order.
  public var rowIDs: [String] {
    let (table, ids) = state.withLock { ($0.table, $0.options.ids) }
    return matching({ _ in true }, table).map { ids.text($0.number) }
  }

  // MARK: writing

  /// Performs a write, which creates a new state with a stamp.
  func write<Result>(
    at date: Date?, _ body: (inout State, _ stamp: Int64) throws -> Result
  ) rethrows -> Result {
    let now = Self.micros(clock.now)
    return try state.withLock { state in
      var stamp = Self.cut(date.map(Self.micros) ?? now, state.options.keepsMicroseconds)
      if date == nil {
        let step = Int64(state.options.stampStep / .microseconds(1))
        if state.lastStamp > .min { stamp = max(stamp, state.lastStamp + step) }
        state.lastStamp = stamp
      }
      if state.options.historyLimit > 0 {
        state.history.append(state.table)
        if state.history.count > state.options.historyLimit { state.history.removeFirst() }
      }
      state.table.revision += 1
      state.table.modifiedAt = max(now, date == nil ? stamp : now)
      return try body(&state, stamp)
    }
  }

  private static func cut(_ micros: Int64, _ keepsMicroseconds: Bool) -> Int64 {
    guard !keepsMicroseconds else { return micros }
    let rest = micros % 1000
    return micros - rest - (rest < 0 ? 1000 : 0)
  }

  private func cells(of row: Row) -> [Cell] {
    precondition(
      row.keys.allSatisfy { name in columns.contains { $0.name == name } },
      "The row has a key that isn't a column: \(row.keys.sorted()).")
    return columns.map { row[$0.name] ?? .null }
  }

  /// Stores a row with the next number, and returns its `:id`.
  func add(_ cells: [Cell], createdAt: Int64, _ updatedAt: Int64, _ state: inout State) -> String {
    state.lastNumber = max(state.lastNumber, state.table.lastMadeNumber) + 1
    return store(cells, state.lastNumber, createdAt: createdAt, updatedAt, &state)
  }

  private func store(
    _ cells: [Cell], _ number: Int64, createdAt: Int64, _ updatedAt: Int64, _ state: inout State
  ) -> String {
    state.lastVersion = max(state.lastVersion, state.table.lastMadeNumber) + 1
    if state.numbers != nil {
      forget(number, &state)
      if let text = keyText(cells) { state.numbers?[text, default: []].append(number) }
    }
    state.table.store(
      FakeSODARecord(
        number: number, version: state.lastVersion, createdAt: createdAt, updatedAt: updatedAt,
        cells: cells))
    return state.options.ids.text(number)
  }

  private func remove(_ number: Int64, _ state: inout State) {
    forget(number, &state)
    state.table.remove(number)
  }

  private func forget(_ number: Int64, _ state: inout State) {
    guard state.numbers != nil, let old = state.table.record(number), let text = keyText(old.cells)
    else { return }
    state.numbers?[text]?.removeAll { $0 == number }
  }

  // MARK: finding

  private func keyText(_ cells: [Cell]) -> String? {
    zip(columns, cells).first { $0.0.name == key }?.1.keyText
  }

  private func rowNumbers(of text: String?, _ state: inout State) -> [Int64] {
    guard let text else { return [] }
    precondition(key != nil, "The server was created without a key column.")
    if state.numbers == nil {
      var numbers: [String: [Int64]] = [:]
      state.table.scan(.number) { record in
        if let text = keyText(record.cells) { numbers[text, default: []].append(record.number) }
        return true
      }
      state.numbers = numbers
    }
    return state.numbers?[text] ?? []
  }

  private func matching(
    _ isWanted: (FakeSODARecord) -> Bool, _ table: FakeSODATable
  ) -> [FakeSODARecord] {
    var found: [FakeSODARecord] = []
    table.scan(.number) { record in
      if isWanted(record) { found.append(record) }
      return true
    }
    return found
  }

  func presentRow(_ record: FakeSODARecord) -> Row {
    var row: Row = [:]
    for (column, cell) in zip(columns, record.cells) where cell != .null { row[column.name] = cell }
    return row
  }
}

extension FakeSODAServer.Options {
  /// The coder of `:id`.
  var ids: FakeSODAIdentifier { FakeSODAIdentifier(prefix: "row-", seed: idSeed) }

  /// The coder of `:version`.
  var versions: FakeSODAIdentifier { FakeSODAIdentifier(prefix: "rv-", seed: ~idSeed) }
}

// MARK: - Cell

extension FakeSODAServer {
  /// The content of a row in one column.
  ///
  /// Literals create texts, numbers, and checkboxes, so that rows in tests read like the data:
  /// `["name": "Aachen", "mass": 21, "year": .timestamp("1880-01-01T00:00:00.000")]`.
  public enum Cell: Sendable, Hashable {
    /// No value: the key is missing from the JSON of the row.
    case null
    /// A text.
    case text(String)
    /// A number as text, which is sent unchanged, in quotes.
    case number(String)
    /// A date and time as text, which is sent unchanged.
    ///
    /// It has a zone for `fixed_timestamp` and none for `floating_timestamp`.
    case timestamp(String)
    /// A Boolean value.
    case checkbox(Bool)
    /// A location as GeoJSON, in degrees.
    case point(longitude: Double, latitude: Double)
    /// A location of the older kind, whose members are texts and may be missing.
    indirect case location(latitude: String?, longitude: String?, humanAddress: String? = nil)
    /// JSON that is sent unchanged and that conditions can't see.
    ///
    /// It may be a URL, a photo, a shape, or a value that the column's type doesn't allow.
    case json(String)

    /// Returns a cell with an integer.
    public static func number(_ value: Int) -> Cell { .number(String(value)) }
  }

  /// A row, with a cell for each column that has a value.
  public typealias Row = [String: Cell]
}

extension FakeSODAServer.Cell: ExpressibleByStringLiteral, ExpressibleByBooleanLiteral {
  /// Creates a text.
  public init(stringLiteral value: String) { self = .text(value) }
  /// Creates a checkbox.
  public init(booleanLiteral value: Bool) { self = .checkbox(value) }
}

extension FakeSODAServer.Cell: ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral {
  /// Creates a number.
  public init(integerLiteral value: Int) { self = .number(value) }
  /// Creates a number, whose text has no fraction if it is an integer.
  public init(floatLiteral value: Double) { self = .number(FakeSoQLNumber.text(value)) }
}

extension FakeSODAServer.Cell {
  /// The text that identifies a row, if the cell is one of a key column.
  var keyText: String? {
    switch self {
    case .text(let text), .number(let text), .timestamp(let text): text
    case .checkbox(let value): value ? "true" : "false"
    case .null, .point, .location, .json: nil
    }
  }
}

// MARK: - Column

extension FakeSODAServer {
  /// A column of the dataset.
  public struct Column: Sendable, Hashable {
    /// The name in queries and rows, such as `recclass`.
    ///
    /// A name that begins with `:@` is that of a computed column: `*` omits it if there is an
    /// order, as Socrata does.
    public var name: String
    /// The type of the column's values.
    public var type: ColumnType
    /// The title for people.
    public var title: String

    /// Creates a column, whose title defaults to its name.
    public init(_ name: String, _ type: ColumnType = .text, title: String? = nil) {
      self.name = name
      self.type = type
      self.title = title ?? name
    }

    var isComputed: Bool { name.hasPrefix(":@") }
  }

  /// A type of a column, by its name in `X-SODA2-Types`.
  ///
  /// The set of types is open. Values of an unknown type are passed through and can't be compared.
  public struct ColumnType: RawRepresentable, Sendable, Hashable {
    /// The name, such as `floating_timestamp`.
    public var rawValue: String
    /// Creates a type from its name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// A text.
    public static var text: Self { Self(rawValue: "text") }
    /// A decimal number.
    public static var number: Self { Self(rawValue: "number") }
    /// A date and time without a zone.
    public static var floatingTimestamp: Self { Self(rawValue: "floating_timestamp") }
    /// A moment.
    public static var fixedTimestamp: Self { Self(rawValue: "fixed_timestamp") }
    /// A location as GeoJSON.
    public static var point: Self { Self(rawValue: "point") }
    /// A location of the older kind.
    public static var location: Self { Self(rawValue: "location") }
    /// A Boolean value.
    public static var checkbox: Self { Self(rawValue: "checkbox") }
    /// A web address, which is sent as an object.
    public static var url: Self { Self(rawValue: "url") }

    /// The name in the metadata of a view.
    var metadataName: String {
      switch self {
      case .floatingTimestamp: "calendar_date"
      case .fixedTimestamp: "date"
      default: rawValue
      }
    }
  }
}

extension FakeSODAServer.Column: ExpressibleByStringLiteral {
  /// Creates a text column.
  public init(stringLiteral value: String) { self.init(value) }
}

// MARK: - Replica

extension FakeSODAServer {
  /// A copy of the dataset that responds to requests, because portals have several.
  ///
  /// ```swift
  /// server.replicas = [.current, .behind(writes: 3), .behind(.seconds(9_000)).lying]
  /// ```
  public struct Replica: Sendable {
    enum Age: Sendable {
      case writes(Int)
      case time(Duration)
      case frozen(FakeSODATable)
    }

    let age: Age
    var claim: Bool?

    /// A replica with the newest state.
    public static var current: Replica { Replica(age: .writes(0)) }

    /// Returns a replica without the last writes, at most back to the oldest state that is kept.
    public static func behind(writes count: Int) -> Replica { Replica(age: .writes(count)) }

    /// Returns a replica with the state a duration ago, by the server's clock.
    public static func behind(_ duration: Duration) -> Replica { Replica(age: .time(duration)) }

    /// This replica, always claiming that it is up to date.
    public var lying: Replica { claiming(outOfDate: false) }

    /// Returns this replica, always making the same claim in `X-SODA2-Data-Out-Of-Date`.
    public func claiming(outOfDate claim: Bool) -> Replica {
      var replica = self
      replica.claim = claim
      return replica
    }
  }

  /// Returns a replica with the current state that never changes.
  public func frozenReplica() -> Replica { Replica(age: .frozen(state.withLock(\.table))) }
}

extension FakeSODAServer.State {
  func table(of replica: FakeSODAServer.Replica, now: Int64) -> FakeSODATable {
    switch replica.age {
    case .frozen(let table): return table
    case .writes(let count):
      guard count > 0 else { return table }
      return history.isEmpty ? table : history[max(0, history.count - count)]
    case .time(let duration):
      let moment = now - Int64(duration / .microseconds(1))
      return (history + [table]).last { $0.modifiedAt <= moment } ?? history.first ?? table
    }
  }
}
