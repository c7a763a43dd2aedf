internal import FieldCore

/// The response of a token endpoint (RFC 6749, section 5.1).
struct TokenReply: Sendable {
  var token: Secret
  /// The lifetime of the token, in seconds; `nil` if the server doesn't give one.
  var seconds: Int?

  /// Reads the response; errors describe problems without quoting it.
  init(reading bytes: [UInt8]) throws(FieldError) {
    var reply: TokenReply?
    // Inside an array, a single object reads like any other row.
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
    // Other characters can't be sent in a header field.
    guard let reply, reply.token.text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
      throw Self.unreadable
    }
    self = reply
  }

  private init(token: Secret, seconds: Int?) {
    self.token = token
    self.seconds = seconds.flatMap { $0 > 0 ? min($0, 31_536_000) : nil }
  }

  private static var unreadable: FieldError {
    FieldError(.notData, "The token response has no token. Check the URL.")
  }
}
