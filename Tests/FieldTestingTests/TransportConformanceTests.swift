import FieldCore
import FieldTesting
import Foundation
import TestSupport
import Testing

@Suite("Transport conformance", .timeLimit(.minutes(60)))
struct TransportConformanceTests {
  @Test("transport conformance passes a transport that does everything right")
  func correct() async throws {
    try await TransportConformance.run(against: ReferenceTransport.baseURL) { ReferenceTransport() }
  }

  /// In a process of its own, since several cases measure time, and the concurrency pool of this one
  /// is kept busy by other tests.
  @Test(
    "transport conformance finds what a transport does wrong", .inAnotherProcess, .needsProcesses)
  func defects() async {
    #if os(macOS) || os(Linux)
      await #expect(processExitsWith: .success) {
        try await withThrowingTaskGroup(of: Void.self) { group in
          let whole = Sample.of(ReferenceTransport.Defect.allCases, inDebug: 1)
          for defect in ReferenceTransport.Defect.allCases {
            // Cases that don't find the defect are tried with some.
            let others: Set<TransportConformance.Case> =
              whole.contains(defect)
              ? [] : TransportConformance.allCases.subtracting(defect.failingCases)
            group.addTask {
              let failures = try await TransportConformance.failures(
                excluding: others, against: ReferenceTransport.baseURL, patience: .seconds(5)
              ) { ReferenceTransport(defect: defect) }
              #expect(
                Set(failures.map(\.testCase)) == defect.failingCases, "\(defect): \(failures)")
            }
          }
          try await group.waitForAll()
        }
      }
    #endif
  }

  @Test("transport conformance records an issue for its findings, and skips excluded checks")
  func records() async throws {
    let make: @Sendable () async throws -> any Transport = {
      ReferenceTransport(defect: .bodyOfHead)
    }
    let others = TransportConformance.allCases.subtracting([.get, .head, .status])
    try await withKnownIssue {
      try await TransportConformance.run(
        excluding: others, against: ReferenceTransport.baseURL, make)
    } matching: { issue in
      "\(issue)".contains("transport conformance, head")
    }
    try await TransportConformance.run(
      excluding: others.union([.head]), against: ReferenceTransport.baseURL, make)
  }
}

extension ReferenceTransport.Defect {
  /// The cases that must notice the defect.
  fileprivate var failingCases: Set<TransportConformance.Case> {
    switch self {
    case .decodesPath: [.get]
    case .dropsFields: [.get, .post, .redirect, .credentials]
    case .dropsBody: [.post, .redirectedPost, .parallel]
    case .bodyOfHead: [.head]
    case .throwsStatus: [.status, .unauthorized, .credentials, .fileDestination]
    case .hangsOnUnauthorized: [.unauthorized]
    case .losesRepeatedField: [.fieldNames]
    case .failsOnEmpty: [.emptyBody, .fileDestination]
    case .losesByte: [.post, .largeBody, .chunkedBody, .responseLimit, .fileDestination]
    case .keepsPacked: [.gzip, .responseLimit, .fileDestination]
    case .acceptsCutBody: [.cutBody, .fileOfFailure]
    case .ignoresRedirect: [.redirect, .redirectedPost, .redirectLoop, .credentials]
    case .losesRedirectedBody: [.redirectedPost]
    case .keepsMethodOn303: [.redirectedPost]
    case .followsForEver: [.redirectLoop]
    case .leaksCredentials, .followsAnyway: [.credentials]
    case .ignoresTimeout: [.timeout, .unendingRedirect]
    case .wholeSeconds: [.timeout]
    case .ignoresLimit: [.responseLimit, .fileOfFailure]
    case .exclusiveLimit: [.responseLimit]
    case .ignoresDestination: [.fileDestination]
    case .leavesFile: [.fileOfFailure]
    case .ignoresCancellation: [.cancellation, .unendingRedirect]
    case .answersWhenCancelled: [.cancellation, .unendingRedirect]
    case .mixesAnswers: [.parallel]
    case .acceptsMalformed: [.malformed]
    case .rejectsOdd: [.odd]
    case .otherError: [.strangeRedirect]
    case .blocksOthers: [.unendingRedirect]
    case .unpacksAll: [.compressedBomb]
    case .acceptsLength: [.hugeLength]
    case .acceptsHalf: [.cutCompression]
    }
  }
}
