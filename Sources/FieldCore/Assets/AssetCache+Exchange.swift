internal import FieldFoundation

extension AssetCache {
  /// Requests the asset and rejects a response that the request doesn't accept.
  func exchange(_ request: AssetRequest, _ old: KeptAsset?) async throws -> Answer {
    let url = request.originalURL ?? request.url
    let address = SHA256.digest(of: Array(url.absoluteString.utf8))
    let http = TransportRequest(
      url: request.url, fields: request.fields, timeout: request.timeout,
      responseLimit: limits.largestAsset, operation: request.operation)
    // Validators are valid only for the URL that sent them.
    let conditional = ConditionalRequest(
      http, known: old?.address == address ? old?.validators : nil)
    let response = try await send(conditional.request, request)
    try Task.checkCancellation()
    let now = clock.now

    let answer = try conditional.answer(of: response)
    if !answer.isNew, var kept = old {
      kept.confirmedAt = now
      kept.validators = answer.validators
      return Answer(kept: kept, isNew: false)
    }
    let data = Data(try response.body.bytes())
    let kept = KeptAsset(
      data: data, format: try checked(data, request, response.head),
      contentType: response.fields["Content-Type"], fetchedAt: now, confirmedAt: now,
      validators: answer.validators, address: address)
    return Answer(kept: kept, isNew: true)
  }

  private func send(_ http: TransportRequest, _ request: AssetRequest) async throws
    -> TransportResponse
  {
    do {
      return try await transport.send(http)
    } catch let error as FieldError where error.code == .responseTooLarge {
      throw tooLarge(request, nil, error.response, error)
    } catch {
      throw FieldError.wrapping(
        error, as: .transport, "The asset couldn't be fetched.", operation: request.operation)
    }
  }

  /// Returns the format of the data, or throws if the request doesn't accept the data.
  func checked(
    _ data: Data, _ request: AssetRequest, _ head: TransportResponse.Head?
  ) throws(FieldError) -> AssetFormat? {
    guard data.count <= limits.largestAsset else { throw tooLarge(request, data.count, head) }
    guard !data.isEmpty else {
      throw FieldError(
        .emptyBody, "The asset is empty.", operation: request.operation, response: head)
    }
    let format = AssetFormat(sniffing: data)
    guard request.accepts(format) else {
      let formats = (request.formats ?? []).map { $0.rawValue.uppercased() }.sorted()
      let wanted =
        request.formats == AssetFormat.images ? "a picture" : formats.joined(separator: " or ")
      let found =
        format.map { $0 == .html ? "an HTML page" : $0.rawValue.uppercased() }
        ?? "data in an unknown format"
      throw FieldError(
        .assetFormat, "Expected \(wanted) but received \(found). Check the URL.",
        operation: request.operation, response: head)
    }
    return format
  }

  func tooLarge(
    _ request: AssetRequest, _ count: Int?, _ head: TransportResponse.Head?,
    _ cause: FieldError? = nil
  ) -> FieldError {
    let size = count.map { "The asset has \($0) bytes" } ?? "The asset is too large"
    return FieldError(
      .assetTooLarge,
      "\(size). Increase AssetLimits.largestAsset (\(limits.largestAsset) bytes) to accept it.",
      operation: request.operation, response: head, underlying: cause)
  }
}
