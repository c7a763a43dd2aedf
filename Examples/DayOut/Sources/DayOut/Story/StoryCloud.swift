/// The cloud in the story: walks reach another device although responses are lost and the phone is killed.
struct StoryCloud {
  func run(_ narrator: Narrator) async throws {
    narrator.chapter(
      "18:30", "Walks in the cloud, sent exactly once",
      "Three walks with their photos go to Firestore, and to a second phone from there.")
    let summary = try await CloudRoundTrip(walkCount: 3).run()
    try narrator.expect(summary.responsesLost > 0, "responses are lost.")
    try narrator.expect(
      summary.isExact, "each walk arrives exactly once (\(summary.text)).")
    narrator.failed(
      "SIGKILL while the first phone sends, and \(summary.responsesLost) responses never arrive.")
    narrator.done("The walks are in the cloud: \(summary.text).")
    narrator.page.note("The walks are in the cloud: \(summary.text).")
  }
}
