public import FieldCore
public import FieldFoundation

/// A source that downloads NASA's dataset from a URL, in any format and any of its generations.
///
/// If the stored data includes an earlier response from this exact URL, the request is conditional,
/// so an unchanged source costs only one small response.
public struct MeteoriteDownload: MeteoriteSource {
  /// The URL to download from.
  public var url: URL
  /// The header fields to send with the request.
  public var fields: HTTPHeaderFields
  /// The policy for removing meteorites that the response doesn't contain.
  ///
  /// Defaults to `.bySnapshot`.
  public var deletion: DeletionPolicy
  /// The maximum duration of the download.
  ///
  /// Defaults to 120 seconds.
  public var timeout: Duration

  private let transport: any Transport

  /// Creates a source that downloads from a URL.
  public init(
    _ url: URL,
    transport: any Transport,
    fields: HTTPHeaderFields = [:],
    deletion: DeletionPolicy = .bySnapshot,
    timeout: Duration = .seconds(120)
  ) {
    self.url = url
    self.transport = transport
    self.fields = fields
    self.deletion = deletion
    self.timeout = timeout
  }

  /// NASA's dataset.
  public var dataSource: DataSource { .meteoriteLandings }

  /// Downloads and reads the rows.
  @concurrent
  public func fetch(_ request: MeteoriteRequest) async throws -> MeteoriteBatch {
    let operation = "meteorites.snapshot"
    let question = ConditionalRequest(
      TransportRequest(url: url, fields: fields, timeout: timeout, operation: operation),
      known: request.validators[url.absoluteString])
    let response = try await FieldError.wrapping(
      "The meteorites couldn't be downloaded.", as: .transport, operation: operation
    ) { try await transport.send(question.request) }
    let answer = try question.answer(of: response)
    let rows =
      try answer.isNew
      ? response.reading(operation: operation) { try MeteoriteRows(reading: $0) } : nil
    return MeteoriteBatch(
      rows: rows, origin: response.url ?? url,
      validators: answer.validators.map { [url.absoluteString: $0] } ?? [:])
  }
}
