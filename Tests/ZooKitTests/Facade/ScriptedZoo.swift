import FieldCore
import FieldFakes
import Foundation
import TestSupport
import ZooKit

/// Sources that give what a test lays down, and count how often they are asked.
final class ScriptedZoo: Sendable {
  private struct State: Sendable {
    var tables: [ZooTable: Result<Batch<ZooRecord>, FieldError>] = [:]
    var calls: [ZooTable] = []
    var isHeld = false
    var waiters: [CheckedContinuation<Void, Never>] = []
  }

  private let state = Lock(State())

  init(_ animals: [Animal], areas: [ZooArea]? = nil) {
    give(Batch<ZooRecord>(animals: animals))
    if let areas { give(Batch<ZooRecord>(areas: areas)) }
  }

  /// The sources of the tables that are laid down by now.
  var sources: ZooSources {
    state.withLock(\.tables).keys.reduce(into: [:]) { $0[$1] = [Table(zoo: self, table: $1)] }
  }

  private struct Table: RecordSource {
    let zoo: ScriptedZoo
    let table: ZooTable

    var dataSource: DataSource? { .taipeiZoo }

    func fetch(_ request: RecordRequest) async throws -> Batch<ZooRecord> {
      try await zoo.read(table)
    }
  }

  /// What was asked for, in order.
  var calls: [ZooTable] { state.withLock(\.calls) }

  /// Gives this from now on.
  ///
  /// - Parameter table: The table of a delivery without records.
  func give(_ delivery: Batch<ZooRecord>, of table: ZooTable = .animals) {
    state.withLock { $0.tables[delivery.table ?? table] = .success(delivery) }
  }

  /// Fails from now on.
  func fail(_ table: ZooTable, _ error: FieldError = FieldError(.offline, "there is no network")) {
    state.withLock { $0.tables[table] = .failure(error) }
  }

  /// Lets everybody wait who asks from now on.
  func hold() { state.withLock { $0.isHeld = true } }

  /// Lets all go on.
  func release() {
    let waiters = state.withLock { state in
      defer { state.waiters = [] }
      state.isHeld = false
      return state.waiters
    }
    for waiter in waiters { waiter.resume() }
  }

  private func read(_ table: ZooTable) async throws -> Batch<ZooRecord> {
    state.withLock { $0.calls.append(table) }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isHeld = state.withLock { state in
          guard state.isHeld, !Task.isCancelled else { return false }
          state.waiters.append(continuation)
          return true
        }
        if !isHeld { continuation.resume() }
      }
    } onCancel: {
      release()
    }
    try Task.checkCancellation()
    guard let result = state.withLock({ $0.tables[table] }) else {
      throw FieldError(.notFound, "there is no such table")
    }
    return try result.get()
  }
}

/// Animals and zoos for tests of the facade.
enum Samples {
  static let noon = Date(timeIntervalSince1970: 1_790_000_000)

  /// Animals by name, each with a picture of its name.
  static func animals(_ names: String...) -> [Animal] { animals(names) }

  static func animals(_ names: [String]) -> [Animal] {
    names.map { name in
      Animal(
        name: name,
        pictures: [ZooMedia(number: 1, link: ZooLink("http://www.zoo.gov.tw/\(name) 1.jpg"))])
    }
  }

  /// So many animals.
  static func animals(count: Int) -> [Animal] { animals((0..<count).map { "動物\($0)" }) }
}

extension ZooListing {
  /// The numbers and names, as one text each.
  var lines: [String] { map { "\($0.sequence) \($0.name)" } }
}
