extension FieldError: CustomStringConvertible {
  /// The code, the message, and other known facts, on one line, without the secrets that
  /// ``Redaction/default`` hides in URLs.
  public var description: String {
    var text = "\(code.rawValue): \(message)"
    if !problems.isEmpty { text += " [\(problems.joined(separator: "; "))]" }
    if let operation { text += " (\(operation))" }
    let cause = underlying.map { "\($0)" } ?? ""
    if !cause.isEmpty { text += " <- \(cause)" }
    return Redaction.default.redact(text: text)
  }
}

extension FieldError: CustomReflectable {
  /// The mirror that `dump` and debuggers show, without the secrets that ``Redaction/default`` hides.
  public var customMirror: Mirror {
    let redaction = Redaction.default
    return Mirror(
      self,
      children: [
        "code": code.rawValue, "message": redaction.redact(text: message),
        "problems": problems.map(redaction.redact(text:)), "operation": operation as Any,
        "response": response as Any,
        "underlying": underlying.map { error in
          (error as? FieldError) as Any? ?? redaction.redact(text: "\(error)")
        } as Any,
      ], displayStyle: .struct)
  }
}
