import FieldFakes
import FieldKit
import Foundation

/// The whole kit at work on data that ships with the example, through real HTTP on loopback.
struct Tour {
  let language: TextLanguage

  func run() async throws {
    say(
      """
      A day out with FieldKit: whatever is fetched below comes over HTTP from a server on this \
      machine.
      """, indent: 0)
    let folder = FileManager.default.temporaryDirectory.appending(
      path: "day-out-\(UUID().uuidString)")
    let storage = Storage.directory(folder)
    defer { try? FileManager.default.removeItem(at: folder) }
    var page = HTMLPage(title: "A day out with FieldKit")
    heading("The metro")
    try await MetroTour(storage: storage, language: language).run(page: &page)
    heading("The zoo")
    try await ZooTour(storage: storage, language: language).run(page: &page)
    heading("Meteorites")
    try await MeteoriteTour(storage: storage).run(page: &page)
    heading("A walk")
    try await WalkTour(storage: storage, language: language).run(page: &page)
    heading("The walks in Firestore")
    try await FirestoreCommand().run()
    heading("The city hall")
    try await CivicTour(storage: storage, language: language).run(page: &page)
    let file = URL(filePath: "day-out.html")
    try page.write(to: file)
    print()
    say("The page with the maps and the line diagram is \(file.lastPathComponent).", indent: 0)
  }

  private func heading(_ text: String) {
    print("\n\(Terminal.standard.styled("== \(text)", .bold))\n")
  }
}
