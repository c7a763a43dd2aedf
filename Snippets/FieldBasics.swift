//! All kits in one value: the code at the beginning of the README.

// snippet.hide
import FieldKit
import Foundation

func fieldBasics(folder: URL) async throws {
  // snippet.show
  // snippet.field
  let field = Field(storage: .directory(folder), transport: URLSessionTransport())
  for await step in field.refreshAll() { print(step.kit, step.fractionCompleted) }

  // From here on, no network is needed.
  let pandas = try await field.zoo.animals(AnimalQuery(text: "熊貓"))
  let board = try await field.metro.board()
  let near = try await field.meteorites.nearest(
    to: Coordinate(latitude: 48.15, longitude: 17.11), count: 5)
  let hits = try await field.civic.search("社會")
  // snippet.end
  print(pandas.count, board.fresh.count, near.count, hits.count)

  // snippet.outcomes
  for await step in field.refreshAll(.now) {
    switch step.outcome {
    case nil: print(step.kit, step.fractionCompleted)
    case .failed(let error): print(step.kit, "keeps what it has:", error.message)
    case let outcome?: print(step.kit, outcome)
    }
  }
  // snippet.end
  // snippet.hide
}
