internal import FieldCore
internal import FieldFoundation

extension ConformanceProbe {
  func redirect() async throws {
    for status in [301, 302, 303, 307, 308] {
      let start = try request(redirection(status, to: "/echo/end?x=1"), fields: ["X-Field": "kept"])
      let answer = try await answer(to: start)
      let echo = try ConformanceEcho(answer)
      try require(
        echo.method == "GET" && echo.path == "/echo/end" && echo.query == "x=1",
        "\(status) led to \(echo.method) \(echo.path)")
      try require(echo.field("X-Field") == "kept", "\(status) lost a field on the same host")
      if let url = answer.url {
        try require(url.path() == "/echo/end", "\(status) reports \(url) as the last URL")
      }
    }
  }

  func redirectedPost() async throws {
    let body = TransportBody.text("the body")
    for status in [307, 308] {
      let echo = try await echo(of: request(.post, redirection(status, to: "/echo"), body: body))
      try require(echo.method == "POST", "\(status) turned a POST into a \(echo.method)")
      try require([UInt8](echo.body) == (try body.bytes()), "\(status) lost the body of a POST")
    }
    let echo = try await echo(of: request(.post, redirection(303, to: "/echo"), body: body))
    try require(echo.method == "GET" && echo.body.isEmpty, "303 didn't turn a POST into a GET")
  }

  func redirectLoop() async throws {
    let error = try await error(of: request("/loop"))
    let code = (error as? FieldError)?.code
    try require(
      code != nil && code != .timeout,
      "endless redirects threw \(error) instead of a FieldError before the timeout")
  }

  func credentials() async throws {
    let secrets: HTTPHeaderFields = [
      "Authorization": "Bearer secret", "Cookie": "session=secret", "X-App-Token": "secret",
      "X-API-Key": "secret",
    ]
    let elsewhere = otherURL.appending(path: "echo").absoluteString
    for status in [301, 302, 303, 307, 308] {
      let seen = try await echo(of: request(redirection(status, to: elsewhere), fields: secrets))
      for (name, _) in secrets {
        try require(seen.field(name) == nil, "\(status) sent \(name) on to another host")
      }
    }
    for status in [302, 307] {
      var start = try request(.post, redirection(status, to: elsewhere), body: .text("secret"))
      start.followsRedirects = false
      let answer = try await transport.send(start)
      try require(
        answer.status == status, "\(status) was followed by a request that follows no redirects")
    }
    let seen = try await echo(of: request(redirection(302, to: "/echo"), fields: secrets))
    try require(seen.field("Authorization") != nil, "Authorization was lost on the same host")
  }
}
