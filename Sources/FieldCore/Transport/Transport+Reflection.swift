internal import FieldFoundation

// What `dump`, interpolation, and debuggers show of requests and responses: no bodies, and none of the
// secrets that ``Redaction/default`` hides.

extension TransportRequest: CustomStringConvertible, CustomReflectable {
  /// The operation, the method, and the redacted URL.
  public var description: String {
    "\(operation) \(method) \(Redaction.default.redact(url))"
  }

  /// The request without its body and without secrets.
  public var customMirror: Mirror {
    Mirror(
      self,
      children: [
        "operation": operation, "method": method.rawValue,
        "url": Redaction.default.redact(url), "fields": fields, "body": body as Any,
        "timeout": timeout,
      ], displayStyle: .struct)
  }
}

extension TransportResponse.Head: CustomStringConvertible, CustomReflectable {
  /// The status, the redacted URL, and the redacted fields.
  public var description: String {
    let address = url.map { " \(Redaction.default.redact($0))" } ?? ""
    return "\(status)\(address) \(fields)"
  }

  /// The head without secrets.
  public var customMirror: Mirror {
    Mirror(
      self,
      children: [
        "status": status, "url": url.map { Redaction.default.redact($0) } as Any, "fields": fields,
      ], displayStyle: .struct)
  }
}

extension TransportBody: CustomStringConvertible, CustomReflectable {
  /// The number of bytes, or the file.
  public var description: String {
    switch self {
    case .bytes(let bytes): "\(bytes.count) bytes"
    case .file(let file): "file \(file.path)"
    }
  }

  /// The body without its bytes.
  public var customMirror: Mirror { Mirror(self, children: ["content": description]) }
}
