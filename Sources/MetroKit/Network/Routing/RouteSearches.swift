internal import FieldCore

/// The searches of a network so far, by goal and options, so that further routes to the same goal
/// only follow the known costs.
final class RouteSearches: Sendable {
  private struct Key: Hashable {
    var goal: Int
    var options: MetroRoute.Options
  }

  /// The number of searches to keep, of about 10 kB each in Taipei's network: one for each of its
  /// stations, and as many for other options.
  private static let most = 256

  private let graph: RouteGraph
  private let known = Lock<[Key: RouteSearch]>([:])

  init(_ graph: RouteGraph) { self.graph = graph }

  func search(to goal: Int, _ options: MetroRoute.Options) -> RouteSearch {
    let key = Key(goal: goal, options: options)
    if let search = known.withLock({ $0[key] }) { return search }
    let search = RouteSearch(graph, to: goal, options)
    known.withLock { known in
      if known.count >= Self.most { known = [:] }
      known[key] = search
    }
    return search
  }
}
