import Foundation
import FieldKit
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import ServiceLifecycle

/// A server that shows a visitor's own data, and the five kits, to browsers.
public struct AtlasServer: Sendable {
  private let world: World
  private let hosts: [String]
  private let logger: Logger

  /// Opens the kits.
  ///
  /// - Parameters:
  ///   - folder: The folder to keep data in.
  ///   - options: The sources of the data, and the database.
  ///   - logger: The logger of the server.
  public init(folder: URL, options: AtlasOptions = AtlasOptions(), logger: Logger) async throws {
    world = try await World(
      atlas: try AtlasField(folder: folder, options: options), logger: logger)
    hosts = options.hosts
    self.logger = logger
  }

  /// Serves until the process receives `SIGTERM` or `SIGINT`, and then closes the kits.
  public func run(hostname: String, port: Int) async throws {
    var app = application(hostname: hostname, port: port)
    app.addServices(WorldService(world: world))
    try await app.runService(gracefulShutdownSignals: [.sigterm, .sigint])
    await world.own.close()
    await world.atlas.close()
  }

  func application(
    hostname: String, port: Int
  ) -> Application<RouterResponder<BasicRequestContext>> {
    Application(
      router: router(hostname: hostname),
      configuration: ApplicationConfiguration(
        address: .hostname(hostname, port: port), serverName: nil),
      onServerRunning: { _ in print("atlas: http://\(hostname):\(port) (process \(getpid()))") },
      logger: logger)
  }

  func router(hostname: String) -> Router<BasicRequestContext> {
    let router = Router(context: BasicRequestContext.self)
    router.add(
      middleware: Guarding(
        metrics: world.metrics, site: Site(listeningOn: hostname, hosts: hosts)))
    router.addPages()
    router.addOwn(world)
    router.addOwnTransit(world)
    router.addControls(world)
    router.addMetro(world)
    router.addMeteorites(world)
    router.addSocrata(world)
    router.addZoo(world)
    router.addWalks(world)
    router.addCity(world)
    return router
  }

  /// Closes the kits; for tests, which don't run the server.
  func close() async {
    await world.socrata.interrupt()
    await world.own.close()
    await world.atlas.close()
  }
}

/// The sources of the server's data, and the place where it's kept.
public struct AtlasOptions: Sendable {
  /// A capture of the table of meteorites; without one, the rows are made up.
  public var capture: URL?
  /// A GPX file with the track to walk; without one, the walk is made up.
  public var track: URL?
  /// The host of a Socrata portal; without one, a portal on the loopback interface makes rows up.
  public var portal: String?
  /// The PostgreSQL database to keep records and photos in; without one, they are files.
  public var database: String?
  /// The names and addresses by which browsers reach the server, besides those of the loopback interface and the
  /// one that it listens on.
  public var hosts: [String] = []

  /// Creates options that need neither the internet nor a database.
  public init() {}
}

/// The tasks of the world, as a service that ends with the server.
private struct WorldService: Service {
  let world: World

  func run() async throws {
    await withTaskGroup(of: Void.self) { group in
      group.addTask { await world.run() }
      try? await gracefulShutdown()
      world.hub.close()
      try? await world.replay.pause()
      await world.socrata.interrupt()
      group.cancelAll()
    }
  }
}

/// A middleware that limits requests, refuses other names of the server and writes from other sites, adds the
/// security headers, and turns errors into JSON.
private struct Guarding: RouterMiddleware {
  typealias Context = BasicRequestContext

  static let inFlightLimit = 512
  let metrics: Metrics
  let site: Site

  func handle(
    _ request: Request, context: Context,
    next: (Request, Context) async throws -> Response
  ) async throws -> Response {
    let clock = ContinuousClock()
    let start = clock.now
    guard metrics.begin(limit: Self.inFlightLimit) else {
      return secured(
        try json(
          FailurePayload(FieldError(.tooManyRequests, "The server is busy.")),
          status: .serviceUnavailable))
    }
    var response: Response
    do {
      try check(request)
      response = try await next(request, context)
    } catch let error as HTTPError {
      response = try json(FailurePayload(error), status: error.status)
    } catch let error as FieldError {
      let status: HTTPResponse.Status =
        error.code.rawValue.hasPrefix("transport.") ? .badGateway : .badRequest
      response = try json(FailurePayload(error), status: status)
    } catch is CancellationError {
      response = Response(status: .serviceUnavailable)
    } catch {
      context.logger.error("request failed", metadata: ["error": "\(error)"])
      response = try json(
        FailurePayload(FieldError(.status, "The request failed.")), status: .internalServerError)
    }
    metrics.end(status: response.status.code, duration: clock.now - start)
    return secured(response)
  }

  private func check(_ request: Request) throws {
    guard request.uri.string.utf8.count <= 1_024 else { throw HTTPError(.uriTooLong) }
    try site.checkHost(of: request)
    guard request.method != .get, request.method != .head else { return }
    let sender = request.headers[.secFetchSite]
    guard sender == nil || sender == "same-origin" else {
      throw HTTPError(.forbidden, message: "Changes are accepted from this site only.")
    }
    try site.checkOrigin(of: request)
    guard request.headers[.xAtlas] == "1" else {
      throw HTTPError(.forbidden, message: "The header X-Atlas is missing.")
    }
  }

  private func secured(_ response: Response) -> Response {
    var response = response
    response.headers[.contentSecurityPolicy] =
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; "
      + "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    response.headers[.xContentTypeOptions] = "nosniff"
    response.headers[.referrerPolicy] = "no-referrer"
    response.headers[.crossOriginOpenerPolicy] = "same-origin"
    response.headers[.permissionsPolicy] = "camera=(), microphone=(), geolocation=()"
    if response.headers[.cacheControl] == nil { response.headers[.cacheControl] = "no-store" }
    return response
  }
}

/// The names of the server.
///
/// A page of another site can point its own name at this machine ("DNS rebinding"). To the browser, the server is
/// then part of that site, so that the page may read it and send every header. Only the name in the request differs.
struct Site: Sendable {
  private let hosts: Set<String>
  private let acceptsAddresses: Bool

  /// Creates the names of a server.
  ///
  /// - Parameters:
  ///   - hostname: The name or address that the server listens on. If that is every address of the machine, all IP
  ///     addresses are its names, because none can be rebound.
  ///   - hosts: Further names and addresses.
  init(listeningOn hostname: String, hosts: [String]) {
    self.hosts = Set((["localhost", hostname] + hosts).map { $0.lowercased() })
    acceptsAddresses = ["0.0.0.0", "::"].contains(hostname)
  }

  /// Refuses a request for a host that isn't this server.
  func checkHost(of request: Request) throws {
    let names = [request.head.authority].compactMap { $0 } + request.headers[values: .hostField]
    guard !names.isEmpty, names.allSatisfy({ accepts(authority: $0) }) else {
      throw HTTPError(
        .misdirectedRequest,
        message: "This server isn't \(names.first ?? "named"). Allow a name with --allowed-host.")
    }
  }

  /// Refuses a request that a page of another origin sends. Programs that aren't browsers send no origin.
  func checkOrigin(of request: Request) throws {
    guard let origin = request.headers[.origin] else { return }
    let authority = request.head.authority ?? request.headers[.hostField] ?? ""
    let isOwn = ["http://", "https://"].contains {
      origin.lowercased() == $0 + authority.lowercased()
    }
    guard isOwn else {
      throw HTTPError(.forbidden, message: "Changes are accepted from this site only.")
    }
  }

  func accepts(authority: String) -> Bool {
    var host = authority.lowercased()[...]
    if let end = host.firstIndex(of: "]") {
      guard host.first == "[", Self.isPort(host[host.index(after: end)...]) else { return false }
      host = host[host.index(after: host.startIndex)..<end]
      let isAddress =
        host.contains(":") && host.utf8.allSatisfy { "0123456789abcdef:.".utf8.contains($0) }
      return isAddress && (acceptsAddresses || host == "::1" || hosts.contains(String(host)))
    }
    if let colon = host.firstIndex(of: ":") {
      guard Self.isPort(host[colon...]) else { return false }
      host = host[..<colon]
    }
    let parts = host.split(separator: ".", omittingEmptySubsequences: false)
    let isAddress = parts.count == 4 && parts.allSatisfy { Self.isNumber($0) && UInt8($0) != nil }
    if isAddress, acceptsAddresses || parts.first == "127" { return true }
    return hosts.contains(String(host))
  }

  private static func isPort(_ text: Substring) -> Bool {
    text.isEmpty
      || text.first == ":" && isNumber(text.dropFirst()) && UInt16(text.dropFirst()) != nil
  }

  private static func isNumber(_ text: Substring) -> Bool {
    !text.isEmpty && text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
  }
}

/// Returns a response with a value as JSON.
func json(_ value: some Encodable, status: HTTPResponse.Status = .ok) throws -> Response {
  let encoder = JSONEncoder()
  encoder.outputFormatting = [.withoutEscapingSlashes]
  return Response(
    status: status, headers: [.contentType: "application/json; charset=utf-8"],
    body: ResponseBody(byteBuffer: ByteBuffer(bytes: try encoder.encode(value))))
}

extension Request {
  /// Returns a text parameter of at most 80 characters, or another number of them.
  func text(_ name: String, isRequired: Bool = true, limit: Int = 80) throws -> String {
    let text = uri.queryParameters[Substring(name)].map { String($0) } ?? ""
    guard text.count <= limit, !(isRequired && text.isEmpty) else {
      throw HTTPError(.badRequest, message: "The parameter \(name) is missing or too long.")
    }
    return text
  }

  /// Returns a parameter that is a finite number.
  func number(_ name: String) throws -> Double {
    guard let number = uri.queryParameters[Substring(name)].flatMap({ Double($0) }), number.isFinite
    else { throw HTTPError(.badRequest, message: "The parameter \(name) isn't a number.") }
    return number
  }
}

extension HTTPField.Name {
  static let secFetchSite = named("Sec-Fetch-Site")
  static let xAtlas = named("X-Atlas")
  static let hostField = named("Host")
  static let referrerPolicy = named("Referrer-Policy")
  static let crossOriginOpenerPolicy = named("Cross-Origin-Opener-Policy")
  static let permissionsPolicy = named("Permissions-Policy")
  static let pictureOrigin = named("X-Picture-Origin")

  /// Returns the name; all names above are valid, so the other one is never used.
  private static func named(_ text: String) -> Self { Self(text) ?? .userAgent }
}
