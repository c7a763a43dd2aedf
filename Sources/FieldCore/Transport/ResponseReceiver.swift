/// A receiver of the body of one response, for a transport.
///
/// It limits and counts the bytes, and stores them at the request's destination: in memory, or for
/// a success in a file, which gets its name when it is complete. It works the same in every
/// transport:
///
/// ```swift
/// var receiver = try ResponseReceiver(head, for: request)
/// defer { receiver.discard() }
/// for try await part in body { try receiver.append(part) }
/// return try receiver.finish()
/// ```
///
/// The head and the parts are those of the decoded body: if you decode it, remove `Content-Encoding`
/// and `Content-Length` from the head first.
public struct ResponseReceiver: Sendable {
  /// The head of the response.
  public let head: TransportResponse.Head
  private let limit: Int
  /// The length of the body, or `nil` if the response doesn't state it.
  private let length: Int?
  private let file: PartialFile?
  private var bytes: [UInt8] = []
  private var count = 0

  /// Creates a receiver after the head has arrived.
  ///
  /// - Throws: ``FieldError`` with the code ``FieldError/Code/responseTooLarge`` if the stated length
  ///   is more than the limit of the request, and ``FieldError/Code/diskFull`` or
  ///   ``FieldError/Code/io`` if no file can be created.
  public init(_ head: TransportResponse.Head, for request: TransportRequest) throws(FieldError) {
    let hasLength =
      request.method != .head && head.status != 204 && head.status != 304
      && head.fields["Content-Encoding"] == nil
    self.head = head
    limit = request.responseLimit
    length =
      hasLength
      ? head.fields["Content-Length"].flatMap { Int64($0) }.map { Int(clamping: $0) } : nil
    if let length, length > limit { throw Self.tooLarge(limit, head) }
    if case .file(let url) = request.destination, (200...299).contains(head.status) {
      file = try PartialFile(for: url)
    } else {
      file = nil
      bytes.reserveCapacity(max(0, min(length ?? 0, 1 << 20)))
    }
  }

  /// Adds a part of the body.
  ///
  /// - Throws: ``FieldError`` with the code ``FieldError/Code/responseTooLarge`` if the body is larger
  ///   than the limit of the request, and ``FieldError/Code/diskFull`` or ``FieldError/Code/io`` if it
  ///   can't be written.
  public mutating func append(_ part: some Collection<UInt8>) throws(FieldError) {
    let offset = count
    guard part.count <= limit - count else { throw Self.tooLarge(limit, head) }
    count += part.count
    // An unspecialized collection is copied byte by byte otherwise.
    let isCopied =
      part.withContiguousStorageIfAvailable { unsafe bytes.append(contentsOf: $0) } != nil
    if !isCopied { bytes.append(contentsOf: part) }
    guard let file else { return }
    try file.write(bytes, at: offset)
    bytes.removeAll(keepingCapacity: true)
  }

  /// Returns the response with its body, after the last part.
  ///
  /// - Parameter early: Whether the rest of the body, if any, doesn't matter.
  /// - Throws: ``FieldError`` with the code ``FieldError/Code/bodyCut`` if the body is shorter than
  ///   stated, and ``FieldError/Code/diskFull`` or ``FieldError/Code/io`` if it can't be written.
  public func finish(early: Bool = false) throws(FieldError) -> TransportResponse {
    if let length, count < length, !early { throw bodyCut() }
    try file?.commit()
    return TransportResponse(
      status: head.status, fields: head.fields, url: head.url,
      body: file.map { .file($0.url) } ?? .bytes(bytes))
  }

  /// Removes the incomplete file, if there is one; has no effect on a finished response.
  public func discard() { file?.discard() }

  /// Returns the error for a body that ended early, or can't be decoded.
  public func bodyCut(underlying: (any Error)? = nil) -> FieldError {
    let length = length.map { " of \($0)" } ?? ""
    return FieldError(
      .bodyCut, "The body ended early or can't be decoded, after \(count)\(length) bytes.",
      response: head, underlying: underlying)
  }

  private static func tooLarge(_ limit: Int, _ head: TransportResponse.Head) -> FieldError {
    FieldError(
      .responseTooLarge, "The response exceeds the limit of \(limit) bytes.", response: head)
  }
}
