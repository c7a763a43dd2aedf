internal import FieldCore

/// The content of a view: the zoo's tables, in source order.
struct ZooContent: Sendable {
  var animals: [Animal] = []
  var areas: [ZooArea] = []
  var plants: [Plant] = []
  var events: [ZooEvent] = []
  var aliases = ZooArea.knownAliases
}

extension ZooContent {
  /// Splits the snapshot into tables; rows that the stored order lacks are appended.
  init(_ snapshot: Snapshot<ZooRecord>) {
    let orders = ZooTable.allCases.map { (table: $0, keys: Self.order(of: $0, in: snapshot)) }
    var rest = snapshot.count { $0.id.key != nil }
    for (table, keys) in orders {
      for key in keys where append(snapshot[id: ZooRecord.ID(table: table, key: key)]) { rest -= 1 }
    }
    // Nearly always, the orders contain all rows, and no key needs another lookup.
    guard rest > 0 else { return }
    let ordered = Dictionary(uniqueKeysWithValues: orders.map { ($0.table, Set($0.keys)) })
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

  /// Appends a record to its table. Returns `false` if there is no record.
  @discardableResult
  private mutating func append(_ record: ZooRecord?) -> Bool {
    switch record?.content {
    case .animal(let animal): animals.append(animal)
    case .area(let area): areas.append(area)
    case .plant(let plant): plants.append(plant)
    case .event(let event): events.append(event)
    case .order, .unreadable: break
    case nil: return false
    }
    return true
  }
}
