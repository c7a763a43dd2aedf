import Foundation
import MeteorKit

/// A way to store meteorites and to query them, of which the benchmarks of records compare three.
protocol RecordSide: Sendable {
  associatedtype Record: Sendable
  /// What answers queries.
  associatedtype View: Sendable

  /// Opens what is in a folder as an app does that has just started.
  init(_ folder: URL) throws

  static func record(_ row: LandingRow) -> Record
  static func records(reading rows: LandingRows) throws -> [Record]
  static func key(of record: Record) -> LandingKey

  /// Stores the first records.
  func fill(_ records: [Record]) async throws
  /// Inserts or replaces records.
  func commit(_ records: [Record]) async throws
  func view() async throws -> View
  func close() async throws

  static func count(in view: View) throws -> Int
  static func name(of id: Int, in view: View) throws -> String?
  /// Returns the sum of the masses of records, each of which is looked up by itself.
  static func grams(of ids: [Int], in view: View) throws -> Double
  /// Returns the 50 heaviest.
  static func heaviest(in view: View) throws -> [Record]
  /// Returns the heaviest 20 of 1 to 5 kg.
  static func heaviestOfRange(in view: View) throws -> [Record]
  static func count(named text: String, in view: View) throws -> Int
  static func count(of class: String, in view: View) throws -> Int
  /// Returns the nearest ten.
  static func nearest(to place: Coordinate, in view: View) throws -> [Record]

  /// Looks a record up and finds the 50 heaviest, without keeping a thread from a task that commits.
  func read(_ id: Int) async throws -> Bool
  /// Commits a record, without keeping a thread from tasks that read.
  func write(_ record: Record) async throws
}

/// What is compared of a record. Records of the same mass may be in another order.
struct LandingKey: Equatable {
  let id: Int
  let mass: Double?
}

extension RecordSide {
  /// Makes each query once, as an app does before it is closed.
  func useOnce(_ id: Int) async throws {
    let view = try await view()
    let found =
      try Self.heaviest(in: view) + Self.heaviestOfRange(in: view)
      + Self.nearest(to: QueryBenchmarks.dhofar, in: view)
    let counts = try [Self.count(named: "yam", in: view), Self.count(of: "L6", in: view)]
    try require(
      Self.name(of: id, in: view) != nil && !found.isEmpty && !counts.contains(0),
      "a query has no result")
  }

  static func masses(_ records: [Record]) -> [Double?] { records.map { key(of: $0).mass } }
  static func ids(_ records: [Record]) -> [Int] { records.map { key(of: $0).id } }
}
