public import FieldCore

/// A page of a query's rows, as ``SODARow`` or decoded into a type.
public struct SODAPage<Row: Sendable>: Sendable {
  /// The rows that could be read.
  public var rows: [Row]
  /// The rows that couldn't be read, with their keys and the columns that caused the failures.
  public var failures: [RowFailure]
  /// The token for continuing with the next page at any time; `nil` if this is the last page.
  public var next: SODAResumeToken?
}

extension SODAPage: Codable where Row: Codable {}

extension SODAPage where Row: Decodable {
  @concurrent
  init(_ page: SODAPage<SODARow>) async {
    var failures = page.failures
    var rows: [Row] = []
    rows.reserveCapacity(page.rows.count)
    // Rows that failed earlier aren't among the others, so positions and row numbers diverge.
    let failedBefore = Set(failures.map(\.index))
    var index = -1
    for row in page.rows {
      repeat { index += 1 } while failedBefore.contains(index)
      do {
        rows.append(try SODARowDecoder(node: .row(row), codingPath: []).decode(Row.self))
      } catch {
        failures.append(
          RowFailure(index: index, key: row.id.rawValue, reason: SODARow.reason(error)))
      }
    }
    failures.sort { $0.index < $1.index }
    self.init(rows: rows, failures: failures, next: page.next)
  }
}
