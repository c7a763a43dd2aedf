internal import FieldCore
internal import FieldFoundation

extension ConformanceProbe {
  func get() async throws {
    let fields: HTTPHeaderFields = ["X-Field": "a b", "Accept": "application/json"]
    let path = "/echo/a%20b%2Fc?q=%2B%26%20%E7%9F%B3&empty="
    let echo = try await echo(of: request(path, fields: fields))
    try require(echo.method == "GET", "the server saw \(echo.method), not GET")
    try require(echo.path == "/echo/a%20b%2Fc", "the server saw the path \(echo.path)")
    try require(
      echo.query == "q=%2B%26%20%E7%9F%B3&empty=", "the server saw the query \(echo.query ?? "-")")
    try require(echo.field("X-Field") == "a b", "the field X-Field didn't arrive")
    try require(
      echo.field("Accept") == "application/json", "Accept arrived as \(echo.field("Accept") ?? "-")"
    )
    try require(echo.body.isEmpty, "a GET without a body arrived with one")
  }

  func post() async throws {
    let bytes = ConformanceRoutes.pattern(70_000)
    let fields: HTTPHeaderFields = ["Content-Type": "application/x-field"]
    for body in [TransportBody.bytes(bytes), .bytes([])] {
      let echo = try await echo(of: request(.post, "/echo", fields: fields, body: body))
      let sent = try body.bytes()
      try require(echo.method == "POST", "the server saw \(echo.method), not POST")
      try require([UInt8](echo.body) == sent, "\(sent.count) bytes arrived as \(echo.body.count)")
      try require(
        echo.field("Content-Type") == "application/x-field",
        "Content-Type arrived as \(echo.field("Content-Type") ?? "-")")
    }
    try await withFile { url in
      try Data(bytes).write(to: url)
      let echo = try await echo(of: request(.post, "/echo", body: .file(url)))
      try require([UInt8](echo.body) == bytes, "a file's bytes arrived as \(echo.body.count)")
    }
  }

  func head() async throws {
    let answer = try await answer(to: request(.head, "/bytes/1000"))
    try require(try answer.body.bytes().isEmpty, "HEAD returned a body")
  }

  func status() async throws {
    for status in [404, 410, 429, 500, 503] {
      let answer = try await answer(status, to: request("/status/\(status)"))
      try require(answer.body == .text("status \(status)"), "the body of a \(status) is lost")
    }
  }

  func unauthorized() async throws {
    let answer = try await answer(401, to: request("/unauthorized"))
    try require(answer.body == .text("who?"), "the body of a 401 is lost")
    try require(answer.fields["WWW-Authenticate"] != nil, "the challenge of a 401 is lost")
  }

  func fieldNames() async throws {
    let fields = try await answer(to: request("/fields")).fields
    try require(fields["x-mixed-case"] == "One", "a field isn't found in lowercase")
    try require(fields["X-MIXED-CASE"] == "One", "a field isn't found in uppercase")
    try require(
      fields["X-Several"] == "first, second",
      "two fields of one name came as \(fields["X-Several"] ?? "-")")
  }

  func emptyBody() async throws {
    let none = try await answer(204, to: request("/status/204"))
    try require(try none.body.bytes().isEmpty, "204 returned a body")
    let empty = try await answer(to: request("/bytes/0"))
    try require(try empty.body.bytes().isEmpty, "an empty body isn't empty")
  }

  func largeBody() async throws {
    let bytes = try await answer(to: request("/bytes/1048576")).body.bytes()
    try require(
      bytes == ConformanceRoutes.pattern(1 << 20), "a megabyte arrived as \(bytes.count) bytes")
  }

  func chunkedBody() async throws {
    let bytes = try await answer(to: request("/chunked/100000")).body.bytes()
    try require(bytes == ConformanceRoutes.pattern(100_000), "chunks came as \(bytes.count) bytes")
  }

  func gzip() async throws {
    let bytes = try await answer(to: request("/gzip/20000")).body.bytes()
    try require(
      bytes == ConformanceRoutes.pattern(20_000), "compressed bytes became \(bytes.count) bytes")
  }

  func parallel() async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<64 {
        group.addTask {
          let body = TransportBody.text("body \(number)")
          let echo = try await echo(of: request(.post, "/echo?n=\(number)", body: body))
          try require(
            echo.query == "n=\(number)" && [UInt8](echo.body) == (try body.bytes()),
            "one request received the response to another")
        }
      }
      try await group.waitForAll()
    }
  }
}
