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

/// An expression with resolved names and types.
indirect enum FakeSoQLNode {
  case constant(FakeSoQLValue)
  case cell(Int, FakeSoQLType)
  case system(FakeSODASystemField)
  /// The common value of the group, by its index in `GROUP BY`.
  case key(Int)
  /// The result for the group, by its index among the aggregates.
  case aggregate(Int)
  case unary(@Sendable (FakeSoQLValue) -> FakeSoQLValue, FakeSoQLNode)
  case binary(@Sendable (FakeSoQLValue, FakeSoQLValue) -> FakeSoQLValue, FakeSoQLNode, FakeSoQLNode)
  case call(@Sendable ([FakeSoQLValue]) -> FakeSoQLValue, [FakeSoQLNode])

  func value(_ record: FakeSODARecord) -> FakeSoQLValue { value(FakeSoQLContext(record: record)) }

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

/// The subject of an expression: a row, or a group of rows.
struct FakeSoQLContext {
  var record: FakeSODARecord?
  var keys: [FakeSoQLValue] = []
  var aggregates: [FakeSoQLValue] = []
}

/// An expression with its type.
struct FakeSoQLTyped {
  var node: FakeSoQLNode
  var type: FakeSoQLType
  /// The text literal, if it was one, which can stand for other types.
  var literal: String?
}
