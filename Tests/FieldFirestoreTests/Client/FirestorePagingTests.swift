import FieldCore
import FieldFakes
import FieldFirestore
import FirestoreFakes
import Foundation
import Testing

@Suite(.timeLimit(.minutes(60))) struct FirestorePagingTests {
  @Test(arguments: LyingLists.Lie.allCases)
  func `a list that never ends is an error`(_ lie: LyingLists.Lie) async throws {
    let fake = FakeFirestore()
    for number in 0..<20 { fake[FirestorePath("a/\(number)")] = [:] }
    let client = FirestoreClient.of(fake, over: LyingLists(fake, lie))
    var count = 0
    let error = await failure {
      for try await page in client.pages(of: "a", pageSize: 7) { count += page.documents.count }
    }
    #expect(error?.code == .noProgress)
    #expect(count == (lie == .emptyPages ? 0 : lie == .twoPages ? 14 : 7))
  }
}

/// A database whose lists never end.
final class LyingLists: Transport {
  enum Lie: CaseIterable { case ignoredToken, newTokens, twoPages, emptyPages }

  private let fake: FakeFirestore
  private let lie: Lie
  private let count = Lock(0)

  init(_ fake: FakeFirestore, _ lie: Lie) { (self.fake, self.lie) = (fake, lie) }

  func send(_ request: TransportRequest) async throws -> TransportResponse {
    var request = request
    let number = count.withLock {
      $0 += 1
      return $0
    }
    let text = request.url.absoluteString
    if lie != .twoPages || number % 2 == 1, let token = text.firstRange(of: "&pageToken=") {
      request.url = try #require(URL(string: String(text[..<token.lowerBound])))
    }
    var answer = try await fake.send(request)
    var body = String(decoding: try answer.body.bytes(), as: UTF8.self)
    if lie == .emptyPages { body = #"{"nextPageToken":"x"}"# }
    if lie != .ignoredToken, let token = body.firstRange(of: #""nextPageToken":""#) {
      // On the second of two pages, the token still is that of its last document.
      if lie != .twoPages { body.insert(contentsOf: "t\(number)", at: token.upperBound) }
    }
    answer.body = .text(body)
    return answer
  }
}
