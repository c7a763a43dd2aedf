import FieldCore
import FieldFakes
import FieldURLSession
import Foundation

/// A first look at FieldKit: a struct and a URL, and what follows from them.
@main
struct FirstLook {
  static func main() async throws {
    if CommandLine.arguments.count == 2 {
      try await answerWithoutNetwork(from: URL(filePath: CommandLine.arguments[1]))
      return
    }
    let folder = URL.temporaryDirectory.appending(path: "first-look-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }

    let page = ServedPage(Park.table)
    let server = try LoopbackServer(serving: page) { _ in page.content.delivery }
    let trees = Catalog<Tree>(
      "trees", at: server.url.appending(path: "trees.csv"), storage: .directory(folder),
      transport: URLSessionTransport())

    title("A Codable struct and a URL: 60 rows of CSV over HTTP, some of them dirty")
    let report = try await trees.refresh()
    print("  \(report)")
    for failure in report.failures { print("  left out: \(failure)") }
    for notice in report.notices { print("  noticed: \(notice.message)") }

    let view = try await trees.view()
    title("Questions, answered from the store")
    let found = view.search("台灣欒樹")
    print("  “台灣欒樹” finds \(found.count) trees, written \(found.first?.species ?? "—")")
    for tree in view.find(\.height, order: .descending, limit: 3) {
      print("  \(tree.height ?? 0) m: \(tree.species), planted \(tree.planted?.description ?? "—")")
    }
    try printMap(of: view)

    title("A response that is truncated, and one that is an error page")
    page.content.delivery = .cut(after: 1_000)
    await refuses(trees)
    page.content = .init(text: "<html><title>Maintenance</title></html>")
    await refuses(trees)
    print("  stored, as before: \(try await trees.view().count) trees")

    title("No server, and a new process")
    await server.stop()
    await refuses(trees)
    try await trees.close()
    try run(with: folder.path)

    print("\nThe whole tour, with five kits: swift run --package-path Examples/DayOut")
  }

  /// Opens the files in a new process, and sends nothing.
  private static func answerWithoutNetwork(from folder: URL) async throws {
    let trees = Catalog<Tree>(
      "trees", at: URL(filePath: "/nowhere"), storage: .directory(folder),
      transport: URLSessionTransport())
    let start = ContinuousClock.now
    let view = try await trees.view()
    let nearest = view.nearest(to: try here, count: 1)
    let took = ContinuousClock.now - start
    print(
      "  \(view.count) trees; nearest: \(nearest.first?.record.species ?? "—"), after \(took.milliseconds)"
    )
  }

  private static func printMap(of view: CatalogView<Tree>) throws {
    let nearest = view.nearest(to: try here, count: 5)
    print("  The five nearest to the pond:")
    print(ParkMap(view.all, around: try here, numbering: nearest.map(\.record)))
    for (number, near) in nearest.enumerated() {
      print("  \(number + 1): \(near.record.species), \(near.distance)")
    }
  }

  private static var here: Coordinate {
    get throws { try Coordinate(latitude: Park.pond.latitude, longitude: Park.pond.longitude) }
  }

  private static func refuses(_ trees: Catalog<Tree>) async {
    do {
      print("  \(try await trees.refresh(.now))")
    } catch {
      print("  refused: \((error as? FieldError)?.message ?? "\(error)")")
    }
  }

  private static func run(with argument: String) throws {
    let process = Process()
    process.executableURL = URL(filePath: CommandLine.arguments[0])
    process.arguments = [argument]
    fflush(nil)
    try process.run()
    process.waitUntilExit()
  }

  private static func title(_ text: String) { print("\n\(text)") }
}

extension Duration {
  fileprivate var milliseconds: String {
    "\((self / .microseconds(100)).rounded() / 10) ms"
  }
}
