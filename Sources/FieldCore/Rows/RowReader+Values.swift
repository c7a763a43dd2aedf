extension RowReader {
  /// The values of a type in the rows of a body.
  package struct Values<Value: Sendable>: Sendable {
    /// The values of the rows that could be read.
    package var values: [Value] = []
    /// The rows that couldn't be read.
    package var failures: [RowFailure] = []
    /// The cells that couldn't be read, so that values lack them.
    package var unreadable = UnreadableCells()

    package init() {}

    /// Returns the same rows with other values.
    package func map<Other>(_ transform: (Value) -> Other) -> Values<Other> {
      var values = Values<Other>()
      values.values = self.values.map(transform)
      (values.failures, values.unreadable) = (failures, unreadable)
      return values
    }
  }

  /// Returns the values of a type in the rows of a body, which needn't be records.
  package static func values<Value: RowReadable>(
    of bytes: [UInt8], as type: Value.Type, format: RowFormat? = nil
  ) throws(FieldError) -> Values<Value> {
    var form = RowForm.of(type)
    if let values = try values(of: bytes, as: type, format, form) { return values }
    RowForm.open(type)
    form.isOpen = true
    guard let values = try values(of: bytes, as: type, format, form) else {
      throw FieldError(.schema, "The columns that a value reads change with every reading.")
    }
    return values
  }

  /// Returns the values, or `nil` if one asks for columns that aren't read.
  private static func values<Value: RowReadable>(
    of bytes: [UInt8], as type: Value.Type, _ format: RowFormat?, _ form: RowForm
  ) throws(FieldError) -> Values<Value>? {
    var read = Values<Value>()
    var lacksColumns = false
    let summary = try forEachRow(
      of: bytes, columns: form.columns, key: 0, format: format, isOpen: form.isOpen
    ) { row throws(RowProblem) in
      row.forgetUnreadable()
      defer { lacksColumns = lacksColumns || row.lacksColumns }
      let value = try Value(row: row)
      try row.checkColumns()
      let cells = row.takeUnreadable()
      if !cells.isEmpty { read.unreadable.add(cells, of: row) }
      read.values.append(value)
    }
    if lacksColumns { return nil }
    read.failures = summary.failures(expecting: form.expected)
    return read
  }
}
