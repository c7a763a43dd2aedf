// What a user writes in tests, as the design promises it.

import FieldKit
import FieldTesting
import Testing

private let rows = """
  [{"name":"Aachen","id":"1","recclass":"L5","mass":"21","fall":"Fell","reclat":"50.775","reclong":"6.083"}]
  """

@Test("A stubbed transport and a clock by hand are all that a test needs")
func stubs() async throws {
  let transport = StubTransport { $0.on("meteorites.snapshot", respond: .json(text: rows)) }   // anything else records an issue; nothing leaves the machine
  let field = Field(storage: .inMemory, transport: transport, clock: ManualClock())
  try await field.meteorites.refresh()
  #expect(try await field.meteorites.view()[1]?.name == "Aachen")
}

@Test("The conformance suite proves a custom store")
func stores() async throws {
  try await RecordStoreConformance.run { MyStore() }                                      // prove your own store; with reopening: for durable ones
}
