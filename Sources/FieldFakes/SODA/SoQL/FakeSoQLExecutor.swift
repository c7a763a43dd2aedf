/// A column of a response.
struct FakeSoQLOutput {
  enum Source: Hashable {
    case column(FakeSoQLSource)
    /// The number of rows of a group with a value, or of all its rows.
    case count(FakeSoQLSource?)
  }

  let name: String
  /// The name of the type in the response.
  let typeName: String
  let source: Source

  var type: FakeSoQLType { if case .column(let source) = source { source.type } else { .number } }
}

/// The rows of a response, with their columns.
struct FakeSoQLResult {
  var outputs: [FakeSoQLOutput]
  var rows: [[FakeSODAServer.Cell]]
  /// The number of visited rows, to prove the cost of a page.
  var visitedCount: Int
}

/// An executor of queries on a table.
struct FakeSoQLExecutor {
  let table: FakeSODATable
  let options: FakeSODAServer.Options
  /// A Boolean value that indicates whether text comparison is case-insensitive, as in SODA 2.0.
  var isCaseBlind = false
  /// A Boolean value that indicates whether a star includes system fields.
  var hasSystem = false
  /// A Boolean value that indicates whether a star includes computed columns, unless there is an
  /// order.
  var hasComputed = true

  /// The number of rows if the query has no limit.
  static let defaultLimit = 1000

  func run(_ query: FakeSoQLQuery) throws(FakeSoQLError) -> FakeSoQLResult {
    let checker = FakeSoQLChecker(
      columns: table.columns, options: options, isCaseBlind: isCaseBlind)
    var condition: ((FakeSODARecord) -> FakeSoQLValue)?
    if let expression = query.condition { condition = try checker.condition(expression) }
    let outputs = try outputs(query, checker)
    var groups: [FakeSoQLSource] = []
    for group in query.groups { groups.append(try checker.source(group)) }
    var orders: [(source: FakeSoQLOutput.Source, isAscending: Bool)] = []
    for order in query.orders {
      let source = try Self.orderSource(order.expression, outputs, checker)
      if case .column(let column) = source, !column.type.isOrdered {
        throw .mismatch("order by", column.type, at: order.expression.offset)
      }
      orders.append((source, order.isAscending))
    }
    if query.isGrouped {
      for case .column(let source) in outputs.map(\.source) + orders.map(\.source)
      where !groups.contains(source) {
        throw .soql("column-not-in-group-bys", "A column is not in GROUP BY")
      }
    }
    var run = Run(
      executor: self, query: query, outputs: outputs, orders: orders, condition: condition,
      limit: query.limit ?? Self.defaultLimit)
    if query.isGrouped { run.groups(groups) } else { run.plain() }
    return FakeSoQLResult(outputs: outputs, rows: run.rows, visitedCount: run.visitedCount)
  }

  // MARK: Columns

  /// Returns the columns of the response, with those that a star includes.
  private func outputs(
    _ query: FakeSoQLQuery, _ checker: FakeSoQLChecker
  ) throws(FakeSoQLError) -> [FakeSoQLOutput] {
    let selection = query.selection
    var outputs: [FakeSoQLOutput] = []
    if selection.hasSystemStar || (selection.hasStar && hasSystem) {
      outputs = FakeSODASystemField.allCases.map { field in
        FakeSoQLOutput(
          name: field.rawValue, typeName: field.type.name, source: .column(.system(field)))
      }
    }
    if selection.hasStar {
      if query.isGrouped {
        throw .soql("column-not-in-group-bys", "A star cannot be selected beside groups")
      }
      for (index, column) in table.columns.enumerated()
      where !column.isComputed || hasComputed && query.orders.isEmpty {
        outputs.append(
          FakeSoQLOutput(
            name: column.name, typeName: column.type.rawValue,
            source: .column(.cell(index, FakeSoQLType(column.type)))))
      }
    }
    var names = Set(outputs.map(\.name))
    for item in selection.items {
      let name = item.responseName
      let source = try Self.source(item.expression, checker)
      // A column that the star already includes isn't repeated.
      if !names.insert(name).inserted {
        if case .column = source, item.name == nil { continue }
        throw .soql("duplicate-alias", "Duplicate alias: \(name)")
      }
      var typeName = "number"
      if case .column(let column) = source {
        typeName = column.type.name
        if case .cell(let index, _) = column { typeName = table.columns[index].type.rawValue }
      }
      outputs.append(FakeSoQLOutput(name: name, typeName: typeName, source: source))
    }
    return outputs
  }

  private static func source(
    _ expression: FakeSoQLExpression, _ checker: FakeSoQLChecker
  ) throws(FakeSoQLError) -> FakeSoQLOutput.Source {
    guard case .call("count", let arguments, let position) = expression else {
      return .column(try checker.source(expression))
    }
    guard let argument = arguments.first, arguments.count == 1 else {
      throw .unsupported("count with \(arguments.count) arguments", at: position.offset)
    }
    return .count(argument == .star ? nil : try checker.source(argument))
  }

  /// Returns the source of an order, which may be a name that the selection gives.
  private static func orderSource(
    _ expression: FakeSoQLExpression, _ outputs: [FakeSoQLOutput], _ checker: FakeSoQLChecker
  ) throws(FakeSoQLError) -> FakeSoQLOutput.Source {
    if case .column(let name, _) = expression,
      let output = outputs.first(where: { $0.name.lowercased() == name })
    {
      return output.source
    }
    return try source(expression, checker)
  }

  // MARK: Rows

  /// An execution in progress.
  private struct Run {
    let executor: FakeSoQLExecutor
    let query: FakeSoQLQuery
    let outputs: [FakeSoQLOutput]
    let orders: [(source: FakeSoQLOutput.Source, isAscending: Bool)]
    let condition: ((FakeSODARecord) -> FakeSoQLValue)?
    let limit: Int
    var rows: [[FakeSODAServer.Cell]] = []
    var visitedCount = 0
    var skipped = 0

    /// A group of rows with one of them, and the counts of the response's columns and orders.
    struct Group {
      var record: FakeSODARecord?
      var counts: [FakeSoQLOutput.Source: Int]
    }

    /// Reads rows in an order that the table already has, or sorts them.
    mutating func plain() {
      if limit == 0 { return }
      if let index = indexOrder {
        return read(index) { run, record in run.take(Group(record: record, counts: [:])) }
      }
      var found: [Group] = []
      read { _, record in
        found.append(Group(record: record, counts: [:]))
        return true
      }
      takeSorted(found)
    }

    /// The order of the table that matches the requested one; `nil` if there is none.
    private var indexOrder: FakeSODATable.Order? {
      let fields = orders.map { order -> FakeSODASystemField? in
        guard order.isAscending, case .column(.system(let field)) = order.source else { return nil }
        return field
      }
      return switch fields.first {
      case nil, .id: .number
      case .updatedAt where fields.count == 1 || fields[1] == .id: .stamp
      default: nil
      }
    }

    /// Reads matching rows within the bounds of the condition until the body has enough, in an order
    /// or, for `nil`, in the one that has bounds.
    private mutating func read(
      _ order: FakeSODATable.Order? = nil, _ body: (inout Run, FakeSODARecord) -> Bool
    ) {
      let bounds = query.condition.map { FakeSoQLBounds($0, executor.options.ids) } ?? .init()
      if bounds.isEmpty { return }
      let order = order ?? (bounds.updatedAt.lowerBound == .min ? .number : .stamp)
      let start =
        order == .stamp
        ? bounds.firstStamp : FakeSODAStamp(updatedAt: .min, number: bounds.number.lowerBound)
      executor.table.scan(order, from: start) { record in
        let isPast =
          order == .stamp
          ? record.updatedAt > bounds.updatedAt.upperBound
          : record.number > bounds.number.upperBound
        if isPast { return false }
        visitedCount += 1
        return condition?(record).isTrue ?? true ? body(&self, record) : true
      }
    }

    /// Reads all rows and counts them by groups.
    mutating func groups(_ keys: [FakeSoQLSource]) {
      let counted = (outputs.map(\.source) + orders.map(\.source)).filter {
        if case .count = $0 { true } else { false }
      }
      let none = Dictionary(counted.map { ($0, 0) }, uniquingKeysWith: { first, _ in first })
      if keys.isEmpty, condition == nil, counted.allSatisfy({ $0 == .count(nil) }) {
        let count = executor.table.count
        _ = take(Group(record: nil, counts: none.mapValues { _ in count }))
        return
      }
      var places: [[FakeSoQLValue]: Int] = [:]
      var found: [Group] = keys.isEmpty ? [Group(record: nil, counts: none)] : []
      read { _, record in
        let values = keys.map { $0.value(record) }
        let place = keys.isEmpty ? 0 : places[values] ?? found.count
        if place == found.count {
          places[values] = place
          found.append(Group(record: record, counts: none))
        }
        for case .count(let column) in none.keys {
          let hasValue = column.map { !$0.value(record).isNull } ?? true
          if hasValue { found[place].counts[.count(column), default: 0] += 1 }
        }
        return true
      }
      takeSorted(found)
    }

    /// Adds rows or groups to the response, in the order of the query and then in their own.
    private mutating func takeSorted(_ found: [Group]) {
      let keyed = found.map { group in
        (group: group, keys: orders.map { value($0.source, group) })
      }
      let sorted = keyed.sorted { left, right in
        let (one, other) = (left.group.record?.number ?? 0, right.group.record?.number ?? 0)
        return precedes(left.keys, right.keys) ?? (one < other)
      }
      for entry in sorted where !take(entry.group) { return }
    }

    /// Adds a row to the response unless it precedes the offset; returns `false` if there are
    /// enough.
    private mutating func take(_ group: Group) -> Bool {
      if rows.count >= limit { return false }
      if skipped < query.offset ?? 0 {
        skipped += 1
        return true
      }
      rows.append(
        outputs.map { output in
          switch output.source {
          case .column(let source):
            group.record.map { source.cell($0, executor.options) } ?? .null
          case .count: .number(group.counts[output.source] ?? 0)
          }
        })
      return rows.count < limit
    }

    private func value(_ source: FakeSoQLOutput.Source, _ group: Group) -> FakeSoQLValue {
      switch source {
      case .column(let column): group.record.map { column.value($0) } ?? .null
      case .count: .number(Double(group.counts[source] ?? 0))
      }
    }

    /// Returns whether keys precede others, or `nil` if they are equal. Nulls are greater than everything, as in PostgreSQL.
    private func precedes(_ left: [FakeSoQLValue], _ right: [FakeSoQLValue]) -> Bool? {
      for (index, order) in orders.enumerated() {
        let (one, other) = (left[index], right[index])
        if one.isNothing != other.isNothing { return one.isNothing != order.isAscending }
        guard let result = FakeSoQLValue.order(one, other), result != 0 else { continue }
        return (result < 0) == order.isAscending
      }
      return nil
    }
  }
}
