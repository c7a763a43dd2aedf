public import FieldCore

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

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
  public func fetch(_ request: MeteoriteRequest) async throws -> MeteoriteDelivery {
    let operation = "meteorites.snapshot"
    var question = HTTPRequest(url: url, fields: fields, timeout: timeout, operation: operation)
    let known = request.validators[url.absoluteString]
    known?.apply(to: &question)
    let answer: HTTPResponse
    do {
      answer = try await transport.send(question)
    } catch {
      throw FieldError.wrapping(
        error, as: .transport, "the meteorites could not be downloaded", operation: operation)
    }
    try answer.checkStatus(operation: operation)
    let origin = answer.url ?? url
    if answer.status == 304 {
      guard let known else {
        throw FieldError(
          .status, "the server says that nothing has changed, and was not asked that",
          operation: operation, response: answer.head)
      }
      return MeteoriteDelivery(
        rows: nil, origin: origin, validators: [url.absoluteString: known])
    }
    do {
      let rows = try MeteoriteRows(reading: answer.body.bytes())
      let validators = HTTPValidators(answer.fields).map { [url.absoluteString: $0] } ?? [:]
      return MeteoriteDelivery(rows: rows, origin: origin, validators: validators)
    } catch var error as FieldError {
      error.operation = operation
      error.response = answer.head
      throw error
    }
  }
}
