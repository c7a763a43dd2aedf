@testable import FieldCore
import Foundation
import TestSupport
import Testing

/// A target of the sync scenarios, which the package `Adapters/FieldGRDB` runs with a table.
enum ScenarioTarget: String, CaseIterable, Sendable, CustomTestStringConvertible {
  case storeInMemory, storeInFile

  var testDescription: String { rawValue }

  /// A new target, with the folder that it needs.
  struct Made {
    let target: any SyncTarget<ScenarioStone>
    let folder: TemporaryFolder?
  }

  func make() throws -> Made {
    switch self {
    case .storeInMemory: return Made(target: InMemoryStore<ScenarioStone>(), folder: nil)
    case .storeInFile:
      let folder = try TemporaryFolder()
      return Made(
        target: FileStore<ScenarioStone>(folder.url.appending(path: "stones")), folder: folder)
    }
  }
}
