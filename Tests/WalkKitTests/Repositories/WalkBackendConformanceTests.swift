import FieldCore
import FieldTesting
import Foundation
import TestSupport
import Testing
import WalkKit
import WalkTesting

@Suite("The conformance suite of a diary's repositories", .timeLimit(.minutes(10)))
struct WalkBackendConformanceTests {
  typealias Case = WalkBackendConformance.Case

  @Test("is passed by the repositories in memory")
  func inMemory() async throws {
    try await WalkBackendConformance.run { .storage(.inMemory) }
  }

  @Test("is passed by the repositories in files, also after reopening")
  func inFiles() async throws {
    try await WalkBackendConformance.run(reopening: { .storage(.directory($0)) })
  }

  @Test("is passed by repositories that wrap others")
  func wrapped() async throws {
    try await WalkBackendConformance.run { DefectiveWalks().backend }
  }

  @Test(
    "finds what a backend does wrong", .heavy,
    arguments: Sample.of(DefectiveWalks.Defect.allCases, inDebug: 8))
  func defect(_ defect: DefectiveWalks.Defect) async throws {
    let failures = try await WalkBackendConformance.failures(patience: .seconds(5)) {
      DefectiveWalks(defect).backend
    }
    let found = Set(failures.map(\.testCase))
    #expect(found.contains(expected(of: defect)), "\(failures)")
  }

  @Test(
    "finds a race in every run", .heavy,
    arguments: [DefectiveWalks.Defect.checksNameTooEarly, .losesPetUpdates, .losesWalkUpdates])
  func everyRun(_ defect: DefectiveWalks.Defect) async throws {
    for run in 1...Sample.rounds(100, 15, inDebug: 8) {
      let failures = try await WalkBackendConformance.failures(
        excluding: Case.all.subtracting([expected(of: defect)])
      ) { DefectiveWalks(defect).backend }
      #expect(failures.map(\.testCase) == [expected(of: defect)], "run \(run): \(failures)")
    }
  }

  @Test("has no case that no defect fails")
  func everyCase() {
    let covered = Set(DefectiveWalks.Defect.allCases.map(expected(of:)))
    // What is left out here is shown by `inFiles` alone: a backend in memory is never opened again.
    #expect(
      covered.isSuperset(of: Case.all.subtracting([.reopening])), "\(Case.all.subtracting(covered))"
    )
  }

  private func expected(of defect: DefectiveWalks.Defect) -> Case {
    switch defect {
    case .startsWithPet: .emptyAtFirst
    case .losesPhotoOfPet: .petRoundTrip
    case .sortsPetsByName: .petOrder
    case .allowsEqualNames, .allowsNamesOfArchived: .petName
    case .replacesPets: .petAddedTwice
    case .changesRegistration, .keepsHalfAChange: .petUpdate
    case .allowsTakenRename: .petRename
    case .checksNameTooEarly: .petNameRace
    case .losesPetUpdates: .petUpdateRace
    case .leavesWalksOfPet, .leavesChoiceOfPet, .leavesPetInShared: .petRemoval
    case .roundsDistances, .losesOffset: .walkRoundTrip
    case .overwritesWalks: .walkSavedTwice
    case .savesWalksOfNobody: .walkOfUnknownPet
    case .sortsOldestFirst, .ignoresIDs: .walkOrder
    case .repeatsAtPageEnds, .losesAtPageEnds: .walkPages
    case .includesUpperEnd, .ignoresPet: .walkFilter
    case .takesAnyLimit, .takesAnyCursor: .walkQueryErrors
    case .changesWalkID: .walkUpdate
    case .losesWalkUpdates: .walkUpdateRace
    case .keepsRemovedWalks: .walkRemoval
    case .replacesNoPlace: .placeRoundTrip
    case .allowsTwoHomes: .onlyOneHome
    case .forgetsChoice: .choice
    case .batchOverwrites: .batch
    case .batchInParts: .batchIsWhole
    case .forgetsRoutes: .blobsInUse
    case .cutsBlobs, .sweepsAll: .blobRoundTrip
    case .keepsPlacesOnErase: .erasing
    case .tellsWrongPet, .startsUpdatesLate: .updates
    }
  }
}
