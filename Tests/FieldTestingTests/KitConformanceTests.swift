import FieldCore
import FieldTesting
import Foundation
import Testing

@Suite("The conformance suite of kits", .timeLimit(.minutes(10)))
struct KitConformanceTests {
  /// A row of a source with two columns.
  struct Stone: CatalogRecord, RowReadable {
    static let columns = [RowColumn("id"), RowColumn("name")]
    let id: String
    let name: String

    init(row: borrowing SourceRow) throws(RowProblem) {
      guard let id = row.id(0) else { throw RowProblem("The row has no ID.") }
      self.id = id
      name = row.text(1) ?? ""
    }
  }

  enum Defect: String, CaseIterable, Sendable {
    case forgetsItsAge, erasesNothing, treatsNowAsIfDue, hidesDamage, throwsForeignErrors
    case staysOpen, erasesOnFailure

    /// A case that finds the defect.
    var testCase: KitConformance.Case {
      switch self {
      case .forgetsItsAge: .refresh
      case .erasesNothing: .erasing
      case .treatsNowAsIfDue: .nowNeverJoinsWeaker
      case .hidesDamage: .damageIsReportedOnce
      case .throwsForeignErrors: .failureKeepsData
      case .staysOpen: .useAfterClose
      case .erasesOnFailure: .failureKeepsData
      }
    }
  }

  /// A catalog with a defect.
  struct DefectiveKit: Kit {
    struct Foreign: Error {}

    let base: Catalog<Stone>
    var defect: Defect?

    var name: String { base.name }
    var dataSources: [DataSource] { base.dataSources }
    var nextRefreshDate: Date? { get async throws { try await base.nextRefreshDate } }
    var lastRefresh: Date? {
      get async throws { defect == .forgetsItsAge ? nil : try await base.lastRefresh }
    }
    func open() async throws -> OpeningReport { try await base.open() }
    func refreshProgress() -> RefreshProgressUpdates { base.refreshProgress() }

    func refresh(_ when: RefreshTrigger) async throws -> RefreshReport {
      do {
        var report = try await base.refresh(defect == .treatsNowAsIfDue ? .ifDue : when)
        if defect == .hidesDamage { report.notices = [] }
        return report
      } catch let error as FieldError {
        if defect == .throwsForeignErrors { throw Foreign() }
        if defect == .erasesOnFailure { try await base.eraseAll() }
        throw error
      }
    }

    func eraseAll() async throws {
      if defect != .erasesNothing { try await base.eraseAll() }
    }

    func close() async throws {
      if defect != .staysOpen { try await base.close() }
    }
  }

  private static func failures(
    _ defect: Defect?, patience: Duration = .seconds(120)
  ) async throws -> [ConformanceFailure<KitConformance.Case>] {
    let url = try #require(URL(string: "https://example.org/stones"))
    return try await KitConformance.failures(patience: patience) { bench in
      DefectiveKit(
        base: Catalog<Stone>(
          "stones", at: url, storage: bench.storage,
          transport: bench.transport, clock: bench.clock),
        defect: defect)
    } responding: { _ in
      TransportResponse(
        status: 200, body: .text(#"[{"id":"1","name":"a"},{"id":"2","name":"b"}]"#))
    } content: { kit in
      try await kit.base.view().all.map(\.id)
    }
  }

  @Test("finds nothing wrong with a catalog")
  func sound() async throws {
    #expect(try await Self.failures(nil).map(\.description) == [])
  }

  @Test(
    "finds what is wrong with a kit", arguments: Defect.allCases)
  func defective(defect: Defect) async throws {
    let failures = try await Self.failures(defect, patience: .seconds(20))
    #expect(failures.contains { $0.testCase == defect.testCase }, "\(failures)")
  }
}
