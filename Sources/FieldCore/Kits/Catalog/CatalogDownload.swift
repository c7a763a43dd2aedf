internal import FieldFoundation

/// The refresh part of a catalog that downloads the rows at a URL.
struct CatalogDownload<Record: CatalogRecord>: Sendable {
  let url: URL
  let fields: HTTPHeaderFields
  let timeout: Duration
  let operation: String
  let transport: any Transport
  let sync: SnapshotSync<Record>

  func part(policy: RefreshPolicy) -> RefreshPart {
    RefreshPart("rows", policy: policy) {
      try await sync.store.snapshot().status(fingerprint: sync.fingerprint)
    } work: {
      try await run($0)
    }
  }

  @concurrent
  private func run(_ progress: RefreshPart.Progress) async throws -> RefreshReport {
    // Changes at the source from here on may be missing from the rows.
    let began = sync.clock.now
    let snapshot = try await sync.store.snapshot()
    let question = ConditionalRequest(
      TransportRequest(url: url, fields: fields, timeout: timeout, operation: operation),
      known: sync.validators(of: snapshot)[url.absoluteString])
    let response = try await transport.send(question.request)
    let answer = try question.answer(of: response)
    try Task.checkCancellation()
    progress.send(.reading, 0.6)
    let rows =
      try answer.isNew
      ? response.reading(operation: operation) {
        SnapshotSync.Payload(try RecordPage<Record>(reading: $0, charset: response.charset))
      }
      : nil
    return try await sync.accepting(progress.trigger).store(
      rows, origin: response.url ?? url,
      validators: answer.validators.map { [url.absoluteString: $0] } ?? [:], askedAt: began,
      over: snapshot.checkpoint
    ) {
      progress.send(.storing, 0.9)
    }
  }
}
