public import FieldCore

/// A source that tries several sources in turn until one returns a board.
///
/// ```swift
/// let feed = FallbackFeed(MetroStationFeed(transport: transport), TDXLiveBoard(token: token))
/// let metro = Metro(source: feed, storage: .directory(folder))
/// ```
///
/// If the device is offline, no further source is tried, because none could be reached either.
public struct FallbackFeed: RecordSource {
  /// The sources, in the order in which they are tried.
  public var sources: [any RecordSource<Arrival>]
  /// The error codes after which the next source is tried; `nil` for all.
  public var codes: Set<FieldError.Code>?

  /// Creates a source from several others.
  ///
  /// - Parameters:
  ///   - sources: The sources, the best first.
  ///   - codes: The error codes after which the next source is tried. Defaults to `nil`, for all.
  public init(_ sources: any RecordSource<Arrival>..., after codes: Set<FieldError.Code>? = nil) {
    self.sources = sources
    self.codes = codes
  }

  /// The data source of the first source.
  public var dataSource: DataSource? { sources.first?.dataSource ?? .metroArrivals }

  /// Fetches the rows from the first source that succeeds.
  ///
  /// - Throws: The first source's error if none succeeds.
  public func fetch(_ request: RecordRequest) async throws -> Batch<Arrival> {
    var firstError: (any Error)?
    for source in sources {
      do {
        return try await source.fetch(request)
      } catch is CancellationError {
        throw CancellationError()
      } catch {
        let code = (error as? FieldError)?.code ?? .transport
        firstError = firstError ?? error
        guard code != .offline, codes?.contains(code) ?? true else { break }
      }
    }
    throw firstError ?? FieldError(.invalidInput, "There is no source of arrivals.")
  }
}
