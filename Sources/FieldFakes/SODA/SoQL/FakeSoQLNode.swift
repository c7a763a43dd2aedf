/// A field that every row has.
enum FakeSODASystemField: String, CaseIterable {
  case id = ":id"
  case createdAt = ":created_at"
  case updatedAt = ":updated_at"
  case version = ":version"

  var type: FakeSoQLType {
    switch self {
    case .id: .id
    case .createdAt, .updatedAt: .fixed
    case .version: .version
    }
  }
}

/// An expression whose names and types have been settled.
indirect enum FakeSoQLNode {
  case constant(FakeSoQLValue)
  case cell(Int, FakeSoQLType)
  case system(FakeSODASystemField)
  /// What the group has in common, by its place in `GROUP BY`.
  case key(Int)
  /// What the group amounts to, by its place among the aggregates.
  case aggregate(Int)
  case unary(@Sendable (FakeSoQLValue) -> FakeSoQLValue, FakeSoQLNode)
  case binary(@Sendable (FakeSoQLValue, FakeSoQLValue) -> FakeSoQLValue, FakeSoQLNode, FakeSoQLNode)
  case call(@Sendable ([FakeSoQLValue]) -> FakeSoQLValue, [FakeSoQLNode])

  /// What it comes to for a row.
  func value(_ record: FakeSODARecord) -> FakeSoQLValue {
    value(FakeSoQLContext(record: record))
  }

  /// What it comes to for a row or a group.
  func value(_ context: FakeSoQLContext) -> FakeSoQLValue {
    switch self {
    case .constant(let value): return value
    case .cell(let index, let type):
      return context.record.map { FakeSoQLValue($0.cells[index], as: type) } ?? .null
    case .system(let field):
      guard let record = context.record else { return .null }
      switch field {
      case .id: return .hidden(record.number)
      case .version: return .hidden(record.version)
      case .createdAt: return .time(record.createdAt)
      case .updatedAt: return .time(record.updatedAt)
      }
    case .key(let index): return context.keys[index]
    case .aggregate(let index): return context.aggregates[index]
    case .unary(let function, let argument): return function(argument.value(context))
    case .binary(let function, let left, let right):
      return function(left.value(context), right.value(context))
    case .call(let function, let arguments): return function(arguments.map { $0.value(context) })
    }
  }
}

/// What an expression is about: a row, or a group of rows.
struct FakeSoQLContext {
  var record: FakeSODARecord?
  var keys: [FakeSoQLValue] = []
  var aggregates: [FakeSoQLValue] = []
}

/// An expression with its type.
struct FakeSoQLTyped {
  var node: FakeSoQLNode
  var type: FakeSoQLType
  /// Whether it was written as text, which can stand for other types.
  var literal: String?
}
