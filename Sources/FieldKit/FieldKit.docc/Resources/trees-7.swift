import FieldKit
import Foundation

let all = SODATable(
  try SODADataset("tkzw-k3nq", at: "data.sfgov.org"), key: "treeid",
  storage: .directory(URL(filePath: "data")), transport: URLSessionTransport())

Task {
  for await step in all.refreshProgress() { print(step.phase, step.fractionCompleted) }
}
print(try await all.refresh())
print(try await all.rows().count, "trees")
