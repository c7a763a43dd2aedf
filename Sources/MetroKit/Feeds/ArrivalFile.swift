public import FieldCore

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Arrivals in a file: a saved answer of any of the feeds.
///
/// ```swift
/// let metro = Metro(source: ArrivalFile(url), storage: .inMemory)
/// try await metro.refresh()
/// ```
public struct ArrivalFile: ArrivalSource {
  /// The file.
  public var url: URL
  /// Where names are looked up.
  public var network: MetroNetwork
  /// What the file may be like at most.
  public var limits: FeedLimits

  /// Makes a source of a file.
  public init(_ url: URL, network: MetroNetwork = .taipei, limits: FeedLimits = .default) {
    self.url = url
    self.network = network
    self.limits = limits
  }

  /// The open feed of arrivals.
  public var dataSource: DataSource { .metroArrivals }

  /// Reads the file.
  ///
  /// - Throws: `FieldError` with the code `store.io` when the file cannot be read,
  ///   `transport.responseTooLarge` when it is over the limit, and those of
  ///   ``ArrivalRows/init(reading:network:estimateUnit:)``.
  @concurrent
  public func fetch(_ request: ArrivalRequest) async throws -> ArrivalDelivery {
    try Task.checkCancellation()
    do {
      let rows = try ArrivalRows(reading: bytes(), network: network)
      try rows.check(limits)
      return ArrivalDelivery(rows: rows, origin: url)
    } catch var error as FieldError {
      error.operation = "metro.file"
      throw error
    }
  }

  private func bytes() throws -> [UInt8] {
    guard url.isFileURL else {
      throw FieldError(
        .invalidInput,
        "\(url.absoluteString) is no file; use MetroStationFeed for an address")
    }
    let attributes: [FileAttributeKey: Any]
    do {
      attributes = try FileManager.default.attributesOfItem(atPath: url.path)
    } catch {
      throw FieldError(
        .io, "there is no file at \(url.path), or it may not be read", underlying: error)
    }
    guard attributes[.type] as? FileAttributeType == .typeRegular else {
      throw FieldError(
        .io, "\(url.path) is a folder or another thing that is no file; give one file")
    }
    if let size = attributes[.size] as? UInt, size > UInt(clamping: limits.bytes) {
      throw FieldError(
        .responseTooLarge, "the file has \(size) bytes, and \(limits.bytes) are allowed")
    }
    do {
      return [UInt8](try Data(contentsOf: url))
    } catch {
      throw FieldError(.io, "\(url.path) cannot be read", underlying: error)
    }
  }
}
