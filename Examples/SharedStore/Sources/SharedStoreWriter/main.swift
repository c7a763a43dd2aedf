import FieldCore
import SharedStore

/// A counter that several processes increment.
struct Counter: StoredRecord {
  var id: String
  var value: Int
}

// Increments a shared counter, and adds a record for each step: shared-store-writer URL NAMESPACE NAME COUNT
let arguments = CommandLine.arguments
let storage = SharedStorage(arguments[1], namespace: arguments[2])
let store = try storage.records("counter", of: Counter.self)
for step in 0..<(Int(arguments[4]) ?? 0) {
  try await store.update { counters, changes in
    let value = counters[id: "sum"]?.value ?? 0
    changes.upsert(Counter(id: "sum", value: value + 1))
    changes.upsert(Counter(id: "\(arguments[3]) \(step)", value: value))
  }
}
