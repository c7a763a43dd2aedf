internal import FieldFoundation

/// Why a value can't be read, beside the error that decoders throw.
struct CellProblem: Error {
  /// The problem of the row.
  var problem: RowProblem
  /// The names that lead to the cell.
  var path: [String]
  /// What was expected, such as `a number`; `nil` if there is no value.
  var expected: String?
}

extension RowCells {
  // MARK: notes

  /// Passes notes about the cells of an array or an object on to its row.
  @inline(__always)
  func passNotes() {
    if let whole, row.notes.hasUnreadable { passNotes(to: whole) }
  }

  @inline(never)
  private func passNotes(to whole: RowCells) {
    let names = finder?.names
    for var cell in row.takeUnreadable() {
      let name = names.map { $0.indices.contains(cell.column) ? $0[cell.column] : "?" }
      cell.path = suffix(of: path.dropFirst() + [name ?? "\(cell.column)"])
      cell.column = wholeColumn
      whole.row.notes.add(cell)
    }
  }

  /// Notes that the optional value at a place can't be read.
  @inline(never)
  func note(_ error: any Error, at place: Int) {
    let column = column(at: place)
    guard column >= 0 else { return }
    let problem = RowCells.cellProblem(of: error)
    if let problem, problem.path == path(to: place) {
      guard let expected = problem.expected else { return }
      row.note(column, isNot: expected)
    } else {
      row.note(column, isNot: "readable (\(problem?.problem.reason ?? RowCells.text(of: error)))")
    }
    passNotes()
  }

  // MARK: errors

  /// Returns the way to a value after the name of its column, such as `.street` and `[2]`.
  private func suffix(of path: some Sequence<String>) -> String {
    path.map { Int($0) == nil ? "." + $0 : "[\($0)]" }.joined()
  }

  /// Returns the error that a value is missing, or isn't of the expected kind, such as `a number`.
  @inline(never)
  func problem(_ expected: String, at place: Int) -> DecodingError {
    let column = column(at: place)
    if column >= 0, row.isPresent(column) {
      let text = (row.rawText(column) ?? "").prefix(200)
      return error("isn't \(expected): \"\(text)\"", expected: expected, at: place)
    }
    let word = column < 0 ? nil : row.writtenText(column)
    return error("has no value" + (word.map { $0.isEmpty ? "" : ": \"\($0)\"" } ?? ""), at: place)
  }

  /// Returns an error about a place from a text after its name.
  func error(_ text: String, expected: String? = nil, at place: Int) -> DecodingError {
    let path = path(to: place)
    let reason = "\(path[0])\(suffix(of: path.dropFirst())) \(text)"
    return .dataCorrupted(
      .init(
        codingPath: path.map { PathKey(stringValue: $0) }, debugDescription: reason,
        underlyingError: CellProblem(
          problem: RowProblem(reason), path: path, expected: expected)))
  }

  /// Returns the error of a type's own `init(from:)` as one that names the cell and its value.
  @inline(never)
  func named(_ error: any Error, _ type: Any.Type, at place: Int) -> any Error {
    if RowCells.cellProblem(of: error) != nil || error is RowProblem { return error }
    if type is any RawRepresentable.Type, error is DecodingError {
      return problem("a known value", at: place)
    }
    return problem("readable (\(RowCells.text(of: error)))", at: place)
  }

  private static func cellProblem(of error: any Error) -> CellProblem? {
    guard case .dataCorrupted(let context) = error as? DecodingError else { return nil }
    return context.underlyingError as? CellProblem
  }

  /// Returns any error of a type's `init(from:)` as the problem of its row.
  @inline(never)
  static func problem(of error: any Error) -> RowProblem {
    cellProblem(of: error)?.problem ?? error as? RowProblem ?? RowProblem(text(of: error))
  }

  private static func text(of error: any Error) -> String {
    switch error {
    case let error as RowProblem: return error.reason
    case let error as FieldError: return error.message.withoutPeriod
    case let error as DecodingError:
      switch error {
      case .typeMismatch(_, let context), .valueNotFound(_, let context),
        .keyNotFound(_, let context), .dataCorrupted(let context):
        return context.debugDescription.withoutPeriod
      @unknown default: return "\(error)"
      }
    default: return "\(error)"
    }
  }
}
