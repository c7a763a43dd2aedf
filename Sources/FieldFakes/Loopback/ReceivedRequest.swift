internal import FieldCore

/// The head of a received request (RFC 9112, sections 3 and 5).
struct ReceivedRequest: Sendable {
  let method: String
  /// The path and the query.
  let target: String
  let fields: HTTPHeaderFields
  let isVersion10: Bool
  /// A Boolean value that indicates whether the client keeps the connection open.
  let keepsConnection: Bool
  let framing: Framing
  var body: [UInt8]?

  /// The way in which the end of the body is marked.
  enum Framing: Sendable, Hashable {
    case none
    case length(Int)
    case chunked
  }

  init(_ lines: ArraySlice<[UInt8]>) throws(BadRequest) {
    let parts = lines.first?.split(separator: 0x20, omittingEmptySubsequences: false) ?? []
    guard parts.count == 3, let method = Self.token(parts[0]) else {
      throw BadRequest(400, "the request line doesn't have three parts")
    }
    switch String(decoding: parts[2], as: UTF8.self) {
    case "HTTP/1.1": isVersion10 = false
    case "HTTP/1.0": isVersion10 = true
    default: throw BadRequest(505, "the version is not HTTP/1.0 or HTTP/1.1")
    }
    self.method = method
    target = try Self.pathAndQuery(parts[1])
    let fields = try Self.fields(lines.dropFirst())
    self.fields = fields

    if !isVersion10 && fields.values(of: "Host").count != 1 {
      throw BadRequest(400, "there isn't exactly one Host")
    }
    framing = try Self.framing(fields)
    let options = (fields["Connection"] ?? "").lowercased()
    keepsConnection = !isVersion10 && !options.contains("close")
  }

  /// Returns the path and the query of a target in origin form or absolute form.
  private static func pathAndQuery(_ target: ArraySlice<UInt8>) throws(BadRequest) -> String {
    let text = String(decoding: target, as: UTF8.self)
    guard text.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F }) else {
      throw BadRequest(400, "the target contains control characters")
    }
    if text.hasPrefix("/") { return text }
    guard text.lowercased().hasPrefix("http://") else {
      throw BadRequest(400, "the target isn't a path")
    }
    let rest = text.dropFirst("http://".count)
    guard let end = rest.firstIndex(where: { $0 == "/" || $0 == "?" }) else { return "/" }
    return (rest[end] == "?" ? "/" : "") + rest[end...]
  }

  private static func fields(_ lines: ArraySlice<[UInt8]>) throws(BadRequest) -> HTTPHeaderFields {
    var fields = HTTPHeaderFields()
    for line in lines {
      guard let colon = line.firstIndex(of: UInt8(ascii: ":")), let name = token(line[..<colon])
      else { throw BadRequest(400, "a field has no name") }
      var value = line[(colon + 1)...]
      while let first = value.first, first == 0x20 || first == 0x09 { value.removeFirst() }
      while let last = value.last, last == 0x20 || last == 0x09 { value.removeLast() }
      guard value.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }) else {
        throw BadRequest(400, "the value of a field contains control characters")
      }
      fields.add(String(decoding: value, as: UTF8.self), to: name)
    }
    return fields
  }

  private static func framing(_ fields: HTTPHeaderFields) throws(BadRequest) -> Framing {
    let lengths = fields.values(of: "Content-Length")
    if let coding = fields["Transfer-Encoding"] {
      // Sending both is how requests are smuggled past a proxy.
      guard coding.lowercased() == "chunked", lengths.isEmpty else {
        throw BadRequest(400, "the end of the body can't be determined")
      }
      return .chunked
    }
    guard let first = lengths.first else { return .none }
    guard first.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let length = Int(first),
      lengths.allSatisfy({ $0 == first })
    else { throw BadRequest(400, "the length isn't a single number") }
    return .length(length)
  }

  private static func token(_ bytes: ArraySlice<UInt8>) -> String? {
    let isToken = bytes.allSatisfy { byte in
      let scalar = Unicode.Scalar(byte)
      return scalar.isASCII && scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
        || "!#$%&'*+-.^_`|~".utf8.contains(byte)
    }
    return isToken && !bytes.isEmpty ? String(decoding: bytes, as: UTF8.self) : nil
  }
}

/// An invalid request, to which the response is a status and the end of the connection.
struct BadRequest: Error {
  let status: Int
  let reason: String

  init(_ status: Int, _ reason: String) {
    self.status = status
    self.reason = reason
  }
}
