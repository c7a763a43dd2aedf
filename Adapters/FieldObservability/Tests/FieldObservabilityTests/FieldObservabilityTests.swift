import FieldCore
import FieldObservability
import InMemoryLogging
import InMemoryTracing
import Logging
import MetricsTestKit
import Testing
import Tracing

private struct Note: CatalogRecord {
  var id: RecordID<Note>

  init(_ id: String) { self.id = RecordID(rawValue: id) }
}

/// A source that can't be reached, and says so with a secret in its message.
private struct FailingSource: PagedSource {
  let fingerprint = "notes"

  func page(_ request: PageRequest) async throws -> Batch<Note> {
    throw FieldError(.offline, "https://host/?token=hush is unreachable")
  }
}

/// A source whose pages never end, at an address with a secret.
private struct EndlessSource: PagedSource {
  let fingerprint = "endless https://host/?token=hush"

  func page(_ request: PageRequest) async throws -> Batch<Note> {
    await Task.yield()
    let number = request.position?.key.flatMap { Int($0) } ?? 0
    if number % 7 == 6 { throw FieldError(.offline, "https://host/?token=hush is unreachable") }
    return Batch(
      records: [Note("\(number)")],
      facts: PageMetadata(rowCount: 1, end: SyncPosition(key: "\(number + 1)"), isLast: false))
  }
}

@Suite("The adapters")
struct FieldObservabilityTests {
  private func refresh(_ observer: FieldObserver) async {
    let notes = Catalog<Note>(
      "notes", source: FailingSource(), storage: .inMemory.observed(by: observer))
    await #expect(throws: FieldError.self) { try await notes.refresh() }
  }

  private func commit(_ observer: FieldObserver) async throws {
    let store: any RecordStore<Note> = Storage.inMemory.observed(by: observer).store("notes")
    try await store.commit(
      Changes(upserting: [Note("a"), Note("b")]), checkpoint: nil, expecting: nil)
  }

  @Test("the adapters log events at their levels, with metadata and without secrets")
  func logging() async throws {
    var handler = InMemoryLogHandler()
    handler.logLevel = .debug
    let logger = Logger(label: "test") { [handler] _ in handler }
    try await commit(.logging(to: logger))
    let entry = try #require(handler.entries.last)
    #expect(entry.message == "store.commit ended")
    #expect(entry.level == .debug)
    #expect(entry.metadata["records"] == "2")
    #expect(entry.metadata["subject"] == "notes")
    await refresh(.logging(to: logger))
    #expect(handler.entries.last?.message == "refresh failed")
    #expect(handler.entries.last?.level == .warning)
    #expect(handler.entries.last?.metadata["code"] == "transport.offline")
    #expect(!handler.entries.contains { "\($0)".contains("hush") })
  }

  @Test("the adapters count, time, and record events")
  func metrics() async throws {
    let metrics = TestMetrics()
    let observer = FieldObserver.metrics(factory: metrics)
    try await commit(observer)
    let commits = [("event", "store.commit"), ("subject", "notes"), ("part", "")]
    #expect(try metrics.expectRecorder("fieldkit_records", commits).values == [2])
    #expect(try metrics.expectTimer("fieldkit_duration", commits).values.count == 1)
    #expect(
      try metrics.expectCounter("fieldkit_events", commits + [("label", "ended")]).totalValue == 1)
    await refresh(observer)
    let refreshes = [("event", "refresh"), ("subject", "notes"), ("part", "")]
    #expect(
      try metrics.expectCounter(
        "fieldkit_events", refreshes + [("label", "transport.offline")]
      ).totalValue == 1)
  }

  @Test("the adapters record operations as spans, within those of their refresh")
  func tracing() async throws {
    let tracer = InMemoryTracer()
    await refresh(.tracing(tracer))
    #expect(tracer.activeSpans.isEmpty)
    let spans = tracer.popFinishedSpans()
    #expect(spans.map(\.operationName).suffix(2) == ["refresh.part", "refresh"])
    let run = try #require(spans.last)
    let part = try #require(spans.dropLast().last)
    #expect(part.parentSpanID == run.spanID)
    #expect(run.status?.code == .error)
    #expect(run.attributes.get("fieldkit.code") == "transport.offline")
  }

  @Test(
    "the adapters end each operation once, however refreshes are canceled, erased, and closed",
    .timeLimit(.minutes(60)))
  func turmoil() async throws {
    let metrics = TestMetrics()
    let tracer = InMemoryTracer()
    var handler = InMemoryLogHandler()
    handler.logLevel = .trace
    let logger = Logger(label: "test") { [handler] _ in handler }
    let storage = Storage.inMemory.observed(by: .metrics(factory: metrics))
      .observed(by: .tracing(tracer)).observed(by: .logging(to: logger))
    for _ in 0..<20 {
      let notes = Catalog<Note>("notes", source: EndlessSource(), storage: storage)
      await withTaskGroup { group in
        for number in 0..<8 {
          group.addTask {
            switch number {
            case 0: try? await notes.eraseAll()
            case 1: try? await notes.close()
            default: _ = try? await notes.refresh(.now)
            }
          }
        }
        try? await Task.sleep(for: .milliseconds(1))
        group.cancelAll()
      }
      try? await notes.close()
    }
    // A run ends after the callers that were canceled, and even after the kit was closed.
    while !tracer.activeSpans.isEmpty { try await Task.sleep(for: .milliseconds(2)) }
    let begun = handler.entries.count { $0.message.description.hasSuffix(" began") }
    let spans = tracer.popFinishedSpans()
    #expect(spans.count >= begun)
    #expect(Set(spans.map(\.spanID)).count == spans.count)
    #expect(spans.allSatisfy { $0.attributes.get("fieldkit.subject") != nil })
    let said = handler.entries.map { "\($0)" } + spans.map { "\($0)" }
    #expect(!said.contains { $0.contains("hush") })
    #expect(!metrics.counters.contains { "\($0.dimensions)".contains("hush") })
  }

  @Test("the adapters can be used together")
  func together() async throws {
    let metrics = TestMetrics()
    let tracer = InMemoryTracer()
    let storage = Storage.inMemory.observed(by: .metrics(factory: metrics))
      .observed(by: .tracing(tracer))
    let store: any RecordStore<Note> = storage.store("notes")
    try await store.update { _, changes in changes.upsert(Note("a")) }
    #expect(tracer.finishedSpans.map(\.operationName) == ["store.commit"])
    #expect(metrics.counterTotal(label: "fieldkit_events") == 1)
  }
}
