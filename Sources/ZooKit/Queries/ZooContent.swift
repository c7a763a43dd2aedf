internal import FieldCore

/// The content of a view: the zoo's tables, in source order.
final class ZooContent: Sendable {
  let animals: ZooRows<Animal>
  let areas: ZooRows<ZooArea>
  let plants: ZooRows<Plant>
  let events: ZooRows<ZooEvent>
  let aliases: [String: String]

  init(
    animals: ZooRows<Animal>, areas: ZooRows<ZooArea>, plants: ZooRows<Plant>,
    events: ZooRows<ZooEvent>, aliases: [String: String] = ZooArea.knownAliases
  ) {
    self.animals = animals
    self.areas = areas
    self.plants = plants
    self.events = events
    self.aliases = aliases
  }

  /// Splits the snapshot into tables; rows that the stored order lacks are appended.
  convenience init(_ snapshot: Snapshot<ZooRecord>) {
    var rows = Rows()
    let orders = ZooTable.allCases.map { (table: $0, keys: Self.order(of: $0, in: snapshot)) }
    var rest = snapshot.count { $0.id.key != nil }
    for (table, keys) in orders {
      for key in keys where rows.append(snapshot[id: ZooRecord.ID(table: table, key: key)]) {
        rest -= 1
      }
    }
    // Nearly always, the orders contain all rows, and no key needs another lookup.
    if rest > 0 {
      let ordered = Dictionary(uniqueKeysWithValues: orders.map { ($0.table, Set($0.keys)) })
      for record in snapshot {
        guard let key = record.id.key, ordered[record.id.table]?.contains(key) == false else {
          continue
        }
        rows.append(record)
      }
    }
    self.init(
      animals: Self.table(rows.animals), areas: Self.table(rows.areas),
      plants: Self.table(rows.plants), events: Self.table(rows.events))
  }

  private static func order(of table: ZooTable, in snapshot: Snapshot<ZooRecord>) -> [String] {
    guard case .order(let keys)? = snapshot[id: ZooRecord.ID(table: table, key: nil)]?.content
    else { return [] }
    return keys
  }

  /// Returns a table of rows, of which each counts once, even if the stored order repeats it.
  private static func table<Row>(_ rows: [Row]) -> ZooRows<Row> {
    let table = ZooRows(rows)
    return table.positions.count == rows.count ? table : ZooRows(rows.uniqued(by: \.id))
  }

  private struct Rows {
    var animals: [Animal] = []
    var areas: [ZooArea] = []
    var plants: [Plant] = []
    var events: [ZooEvent] = []

    /// Appends a record to its table. Returns `false` if there is no record.
    @discardableResult
    mutating func append(_ record: ZooRecord?) -> Bool {
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

  // MARK: Changes

  /// Returns the content after changes; tables that haven't changed share their rows with these.
  func updated(by changes: SlotChanges<ZooRecord>) -> ZooContent {
    if changes.slots.isEmpty { return self }
    let isLarge = changes.slots.count > max(64, changes.after.count / 8)
    var new: ZooContent?
    func rows<Row>(
      _ table: ZooTable, _ rows: (ZooContent) -> ZooRows<Row>, _ row: (ZooRecord) -> Row?
    ) -> ZooRows<Row> {
      guard !isLarge, let replacements = changes.replacements(in: table) else {
        return rows(new.making { ZooContent(changes.after) })
      }
      return rows(self).replacing(replacements.compactMap { row($0.after) })
    }
    return ZooContent(
      animals: rows(.animals, \.animals) {
        if case .animal(let animal) = $0.content { animal } else { nil }
      },
      areas: rows(.areas, \.areas) { if case .area(let area) = $0.content { area } else { nil } },
      plants: rows(.plants, \.plants) {
        if case .plant(let plant) = $0.content { plant } else { nil }
      },
      events: rows(.events, \.events) {
        if case .event(let event) = $0.content { event } else { nil }
      })
  }
}

/// The rows of a table, in source order.
struct ZooRows<Row: Identifiable & Sendable>: Sendable where Row.ID: Sendable {
  private(set) var all: [Row]
  /// The position of each ID; of rows with the same one, that of the first.
  let positions: [Row.ID: Int]

  init(_ rows: [Row]) {
    all = rows
    positions = Dictionary(zip(rows.lazy.map(\.id), rows.indices)) { first, _ in first }
  }

  subscript(id: Row.ID) -> Row? { positions[id].map { all[$0] } }

  /// Returns the rows with others in the places of those with the same IDs.
  func replacing(_ rows: [Row]) -> Self {
    var next = self
    for row in rows { if let position = positions[row.id] { next.all[position] = row } }
    return next
  }
}

extension SlotChanges<ZooRecord> {
  /// Returns the rows of a table in whose places others are now, or `nil` if rows were added, removed, or moved.
  func replacements(in table: ZooTable) -> [(before: ZooRecord, after: ZooRecord)]? {
    var found: [(before: ZooRecord, after: ZooRecord)] = []
    for slot in slots {
      let (before, after) = (earlierRecord(at: slot), record(at: slot))
      guard before?.id.table == table || after?.id.table == table else { continue }
      guard let before, let after, before.id == after.id, before.isRow, after.isRow else {
        return nil
      }
      found.append((before, after))
    }
    return found
  }
}

extension ZooRecord {
  /// A Boolean value that indicates whether the record is a row that can be read.
  fileprivate var isRow: Bool {
    switch content {
    case .animal, .area, .plant, .event: true
    case .order, .unreadable: false
    }
  }
}
