public import FieldFoundation

extension FieldError {
  /// The part of the world where an error has its cause.
  public enum Group: String, Sendable, CaseIterable, Codable {
    /// The connection: nothing arrived, or only part of a response.
    case network
    /// The server or its data: it failed, refused, or sent something unusable.
    case source
    /// The device: its files, its storage, or another process.
    case device
    /// The program or its user: an argument, an unknown ID, or a wrong moment.
    case caller
  }

  /// The localized strings to show for an error code, its group, and whether retrying may help.
  ///
  /// The strings are for users of an app. What a developer needs to know is in ``message``.
  ///
  /// ```swift
  /// let guidance = error.code.guidance
  /// show(guidance.title.string(in: .korean), guidance.reason.string(in: .korean))
  /// ```
  public struct Guidance: Sendable, Hashable {
    /// The part of the world where the error has its cause.
    public var group: Group
    /// A Boolean value that indicates whether the same operation may succeed later, although nobody
    /// has changed anything.
    ///
    /// ```swift
    /// do {
    ///   try await kit.refresh()
    /// } catch let error as FieldError where error.isRetryable {
    ///   print("try again later:", error.message)
    /// }
    /// ```
    public var isRetryable: Bool
    /// A few words for a heading, such as `No Connection`.
    public var title: FieldText
    /// A sentence that says what happened.
    public var reason: FieldText
    /// A sentence that says what to do about it.
    public var advice: FieldText

    /// Creates guidance, for a table of your own codes.
    ///
    /// The keys of the strings are `error.`, the code, and `.title`, `.reason`, or `.advice`.
    public init(
      for code: Code, group: Group, isRetryable: Bool, title: [TextLanguage: FieldText.Template],
      reason: [TextLanguage: FieldText.Template], advice: [TextLanguage: FieldText.Template]
    ) {
      self.group = group
      self.isRetryable = isRetryable
      self.title = FieldText("error.\(code).title", templates: title)
      self.reason = FieldText("error.\(code).reason", templates: reason)
      self.advice = FieldText("error.\(code).advice", templates: advice)
    }
  }

  /// An error whose descriptions are in the user's language, such as an alert shows.
  public struct Localized: LocalizedError, Sendable, CustomStringConvertible {
    /// The title.
    public let errorDescription: String?
    /// The sentence that says what happened.
    public let failureReason: String?
    /// The sentence that says what to do about it.
    public let recoverySuggestion: String?

    /// The title, what happened, and what to do about it, on one line.
    public var description: String {
      [errorDescription.map { $0 + ":" }, failureReason, recoverySuggestion].compactMap(\.self)
        .joined(separator: " ")
    }
  }

  /// Returns the error's localized strings in a language.
  ///
  /// ```swift
  /// let alert = error.localized(in: .traditionalChinese)
  /// print(alert.errorDescription ?? "", alert.recoverySuggestion ?? "")
  /// ```
  ///
  /// - Parameters:
  ///   - language: The language, such as ``TextLanguage/korean``.
  ///   - catalog: Your own wording by key.
  public func localized(
    in language: TextLanguage, catalog: TextCatalog = .builtIn
  ) -> Localized {
    let guidance = code.guidance
    return Localized(
      errorDescription: guidance.title.string(in: language, catalog: catalog),
      failureReason: guidance.reason.string(in: language, catalog: catalog),
      recoverySuggestion: guidance.advice.string(in: language, catalog: catalog))
  }

  /// A Boolean value that indicates whether the same operation may succeed later, although nobody
  /// has changed anything.
  ///
  /// It depends on the code, and for ``Code/status`` on the status.
  public var isRetryable: Bool {
    if code == .status, let status = response?.status { return Self.isTemporary(status) }
    return code.guidance.isRetryable
  }

  /// Returns whether a server that responds with a status may respond differently later.
  package static func isTemporary(_ status: Int) -> Bool {
    switch status {
    case 408, 425, 429: true
    case 501: false
    default: status >= 500
    }
  }
}
