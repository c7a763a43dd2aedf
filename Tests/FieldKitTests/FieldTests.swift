import FieldKit
import FieldTesting
import Foundation
import Testing

@Suite("Field")
struct FieldTests {
  static let rows = """
    [{"name":"Aachen","id":"1","recclass":"L5","mass":"21","fall":"Fell"}]
    """

  @Test("refreshes all kits and tells their steps, and ends")
  func refreshAll() async throws {
    let transport = StubTransport { $0.on("meteorites.snapshot", respond: .json(text: Self.rows)) }
    let field = Field(storage: .inMemory, transport: transport, clock: ManualClock())
    var outcomes: [String] = []
    for await step in field.refreshAll() {
      guard case .finished(let report)? = step.outcome else { continue }
      outcomes.append("\(step.kit) \(report.added)")
    }
    #expect(outcomes == ["meteorites 1"])
  }

  @Test("tells the failure of a kit as its last step")
  func failure() async throws {
    let transport = StubTransport { $0.on("meteorites.snapshot", respond: .error(.offline)) }
    let field = Field(storage: .inMemory, transport: transport, clock: ImmediateClock())
    var codes: [FieldError.Code] = []
    for await step in field.refreshAll() {
      if case .failed(let error)? = step.outcome { codes.append(error.code) }
    }
    #expect(codes == [.offline])
  }

  @Test("hands its storage to every kit, so that another one of the same folder sees it all")
  func storage() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: folder) }
    let transport = StubTransport { $0.on("meteorites.snapshot", respond: .json(text: Self.rows)) }
    let first = Field(storage: .directory(folder), transport: transport, clock: ManualClock())
    try await first.meteorites.refresh()
    let second = Field(storage: .directory(folder), transport: transport, clock: ManualClock())
    #expect(try await second.meteorites.count() == 1)
    #expect(try await second.meteorites.refresh().outcome == .notDue)
    #expect(first.dataSources.map(\.name) == ["Meteorite Landings"])
  }
}
