public import FieldCore

/// Sources that are asked in turn until one gives a board.
///
/// ```swift
/// let feed = FallbackFeed(MetroStationFeed(transport: transport), TDXLiveBoard(token: token))
/// let metro = Metro(source: feed, storage: .directory(folder))
/// ```
///
/// Being offline is thrown at once, since no other source could be reached either.
public struct FallbackFeed: ArrivalSource {
  /// The sources, in the order in which they are asked.
  public var sources: [any ArrivalSource]
  /// The errors after which the next source is asked; nil for all.
  public var codes: Set<FieldError.Code>?

  /// Makes a source of several.
  ///
  /// - Parameters:
  ///   - sources: The sources, the best first.
  ///   - codes: The errors after which the next source is asked; all unless told otherwise.
  public init(_ sources: any ArrivalSource..., after codes: Set<FieldError.Code>? = nil) {
    self.sources = sources
    self.codes = codes
  }

  /// That of the first source.
  public var dataSource: DataSource { sources.first?.dataSource ?? .metroArrivals }

  /// Gets the rows from the first source that has them.
  ///
  /// - Throws: The first source's error when none has.
  public func fetch(_ request: ArrivalRequest) async throws -> ArrivalBatch {
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
    throw firstError ?? FieldError(.invalidInput, "there is no source to get arrivals from")
  }
}
