//! The user's own sightings: adding, editing, removing, and importing those of the old app.

// snippet.hide
import FieldKit
import Foundation

func adding(zoo: Zoo, name: String, photo: Data?) async throws {
  // snippet.show
  // snippet.adding
  do {
    let sighting = try await zoo.addSighting(name: name, photo: photo)
    print(sighting.number, sighting.name)
  } catch let error as FieldError where error.code == .sightingRefused {
    print(ZooTexts.refusalTitle.string(in: .traditionalChinese))
    for problem in error.sightingProblems {
      print(ZooTexts.text(of: problem).string(in: .traditionalChinese))
    }
  }
  // snippet.end
  // snippet.hide
}

func changing(zoo: Zoo, id: Sighting.ID, better: Data) async throws {
  // snippet.show
  // snippet.changing
  try await zoo.editSighting(id, name: "臺灣黑熊")
  try await zoo.editSighting(id, photo: better)
  try await zoo.removeSighting(id)
  // snippet.end
  // snippet.hide
}

func damaged(zoo: Zoo) async throws {
  // snippet.show
  // snippet.damaged
  for entry in try await zoo.listing().problems {
    print(entry.sequence, entry.problem as Any)
  }
  // snippet.end
  // snippet.hide
}

func importLegacyData(zoo: Zoo, defaults: [String: Any], documents: URL) async throws {
  // snippet.show
  // snippet.old
  let old = LegacyZooData(defaults: defaults, documents: documents)
  let takeover = try await zoo.importLegacyData(old)
  for failure in takeover.failures {
    print(failure.number, failure.name ?? "", failure.problems)
  }
  // snippet.end
  // snippet.hide
}
