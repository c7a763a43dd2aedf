public import FieldCore

/// Where a metro gets its arrivals from.
///
/// ### When to implement it
///
/// ``MetroStationFeed``, ``TrackInfoFeed`` and ``TDXLiveBoard`` read every form in which the data are
/// known to exist, and ``ArrivalFile`` reads them from a file. Implement the protocol for another
/// operator, or for rows that an app has already.
///
/// ### How to implement it
///
/// - Give all rows in the source's order, or nil for the rows when the request's validators were
///   confirmed.
/// - Give old rows too: telling the fresh from the stale is the board's work.
/// - Report rows that cannot be read as failures; do not leave them out and do not throw for them.
/// - Throw `FieldError` for everything that is no set of rows. The metro then keeps the board it has.
/// - Pass on the server's `Date`: the age of a row is measured from it, since the device's clock may be
///   wrong.
public protocol ArrivalSource: Sendable {
  /// What the data is and whom to name beside it.
  var dataSource: DataSource { get }

  /// Gets the rows.
  func fetch(_ request: ArrivalRequest) async throws -> ArrivalBatch
}
