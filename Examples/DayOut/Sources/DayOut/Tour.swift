import FieldFakes
import FieldKit
import Foundation

/// The whole kit at work on data that ships with the example, through real HTTP on loopback.
struct Tour {
  func run() async throws {
    print("A day out with FieldKit: whatever is fetched below comes over HTTP from a server on")
    print("this machine.")
    let folder = FileManager.default.temporaryDirectory.appending(
      path: "day-out-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    var page = HTMLPage(title: "A day out with FieldKit")
    heading("The metro")
    try await MetroTour(storage: .directory(folder)).run(page: &page)
    heading("The zoo")
    try await ZooTour(storage: .directory(folder)).run(page: &page)
    heading("Meteorites")
    try await MeteoriteTour(storage: .directory(folder)).run(page: &page)
    heading("A walk")
    try await WalkTour(storage: .directory(folder)).run(page: &page)
    heading("The walks in Firestore")
    try await FirestoreCommand().run()
    heading("The city hall")
    try await CivicTour(storage: .directory(folder)).run(page: &page)
    let file = URL(filePath: "day-out.html")
    try page.write(to: file)
    print("\nThe page with the maps and the line diagram is \(file.lastPathComponent).")
  }

  private func heading(_ text: String) { print("\n== \(text)\n") }
}
