public import FieldCore

/// A type that supplies a metro with arrivals.
///
/// ### When to implement it
///
/// ``MetroStationFeed``, ``TrackInfoFeed``, and ``TDXLiveBoard`` read every known format of the
/// data, and ``ArrivalFile`` reads them from a file. Implement the protocol for another operator,
/// or for rows that your app already has.
///
/// ### How to implement it
///
/// - Return all rows in source order, or `nil` rows if the request's validators were confirmed.
/// - Include old rows: the board separates fresh rows from stale ones.
/// - Report rows that can't be read as failures; neither drop them nor throw an error for them.
/// - Throw `FieldError` if the response isn't a set of rows. The metro then keeps its current
///   board.
/// - Pass on the server's `Date`. The age of a row is measured from it because the device's clock
///   may be wrong.
public protocol ArrivalSource: Sendable {
  /// The data source, with its attribution.
  var dataSource: DataSource { get }

  /// Fetches the rows.
  func fetch(_ request: ArrivalRequest) async throws -> ArrivalBatch
}
