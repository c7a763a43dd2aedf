/// A column of a response.
struct FakeSoQLOutput {
  enum Source {
    /// A cell as it is.
    case cell(Int)
    case node(FakeSoQLNode)
  }

  var name: String
  /// The name of the type in the response.
  let typeName: String
  let type: FakeSoQLType
  let source: Source
}

extension FakeSoQLQuery {
  /// Returns the name of each selected expression, for clauses that use it instead.
  func aliases() throws(FakeSoQLError) -> [String: FakeSoQLExpression] {
    var aliases: [String: FakeSoQLExpression] = [:]
    for item in selection.items {
      guard let name = item.name else { continue }
      guard aliases.updateValue(item.expression, forKey: name) == nil else {
        throw .soql("duplicate-alias", "Duplicate alias: \(name)")
      }
    }
    return aliases
  }

  var isGrouped: Bool {
    !groups.isEmpty || having != nil || selection.items.contains { $0.expression.hasAggregate }
      || orders.contains { $0.expression.hasAggregate }
  }

  /// Returns the columns of the response, with those that a star includes.
  func outputs(
    _ checker: inout FakeSoQLChecker, hasComputed: Bool, hasSystem: Bool
  ) throws(FakeSoQLError) -> [FakeSoQLOutput] {
    var outputs: [FakeSoQLOutput] = []
    if selection.hasSystemStar || (selection.hasStar && hasSystem) {
      outputs = FakeSODASystemField.allCases.map { field in
        FakeSoQLOutput(
          name: field.rawValue, typeName: field.type.name, type: field.type,
          source: .node(.system(field)))
      }
    }
    if selection.hasStar {
      if isGrouped {
        throw .soql("column-not-in-group-bys", "A star cannot be selected beside groups")
      }
      for name in selection.exceptions where !checker.columns.contains(where: { $0.name == name }) {
        throw .noColumn(name)
      }
      for (index, column) in checker.columns.enumerated() {
        if column.isComputed && !hasComputed || selection.exceptions.contains(column.name) {
          continue
        }
        outputs.append(
          FakeSoQLOutput(
            name: column.name, typeName: column.type.rawValue, type: FakeSoQLType(column.type),
            source: .cell(index)))
      }
    }
    var names = Set(outputs.map(\.name))
    for item in selection.items {
      var output = try Self.output(item, &checker)
      if !names.insert(output.name).inserted {
        // A column that the star already includes isn't repeated.
        if item.name != nil { throw .soql("duplicate-alias", "Duplicate alias: \(output.name)") }
        if case .column = item.expression { continue }
        var number = 1
        while !names.insert("\(output.name)_\(number)").inserted { number += 1 }
        output.name += "_\(number)"
      }
      outputs.append(output)
    }
    return outputs
  }

  private static func output(
    _ item: Item, _ checker: inout FakeSoQLChecker
  ) throws(FakeSoQLError) -> FakeSoQLOutput {
    let typed = try checker.check(item.expression)
    if case .cell(let index, let type) = typed.node {
      let column = checker.columns[index]
      return FakeSoQLOutput(
        name: item.name ?? column.name, typeName: column.type.rawValue, type: type,
        source: .cell(index))
    }
    return FakeSoQLOutput(
      name: item.name ?? item.expression.implicitName, typeName: typed.type.name, type: typed.type,
      source: .node(typed.node))
  }
}
