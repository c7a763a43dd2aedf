internal import FieldCore

/// The answer of a token endpoint (RFC 6749, section 5.1).
struct TokenReply: Sendable {
  var token: Secret
  /// How long the token lasts; nil when the server does not say.
  var seconds: Int?

  /// Reads the answer; what is wrong with it is told without quoting it.
  init(reading bytes: [UInt8]) throws(FieldError) {
    var reply: TokenReply?
    // One object is a row among others, once it stands in an array.
    let array = [UInt8(ascii: "[")] + bytes[FeedBody.firstInk(bytes)...] + [UInt8(ascii: "]")]
    do throws(FieldError) {
      _ = try RowReader.forEachRow(
        of: array,
        columns: [RowColumn("access_token"), RowColumn("expires_in"), RowColumn("token_type")],
        key: 2, format: .jsonArray
      ) { row throws(RowProblem) in
        guard let token = row.trimmedText(0) else { return }
        reply = TokenReply(token: Secret(token), seconds: row.integer(1))
      }
    } catch {
      throw Self.unreadable
    }
    guard let reply, Self.isSendable(reply.token.text) else { throw Self.unreadable }
    self = reply
  }

  private init(token: Secret, seconds: Int?) {
    self.token = token
    self.seconds = seconds.flatMap { $0 > 0 ? min($0, 31_536_000) : nil }
  }

  /// Whether a token can stand in a header field.
  private static func isSendable(_ token: String) -> Bool {
    token.utf8.allSatisfy { (0x21...0x7E).contains($0) }
  }

  private static var unreadable: FieldError {
    FieldError(.notData, "the answer of the token's address has no token; check the address")
  }
}
