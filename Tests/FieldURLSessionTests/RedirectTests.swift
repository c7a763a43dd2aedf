import FieldCore
import FieldFakes
import Foundation
import Testing

@testable import FieldURLSession

@Suite("Redirects")
struct RedirectTests {
  private let transport = URLSessionTransport()

  @Test("redirects are responses to a request that follows none", arguments: [301, 303, 307, 308])
  func notFollowed(status: Int) async throws {
    let seen = Log<TransportRequest>()
    let elsewhere = try LoopbackServer { request in
      await seen.add(request)
      return TransportResponse(status: 200)
    }
    let server = try LoopbackServer { _ in
      TransportResponse(status: status, fields: ["Location": "\(elsewhere.url)/"])
    }
    var request = server.request(.post, "/sign-in", fields: [:], body: .text("password"))
    request.followsRedirects = false
    let answer = try await transport.send(request)
    #expect(answer.status == status)
    #expect(answer.url == server.url.appending(path: "sign-in"))
    #expect(await seen.elements.isEmpty)
  }

  @Test(
    "redirects change the method like browsers do",
    arguments: [
      (301, "GET", "GET"), (302, "GET", "GET"), (303, "GET", "GET"), (307, "GET", "GET"),
      (308, "GET", "GET"), (301, "HEAD", "HEAD"), (303, "HEAD", "HEAD"), (307, "HEAD", "HEAD"),
      (301, "POST", "GET"), (302, "POST", "GET"), (303, "POST", "GET"), (303, "PUT", "GET"),
      (303, "DELETE", "GET"), (301, "PUT", "PUT"), (302, "DELETE", "DELETE"),
      (302, "PATCH", "PATCH"),
    ])
  func methods(status: Int, method: String, expected: String) async throws {
    let seen = Log<TransportRequest>()
    let server = try LoopbackServer { request in
      await seen.add(request)
      if request.url.path == "/end" { return TransportResponse(status: 200) }
      return TransportResponse(status: status, fields: ["Location": "/end"], body: .text("moved"))
    }
    let method = TransportRequest.Method(rawValue: method)
    let body: TransportBody? = method == .get || method == .head ? nil : .text("body")
    let answer = try await transport.send(
      server.request(method, "/start", fields: ["Content-Type": "text/plain"], body: body))
    #expect(answer.status == 200)
    #expect(answer.url == server.url.appending(path: "end"))
    let last = try #require(await seen.elements.last)
    #expect(last.method.rawValue == expected)
    #expect(last.body == (expected == method.rawValue ? body : nil))
    if expected != method.rawValue { #expect(last.fields["Content-Type"] == nil) }
  }

  @Test(
    "redirects resolve any kind of URL",
    arguments: [
      ("/b", "http://h:8/b"), ("b", "http://h:8/x/b"), ("../b?c=d", "http://h:8/b?c=d"),
      ("?q=1", "http://h:8/x/y?q=1"), ("//k/b", "http://k/b"), ("HTTP://k:9/b", "http://k:9/b"),
      ("https://k/b", "https://k/b"), ("/b#own", "http://h:8/b#own"),
      ("http://user:word@k/b", "http://k/b"), ("/空 港", "http://h:8/%E7%A9%BA%20%E6%B8%AF"),
    ])
  func addresses(location: String, expected: String) throws {
    let next = try redirect("http://h:8/x/y", to: location)
    #expect(next?.url.absoluteString == expected)
  }

  @Test("redirects keep the fragment of the first URL, unless they have one")
  func fragment() throws {
    #expect(try redirect("http://h/x#part", to: "/b")?.url.absoluteString == "http://h/b#part")
    #expect(try redirect("http://h/x#part", to: "/b#own")?.url.absoluteString == "http://h/b#own")
  }

  @Test(
    "redirects to anything but an HTTP URL are rejected",
    arguments: [
      "file:///etc/passwd", "ftp://h/a", "mailto:a@b", "http://", "javascript:alert(1)",
    ])
  func refused(location: String) throws {
    let error = #expect(throws: FieldError.self) { try redirect("http://h/", to: location) }
    #expect(error?.code == .redirectRefused)
  }

  @Test(
    "redirects drop credentials between two URLs exactly when the origin changes",
    arguments: [
      ("http://h/a", "http://h/b", true), ("http://h/a", "http://h:80/b", true),
      ("http://h/a", "http://H/b", true), ("https://h/a", "https://h:443/b", true),
      ("http://h/a", "http://h:81/b", false), ("http://h/a", "https://h/b", false),
      ("https://h/a", "http://h/b", false), ("http://h/a", "http://www.h/b", false),
      ("http://h/a", "//k/b", false),
    ])
  func origins(from: String, location: String, keeps: Bool) throws {
    let next = try #require(
      try redirect(from, to: location, fields: ["Authorization": "a", "Accept": "b"]))
    #expect((next.fields["Authorization"] == "a") == keeps)
    #expect(next.fields["Accept"] == "b")
  }

  @Test("redirects don't send an encrypted body unencrypted")
  func downgrade() throws {
    let error = #expect(throws: FieldError.self) {
      try redirect("https://h/", to: "http://h/", method: .post, body: .text("secret"), status: 307)
    }
    #expect(error?.code == .redirectRefused)
    let get = try redirect(
      "https://h/", to: "http://h/", method: .post, body: .text("a"), status: 303)
    #expect(get?.body == nil)
  }

  @Test(
    "redirects that lose the body on the way to another origin also lose the fields about it",
    arguments: [
      (303, nil as String?), (307, "text/plain"),
    ])
  func describing(status: Int, kind: String?) throws {
    let next = try redirect(
      "http://h/", to: "http://k/", method: .post, fields: ["Content-Type": "text/plain"],
      body: .text("a"), status: status)
    #expect(next?.fields["Content-Type"] == kind)
  }

  @Test(
    "redirects aren't followed for other statuses, or without a location",
    arguments: [
      (300, "/b"), (304, "/b"), (305, "/b"), (306, "/b"), (200, "/b"), (201, "/b"), (302, ""),
    ])
  func notFollowed(status: Int, location: String) throws {
    #expect(try redirect("http://h/", to: location, status: status) == nil)
  }

  @Test("redirects without a location are responses", arguments: [301, 302, 303, 307, 308])
  func noLocation(status: Int) async throws {
    let server = try LoopbackServer { _ in TransportResponse(status: status, body: .text("where?"))
    }
    #expect(try await transport.send(server.request()).status == status)
  }

  @Test("redirects in circles end with an error, after the limit")
  func circle() async throws {
    let seen = Log<String>()
    let server = try LoopbackServer { request in
      await seen.add(request.url.path)
      return TransportResponse(
        status: 302, fields: ["Location": request.url.path == "/a" ? "/b" : "/a"])
    }
    await expectError(.tooManyRedirects) { try await transport.send(server.request(.get, "/a")) }
    #expect(await seen.elements.count == 21)
  }

  // Left out: `//[::1]/`, which does so on Linux; see `SessionDelegate`.
  @Test(
    "redirects don't crash the process with a strange URL",
    arguments: [
      "http://[::1", "http://a b/", "//", "///", ":", "%", "?%", "#%zz", "http://h:99999999/",
      "http://h:-1/", "/%00", "\u{7f}", "http:x", "mailto:a", "//:80", "http://%/",
      "?a=[]|", "/\u{1F600}", "http://ü.invalid/", "..//../..", ";", "@", "http://@/", "\\\\h\\a",
    ])
  func strange(location: String) async throws {
    let server = try LoopbackServer { request in
      request.url.path == "/start"
        ? TransportResponse(status: 302, fields: ["Location": location])
        : TransportResponse(status: 200)
    }
    do {
      _ = try await transport.send(server.request(.get, "/start"))
    } catch let error as FieldError {
      let codes: [FieldError.Code] = [
        .redirectRefused, .offline, .invalidInput, .transport, .connectionLost, .tooManyRedirects,
      ]
      #expect(codes.contains(error.code), "\(error)")
    }
  }

  private func redirect(
    _ from: String, to location: String, method: TransportRequest.Method = .get,
    fields: HTTPHeaderFields = [:], body: TransportBody? = nil, status: Int = 302
  ) throws -> TransportRequest? {
    let url = try #require(URL(string: from))
    return try TransportRequest(method, url: url, fields: fields, body: body, operation: "test")
      .redirected(by: TransportResponse(status: status, fields: ["Location": location]))
  }
}
