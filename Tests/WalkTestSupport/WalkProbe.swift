import FieldCore
import FieldTesting
import Foundation
package import WalkKit

/// A diary's content under test.
package struct WalkProbe: Sendable {
  let stored: StoredWalks
  /// A closure that reopens the stores; `nil` if they aren't persistent.
  var reopen: (@Sendable () async throws -> StoredWalks)?

  package init(_ stored: StoredWalks, reopen: (@Sendable () async throws -> StoredWalks)? = nil) {
    self.stored = stored
    self.reopen = reopen
  }

  static let noon = Date(timeIntervalSinceReferenceDate: 800_000_000.123)

  func pet(_ id: String, name: String? = nil, day: Double = 0) -> Pet {
    Pet(
      id: Pet.ID(rawValue: id), name: name ?? "name \(id)", breed: .beagle,
      registered: Self.noon + day * 86_400)
  }

  func walk(_ id: String, of pets: [String], hour: Double = 0) -> Walk {
    let start = Self.noon + hour * 3_600
    return Walk(
      id: Walk.ID(rawValue: id),
      pets: pets.map { .init(pet: Pet.ID(rawValue: $0), joined: start) }, start: start,
      end: start + 1_800, utcOffset: .seoul, distance: .meters(1_000))
  }

  func add(_ pets: String...) async throws {
    for id in pets { try await stored.add(pet(id)) }
  }

  /// Returns all IDs of a history, read in pages.
  func ids(
    of pet: String? = nil, in period: Range<Date>? = nil, page: Int = 100
  ) async throws -> [String] {
    var query = WalkQuery(
      pet: pet.map(Pet.ID.init(rawValue:)), period: period, limit: page, after: nil)
    var ids: [String] = []
    while true {
      let found = try await stored.walks(query)
      try require(found.walks.count <= page, "a page of \(page) has \(found.walks.count) walks")
      ids += found.walks.map(\.id.rawValue)
      guard let next = found.next else { return ids }
      try require(!found.walks.isEmpty, "an empty page has another one behind it")
      query.after = next
    }
  }

  func requireEqual<Value: Equatable>(_ seen: Value, _ wanted: Value, _ what: String) throws {
    if seen != wanted { throw ConformanceMiss("\(what) is \(seen), not \(wanted)") }
  }

  /// Throws unless the closure throws a `FieldError` with the code.
  func requireError(
    _ code: FieldError.Code, _ what: String, _ body: () async throws -> Void
  ) async throws {
    do {
      try await body()
    } catch let error as FieldError where error.code == code {
      return
    } catch {
      throw ConformanceMiss("\(what) throws \(error), not \(code)")
    }
    throw ConformanceMiss("\(what) throws nothing, not \(code)")
  }

  func pets() async throws -> [Pet] { try await stored.pets() }

  func requirePet(_ id: String) async throws -> Pet {
    guard let pet = try await pets().first(where: { $0.id.rawValue == id }) else {
      throw ConformanceMiss("the pet \(id) doesn't exist")
    }
    return pet
  }

  func requireWalk(_ id: String) async throws -> Walk {
    guard let walk = try await stored.walk(Walk.ID(rawValue: id)) else {
      throw ConformanceMiss("the walk \(id) doesn't exist")
    }
    return walk
  }
}
