import FieldKit
import Foundation
import Hummingbird
import NIOCore
import ServiceLifecycle

extension Router where Context == BasicRequestContext {
  /// The page, its scripts and styles.
  func addPages() {
    let pages = Pages(folder: Resources.folder("Public"))
    get("/") { request, _ in try pages.response(for: "index.html", request) }
    get("assets/{file}") { request, context in
      try pages.response(for: try context.parameters.require("file"), request)
    }
    get("favicon.ico") { _, _ in Response(status: .noContent) }
  }

  /// Events, controls, code, health, and metrics.
  func addControls(_ world: World) {
    get("health") { _, _ in
      let isReady = world.isReady
      return try json(
        ["status": isReady ? "ok" : "starting"], status: isReady ? .ok : .serviceUnavailable)
    }
    get("metrics") { _, _ in
      let walks = try await world.field.walks.statistics().walkCount
      let text = world.metrics.text(gauges: [
        (name: "browsers", value: world.hub.clientCount),
        (name: "restarts_total", value: world.hello.restarts),
        (name: "portal_requests_total", value: world.atlas.requests.withLock { $0 }),
        (name: "meteorites", value: try await world.field.meteorites.view().count),
        (name: "walks", value: walks),
      ])
      return Response(
        status: .ok, headers: [.contentType: "text/plain; version=0.0.4; charset=utf-8"],
        body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
    }
    get("events") { _, _ in
      guard let events = world.hub.events() else {
        throw HTTPError(.serviceUnavailable, message: "Too many browsers are connected.")
      }
      return Response(
        status: .ok, headers: [.contentType: "text/event-stream"],
        body: ResponseBody { writer in
          try await writer.write(ByteBuffer(string: "retry: 500\n\n"))
          for await event in events.cancelOnGracefulShutdown() {
            try await writer.write(ByteBuffer(string: event.wire))
          }
          try await writer.finish(nil)
        })
    }
    get("api/code/{view}") { _, context in
      let view = try context.parameters.require("view")
      guard Excerpts.views.contains(view) else { throw HTTPError(.notFound) }
      return try json(try Excerpts.excerpts(of: view))
    }
    get("api/inventory") { _, _ in try json(world.currentInventory) }
    post("api/network/{mode}") { _, context in
      guard let mode = NetworkMode(rawValue: try context.parameters.require("mode")) else {
        throw HTTPError(.notFound)
      }
      try world.atlas.control.set(mode)
      world.sendHello()
      return try json(world.hello)
    }
    post("api/refresh/{kit}") { _, context in
      let kit = try context.parameters.require("kit")
      guard let payload = await world.refresh(kit, .now) else { throw HTTPError(.notFound) }
      return try json(payload)
    }
    // The answer says what is stored; then the process kills itself, with no chance to tidy up.
    post("api/kill") { _, _ in
      let inventory = world.currentInventory
      Task {
        try? await Task.sleep(for: .milliseconds(80))
        kill(getpid(), SIGKILL)
      }
      return try json(inventory, status: .accepted)
    }
  }
}

/// The files of the page, read once.
struct Pages: Sendable {
  private struct Page: Sendable {
    var bytes: ByteBuffer
    var type: String
    var tag: String
  }

  private var pages: [String: Page] = [:]

  init(folder: URL) {
    let types = [
      "html": "text/html; charset=utf-8", "css": "text/css; charset=utf-8",
      "js": "text/javascript; charset=utf-8", "json": "application/json",
      "svg": "image/svg+xml",
    ]
    let files = try? FileManager.default.contentsOfDirectory(
      at: folder, includingPropertiesForKeys: nil)
    for file in files ?? [] {
      guard let type = types[file.pathExtension], let data = try? Data(contentsOf: file) else {
        continue
      }
      var sum = Checksum()
      sum.add(String(decoding: data, as: UTF8.self))
      pages[file.lastPathComponent] = Page(
        bytes: ByteBuffer(bytes: data), type: type, tag: "\"\(sum.text)\"")
    }
  }

  /// Returns a file, or 304 for one that the browser has already.
  func response(for name: String, _ request: Request) throws -> Response {
    guard let page = pages[name] else { throw HTTPError(.notFound) }
    var response =
      request.headers[.ifNoneMatch] == page.tag
      ? Response(status: .notModified)
      : Response(
        status: .ok, headers: [.contentType: page.type],
        body: ResponseBody(byteBuffer: page.bytes))
    response.headers[.eTag] = page.tag
    response.headers[.cacheControl] = "no-cache"
    return response
  }
}
