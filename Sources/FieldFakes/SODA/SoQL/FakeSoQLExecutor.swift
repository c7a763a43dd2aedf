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
  /// The current time, in microseconds since 1970.
  var now: Int64 = 0

  /// The number of rows if the query has no limit.
  static let defaultLimit = 1000

  func run(_ query: FakeSoQLQuery) throws(FakeSoQLError) -> FakeSoQLResult {
    var checker = FakeSoQLChecker(self)
    let aliases = try query.aliases()
    checker.aliases = aliases.filter { !$0.value.hasAggregate }
    if query.condition?.hasAggregate == true {
      throw .soql("aggregate-in-ungrouped-context", "Aggregate functions are not allowed in WHERE")
    }
    let condition = try checker.condition(query.condition)
    checker.aliases = aliases
    if query.isGrouped {
      checker.groups = query.groups.map { group in
        if case .column(let name, _) = group { aliases[name] ?? group } else { group }
      }
    }
    let outputs = try query.outputs(
      &checker, hasComputed: hasComputed && query.orders.isEmpty, hasSystem: hasSystem)
    var orders: [(node: FakeSoQLNode, order: FakeSoQLQuery.Order)] = []
    for order in query.orders {
      let typed = try checker.check(order.expression)
      guard typed.type.isOrdered else {
        throw .mismatch("order by", typed.type, at: order.expression.offset)
      }
      orders.append((typed.node, order))
    }
    let having = try checker.condition(query.having)
    let search = query.search.map(FakeSoQLSearch.init)
    var run = Run(
      executor: self, query: query, outputs: outputs, orders: orders,
      limit: query.limit ?? Self.defaultLimit,
      isWanted: { record in
        (condition?.value(record).isTrue ?? true) && (search?.matches(record) ?? true)
      })
    if query.isGrouped {
      var keys: [FakeSoQLNode] = []
      let groups = checker.groups ?? []
      checker.groups = nil
      checker.aliases = [:]
      for group in groups { keys.append(try checker.check(group).node) }
      run.groups(keys, checker.aggregates, having)
    } else {
      run.plain()
    }
    return FakeSoQLResult(outputs: outputs, rows: run.rows, visitedCount: run.visitedCount)
  }

  /// An execution in progress.
  private struct Run {
    let executor: FakeSoQLExecutor
    let query: FakeSoQLQuery
    let outputs: [FakeSoQLOutput]
    let orders: [(node: FakeSoQLNode, order: FakeSoQLQuery.Order)]
    let limit: Int
    let isWanted: (FakeSODARecord) -> Bool
    var rows: [[FakeSODAServer.Cell]] = []
    var visitedCount = 0
    var skipped = 0
    var seen: Set<[FakeSODAServer.Cell]> = []

    /// Reads rows in an order that the table already has, or sorts them.
    mutating func plain() {
      if limit == 0 { return }
      if let index = indexOrder {
        return read(index) { run, record in run.take(FakeSoQLContext(record: record)) }
      }
      var found: [(record: FakeSODARecord, keys: [FakeSoQLValue])] = []
      read { run, record in
        found.append((record, run.orders.map { $0.node.value(record) }))
        return true
      }
      found.sort { left, right in
        precedes(left.keys, right.keys) ?? (left.record.number < right.record.number)
      }
      for (record, _) in found where !take(FakeSoQLContext(record: record)) { return }
    }

    /// The order of the table that matches the requested one; `nil` if there is none.
    private var indexOrder: FakeSODATable.Order? {
      let fields = orders.map { order -> FakeSODASystemField? in
        guard order.order.isAscending, case .system(let field) = order.node else { return nil }
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
        return isWanted(record) ? body(&self, record) : true
      }
    }

    mutating func groups(
      _ keys: [FakeSoQLNode], _ aggregates: [FakeSoQLAggregate], _ having: FakeSoQLNode?
    ) {
      if keys.isEmpty, having == nil, query.condition == nil, query.search == nil,
        aggregates.allSatisfy({ $0.kind == .count && $0.argument == nil })
      {
        let count = FakeSoQLValue.number(Double(executor.table.count))
        _ = take(FakeSoQLContext(aggregates: aggregates.map { _ in count }))
        return
      }
      var places: [[FakeSoQLValue]: Int] = [:]
      var totals: [(keys: [FakeSoQLValue], totals: [FakeSoQLAggregate.Total])] = []
      let fresh = aggregates.map { _ in FakeSoQLAggregate.Total() }
      if keys.isEmpty { totals.append(([], fresh)) }
      read { _, record in
        let values = keys.map { $0.value(record) }
        let place = keys.isEmpty ? 0 : places[values] ?? totals.count
        if place == totals.count {
          places[values] = place
          totals.append((values, fresh))
        }
        for (index, aggregate) in aggregates.enumerated() {
          totals[place].totals[index].add(record, to: aggregate)
        }
        return true
      }
      var found = totals.map { group in
        FakeSoQLContext(
          keys: group.keys,
          aggregates: zip(group.totals, aggregates).map { $0.value($1) })
      }
      if let having { found.removeAll { !having.value($0).isTrue } }
      let ordered = found.enumerated().map { index, context in
        (index: index, context: context, keys: orders.map { $0.node.value(context) })
      }.sorted { precedes($0.keys, $1.keys) ?? ($0.index < $1.index) }
      for group in ordered where !take(group.context) { return }
    }

    /// Adds a row to the response unless it precedes the offset; returns `false` if there are
    /// enough.
    private mutating func take(_ context: FakeSoQLContext) -> Bool {
      if rows.count >= limit { return false }
      let isSkipped = skipped < query.offset ?? 0
      let row = isSkipped && !query.isDistinct ? [] : outputs.map { cell($0, context) }
      if query.isDistinct, !seen.insert(row).inserted { return true }
      if isSkipped {
        skipped += 1
        return true
      }
      rows.append(row)
      return rows.count < limit
    }

    private func cell(_ output: FakeSoQLOutput, _ context: FakeSoQLContext) -> FakeSODAServer.Cell {
      switch output.source {
      case .cell(let index): return context.record?.cells[index] ?? .null
      case .node(let node):
        let value = node.value(context)
        guard case .hidden(let number) = value else { return value.cell(output.type) }
        let isVersion = output.type == .version
        let ids = isVersion ? executor.options.versions : executor.options.ids
        return .text(ids.text(number))
      }
    }

    /// Returns whether keys precede others, or `nil` if they are equal. Unless the query says
    /// otherwise, nulls are greater than everything, as in PostgreSQL.
    private func precedes(_ left: [FakeSoQLValue], _ right: [FakeSoQLValue]) -> Bool? {
      for (index, (_, order)) in orders.enumerated() {
        let (one, other) = (left[index], right[index])
        if one.isNothing != other.isNothing { return one.isNothing != order.hasNullsLast }
        guard let result = FakeSoQLValue.order(one, other), result != 0 else { continue }
        return (result < 0) == order.isAscending
      }
      return nil
    }
  }
}

/// The full-text search of `$q`: every word must begin a word in some text of the row, ignoring
/// case. Portals also stem words.
struct FakeSoQLSearch {
  private let terms: [String]

  init(_ text: String) { terms = Self.words(text) }

  func matches(_ record: FakeSODARecord) -> Bool {
    let words = record.cells.flatMap { cell -> [String] in
      guard case .text(let text) = cell else { return [] }
      return Self.words(text)
    }
    return terms.allSatisfy { term in words.contains { $0.hasPrefix(term) } }
  }

  private static func words(_ text: String) -> [String] {
    text.lowercased().split { !$0.isLetter && !$0.isNumber }.map(String.init)
  }
}
