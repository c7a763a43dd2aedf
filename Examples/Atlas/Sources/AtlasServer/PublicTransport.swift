import FieldKit
import Foundation

/// A transport for addresses that anybody may type in: it reaches public hosts, and the made-up ones of this example.
///
/// A visitor who names `127.0.0.1`, a neighbor in the server's network, or the metadata service of its cloud would
/// otherwise read what only the server may. So every address is checked, also those that redirects lead to: only
/// `https`, at a usual port, without a password, and at a host all of whose addresses are public. A host could still
/// change its address between this check and the connection. The certificate then fits no private host.
struct PublicTransport: Transport {
  /// The transport to public hosts.
  let base: any Transport
  /// The transport to hosts that end in `.example`, which exist nowhere else (RFC 2606).
  let examples: any Transport
  var resolve: @Sendable (String) async throws -> [HostAddress] = HostAddress.addresses

  /// The moment at which all requests for a visitor must have ended, however many there are.
  @TaskLocal static var deadline: ContinuousClock.Instant?

  private static let redirectLimit = 5
  private static let ports: Set = [443, 8443]

  func send(_ request: TransportRequest) async throws -> TransportResponse {
    var next = request
    next.followsRedirects = false
    next.responseLimit = min(next.responseLimit, OwnLimits.fileSize)
    if let deadline = Self.deadline {
      let rest = ContinuousClock.now.duration(to: deadline)
      guard rest > .zero else { throw FieldError(.timeout, "The source took too long.") }
      next.timeout = min(next.timeout, rest)
    }
    for _ in 0...Self.redirectLimit {
      next.url = try Self.checked(next.url)
      let isExample = Self.isExample(next.url)
      if !isExample { try await checkHost(of: next.url) }
      let response = try await (isExample ? examples : base).send(next)
      guard request.followsRedirects, let redirected = try next.redirected(by: response) else {
        return response
      }
      next = redirected
      next.followsRedirects = false
    }
    throw FieldError(
      .tooManyRedirects, "The server redirected more than \(Self.redirectLimit) times.")
  }

  static func isExample(_ url: URL) -> Bool {
    (url.host()?.lowercased() ?? "").hasSuffix(".example")
  }

  /// Returns an address that may be asked, with `https` in place of `http`.
  static func checked(_ url: URL) throws -> URL {
    guard var parts = URLComponents(url: url, resolvingAgainstBaseURL: true),
      let scheme = parts.scheme?.lowercased(), scheme == "https" || scheme == "http",
      let host = parts.host, !host.isEmpty
    else {
      throw refusal(
        "Only addresses of the web can be read, such as https://data.example/cafes.csv.")
    }
    guard parts.user == nil, parts.password == nil else {
      throw refusal("The address contains a password. Remove it: it would be sent to that server.")
    }
    if scheme == "http" {
      parts.scheme = "https"
      if parts.port == 80 { parts.port = nil }
    }
    guard parts.port.map({ ports.contains($0) }) ?? true, let url = parts.url else {
      throw refusal(
        "The address names the port \(parts.port ?? 0), but only 443 and 8443 can be read.")
    }
    return url
  }

  private func checkHost(of url: URL) async throws {
    let host = url.host(percentEncoded: false) ?? ""
    let name = host.trimmingCharacters(in: CharacterSet(charactersIn: "[]."))
    let addresses = try await resolve(name)
    guard !addresses.isEmpty else {
      throw FieldError(.offline, "The host \(host) isn't known.")
    }
    guard addresses.allSatisfy(\.isPublic) else {
      throw Self.refusal(
        "\(host) is an address of this machine or of its own network, which isn't read for visitors."
      )
    }
  }

  private static func refusal(_ message: String) -> FieldError {
    FieldError(.invalidInput, message)
  }
}

/// A transport that passes on requests for made-up hosts to the loopback server, with the host in the path.
struct ExampleTransport: Transport {
  let base: any Transport
  let server: URL

  static let folder = "example"

  func send(_ request: TransportRequest) async throws -> TransportResponse {
    var local = request
    guard let parts = URLComponents(url: request.url, resolvingAgainstBaseURL: true),
      let host = parts.host?.lowercased(),
      var target = URLComponents(url: server, resolvingAgainstBaseURL: true)
    else { throw FieldError(.invalidInput, "The address has no host.") }
    target.percentEncodedPath = "/\(Self.folder)/\(host)\(parts.percentEncodedPath)"
    target.percentEncodedQuery = parts.percentEncodedQuery
    guard let url = target.url else {
      throw FieldError(.invalidInput, "The address can't be read.")
    }
    local.url = url
    var response = try await base.send(local)
    response.head.url = request.url
    return response
  }

  /// Returns the address that a request to the loopback server stands for, or `nil` if it's another one.
  static func address(of url: URL) -> URL? {
    guard var parts = URLComponents(url: url, resolvingAgainstBaseURL: true) else { return nil }
    let path = parts.percentEncodedPath.split(separator: "/", omittingEmptySubsequences: false)
    guard path.count > 3, path[1] == folder else { return nil }
    (parts.scheme, parts.host, parts.port) = ("https", String(path[2]), nil)
    parts.percentEncodedPath = "/" + path.dropFirst(3).joined(separator: "/")
    return parts.url
  }
}

/// An address of a host in the internet's protocol.
struct HostAddress: Sendable, Equatable {
  /// The 4 or 16 bytes.
  let bytes: [UInt8]

  /// A Boolean value that indicates whether anybody may reach the address, and it's nobody's own network.
  var isPublic: Bool {
    if bytes.count == 4 { return Self.isPublic(bytes[0], bytes[1], bytes[2]) }
    guard bytes.count == 16 else { return false }
    // Addresses that contain one of version 4: mapped ones, those of NAT64, and of 6to4.
    let zeros = [UInt8](repeating: 0, count: 10)
    if bytes.starts(with: zeros + [0xFF, 0xFF])
      || bytes.starts(with: [0, 0x64, 0xFF, 0x9B] + zeros.prefix(8))
    {
      return HostAddress(bytes: Array(bytes[12...])).isPublic
    }
    if bytes.starts(with: [0x20, 0x02]) { return HostAddress(bytes: Array(bytes[2..<6])).isPublic }
    // Only 2000::/3 is in use, and of that neither Teredo nor documentation.
    guard bytes[0] >> 5 == 1 else { return false }
    return !bytes.starts(with: [0x20, 0x01, 0, 0]) && !bytes.starts(with: [0x20, 0x01, 0x0D, 0xB8])
  }

  private static func isPublic(_ a: UInt8, _ b: UInt8, _ c: UInt8) -> Bool {
    switch (a, b, c) {
    case (0, _, _), (10, _, _), (127, _, _), (224..., _, _): false
    case (100, 64...127, _), (169, 254, _), (172, 16...31, _), (192, 168, _), (198, 18...19, _):
      false
    case (192, 0, 0), (192, 0, 2), (192, 88, 99), (198, 51, 100), (203, 0, 113): false
    default: true
    }
  }

  /// Looks up all addresses of a host, as a connection would.
  static func addresses(of host: String) async throws -> [HostAddress] {
    await withCheckedContinuation { continuation in
      // The resolver waits for the network, so it gets a thread that isn't one of the few for tasks.
      DispatchQueue.global().async { continuation.resume(returning: lookUp(host)) }
    }
  }

  private static func lookUp(_ host: String) -> [HostAddress] {
    var hints = addrinfo()
    hints.ai_family = AF_UNSPEC
    #if os(Linux)
      hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    #else
      hints.ai_socktype = SOCK_STREAM
    #endif
    var list: UnsafeMutablePointer<addrinfo>?
    guard getaddrinfo(host, nil, &hints, &list) == 0 else { return [] }
    defer { freeaddrinfo(list) }
    var found: [HostAddress] = []
    var next = list
    while let info = next?.pointee {
      next = info.ai_next
      guard let address = info.ai_addr else { continue }
      switch info.ai_family {
      case AF_INET:
        address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { pointer in
          found.append(
            HostAddress(bytes: withUnsafeBytes(of: pointer.pointee.sin_addr) { Array($0) }))
        }
      case AF_INET6:
        address.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) { pointer in
          found.append(
            HostAddress(bytes: withUnsafeBytes(of: pointer.pointee.sin6_addr) { Array($0) }))
        }
      default: found.append(HostAddress(bytes: []))
      }
    }
    return found
  }
}
