public import FieldCore
public import FieldFoundation

/// Meteorites at an address: any form of NASA's dataset, in any of its generations.
///
/// The request is conditional when something is stored that an earlier answer of this exact address
/// gave, so a source that has not changed costs one small answer.
public struct MeteoriteDownload: MeteoriteSource {
  /// The address.
  public var url: URL
  /// Header fields that are sent along.
  public var fields: HTTPHeaderFields
  /// When meteorites that the answer does not have are removed; by snapshot unless told otherwise.
  public var deletion: DeletionPolicy
  /// How long the download may take; two minutes unless told otherwise.
  public var timeout: Duration

  private let transport: any Transport

  /// Makes a source of an address.
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
      "the meteorites could not be downloaded", as: .transport, operation: operation
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
