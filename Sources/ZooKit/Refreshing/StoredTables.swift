internal import FieldCore

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// The zoo's tables, in the order of the source.
struct StoredTables: Sendable {
  var animals: [Animal] = []
  var areas: [ZooArea] = []
  var plants: [Plant] = []
  var events: [ZooEvent] = []

  /// When the source last confirmed the main table.
  var lastRefresh: Date?

  /// Takes the tables apart; a row that the order does not have comes behind the others.
  init(_ snapshot: Snapshot<ZooRecord>, tables: [ZooTable] = ZooTable.allCases) {
    lastRefresh = snapshot.checkpoint?.lastSuccess
    var ordered: [ZooTable: Set<String>] = [:]
    for table in tables {
      let order = Self.order(of: table, in: snapshot)
      ordered[table] = Set(order)
      for key in order { append(snapshot[id: ZooRecord.ID(table: table, key: key)]) }
    }
    for record in snapshot {
      guard let key = record.id.key, ordered[record.id.table]?.contains(key) == false else {
        continue
      }
      append(record)
    }
  }

  private static func order(of table: ZooTable, in snapshot: Snapshot<ZooRecord>) -> [String] {
    guard case .order(let keys)? = snapshot[id: ZooRecord.ID(table: table, key: nil)]?.content
    else { return [] }
    return keys
  }

  private mutating func append(_ record: ZooRecord?) {
    switch record?.content {
    case .animal(let animal): animals.append(animal)
    case .area(let area): areas.append(area)
    case .plant(let plant): plants.append(plant)
    case .event(let event): events.append(event)
    case .order, .unreadable, nil: break
    }
  }
}
