internal import FieldCore
internal import FieldFakes
@preconcurrency internal import Foundation
internal import KillSupport

/// Kills syncs with a portal, continues them, and compares what is stored with what the portal has.
struct Checker {
  private let portal: MadePortal
  private let folder: URL
  private let seed: UInt64
  private var generator: SplitMix
  private var generation = 0
  private var mostKilobytes = 0
  private var pageSize = 0

  init(family: MadePortal.Family, rows: Int, folder: URL, seed: UInt64) {
    portal = MadePortal(family, rows: rows)
    (self.folder, self.seed) = (folder, seed)
    generator = SplitMix(state: seed)
  }

  mutating func run(kills: Int, pageSize: Int) async throws -> Bool {
    self.pageSize = pageSize
    let server = try LoopbackServer(serving: portal)
    let reading = try run(server, forgets: true, killedAfterLines: nil)
    guard let before = reading.kilobytes.first, let after = reading.kilobytes.last else {
      throw Failure("a sync without kills said nothing")
    }
    mostKilobytes = 0
    var (killed, continued, ended) = (0, 0, 0)
    var states: Set<String> = []
    while killed < kills {
      // A generation has as many requests as pages, and more for the IDs.
      let most = max(2, portal.trees.count / pageSize * 2)
      let child = try run(
        server, forgets: false, killedAfterLines: Int.random(in: 1...most, using: &generator))
      if child.isKilled {
        killed += 1
        states.insert("\(generation): \(try await state())")
        continue
      }
      if child.isResumed { continued += 1 }
      ended += 1
      guard try await isEqual() else { return false }
      generation += 1
      portal.beginGeneration(generation)
    }
    let last = try run(server, forgets: false, killedAfterLines: nil)
    if last.isResumed { continued += 1 }
    guard try await isEqual() else { return false }
    await server.stop()
    print(
      """
      \(portal.family.rawValue): \(killed) kills at \(states.count) states, \(continued) runs continued, \(ended + 1) of \
      \(generation + 1) generations compared, at last \(portal.trees.count) rows, all equal; at most \
      \(mostKilobytes / 1_000) MB with a store, reading alone grew from \(before / 1_000) to \(after / 1_000) MB (seed \(seed))
      """)
    return true
  }

  private struct Child {
    var isKilled: Bool
    var isResumed: Bool
    var kilobytes: [Int]
  }

  /// Runs a sync in a process, which is killed after a number of its lines, or ends.
  private mutating func run(
    _ server: LoopbackServer, forgets: Bool, killedAfterLines lines: Int?
  ) throws -> Child {
    var environment = [
      "KILL_PORTAL_URL": server.url.absoluteString, "KILL_PORTAL_FAMILY": portal.family.rawValue,
      "KILL_PORTAL_PAGE": "\(pageSize)",
    ]
    if forgets { environment["KILL_PORTAL_FORGETS"] = "1" }
    let pause = UInt32.random(in: 0...20_000, using: &generator)
    let (said, isKilled) = try KilledWriter.run(
      writingTo: folder, environment: environment, killedAfter: lines.map { ($0, pause) })
    let words = said.map { $0.split(separator: " ") }
    let kilobytes = words.compactMap { words in
      words.count < 2 ? nil : words[0] == "end" && words.count > 3 ? Int(words[3]) : Int(words[1])
    }
    mostKilobytes = max(mostKilobytes, kilobytes.max() ?? 0)
    let end = words.last { $0.first == "end" }
    if !isKilled, end == nil { throw Failure("a sync ended without its report: \(said.suffix(3))") }
    return Child(
      isKilled: isKilled, isResumed: end?.contains("refresh.resumed") ?? false, kilobytes: kilobytes
    )
  }

  /// Returns the position and the number of the stored rows, which the first generation stores by whole pages.
  private func state() async throws -> String {
    let catalog = Catalog<MadeTree>("trees", sources: [], storage: .directory(folder))
    let view = try await catalog.view()
    let count = view.count
    try await catalog.close()
    guard generation > 0 || count == portal.trees.count || count.isMultiple(of: pageSize) else {
      throw Failure("\(count) rows are stored, which are no whole pages (seed \(seed))")
    }
    return "\(view.checkpoint?.cursors["sync.key"] ?? "none"), \(count)"
  }

  /// Returns whether what is stored is what the portal has.
  private func isEqual() async throws -> Bool {
    let catalog = Catalog<MadeTree>("trees", sources: [], storage: .directory(folder))
    let (view, trees) = (try await catalog.view(), portal.trees)
    var (wrong, count) = (0, 0)
    for tree in view.all {
      count += 1
      if !trees.contains(tree.id) || tree != trees.tree(tree.id) { wrong += 1 }
    }
    try await catalog.close()
    guard wrong == 0, count == trees.count else {
      print(
        "\(portal.family.rawValue), generation \(generation): \(count) rows instead of \(trees.count), \(wrong) wrong (seed \(seed))"
      )
      return false
    }
    return true
  }
}
