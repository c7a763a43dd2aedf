/// The cloud in the story: walks reach another device although responses are lost and the phone is killed.
struct StoryCloud {
  func run(_ narrator: Narrator) async throws {
    narrator.chapter("18:30", .cloud, .cloudSentence)
    let summary = try await CloudRoundTrip(walkCount: 3).run()
    try narrator.expect(summary.responsesLost > 0, "responses are lost.")
    try narrator.expect(
      summary.isExact, "each walk arrives exactly once (\(summary.text)).")
    narrator.failed(.cloudKilled, "\(summary.responsesLost)")
    let text = narrator.text(
      .inCloud, "\(summary.walksSent)", "\(summary.walksReceived)", "\(summary.pending)",
      "\(summary.doubled)", "\(summary.lost)")
    narrator.done(text)
    narrator.page.note(text)
  }
}
