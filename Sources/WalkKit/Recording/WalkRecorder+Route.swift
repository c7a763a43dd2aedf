internal import FieldCore

extension WalkRecorder {
  /// Returns the route so far, such as to draw it after an interrupted walk is resumed.
  ///
  /// The method reads the walk's journal. While you record, append each accepted fix to what you
  /// have drawn instead of calling it again. Once the walk is saved, use ``WalkDiary/route(of:)``.
  ///
  /// ```swift
  /// for segment in try await walk.route().segments { show(segment.map(\.coordinate)) }
  /// ```
  ///
  /// - Throws: `FieldError` if the journal can't be read, such as after the walk is saved.
  @concurrent
  public func route() async throws -> WalkRoute {
    // Under the lock, no entry moves from the backlog to the journal meanwhile.
    try core.withLock { try recordedRoute(with: $0.backlog) }
  }

  /// Returns the route from the journal and the entries that couldn't be written yet.
  func recordedRoute(with backlog: [[UInt8]]) throws -> WalkRoute {
    var segments: [[TrackPoint]] = []
    func add(_ bytes: [UInt8], _ payload: Range<Int>) throws {
      guard case .point(let point, let startsSegment) = try WalkEntry(bytes, payload).event else {
        return
      }
      if startsSegment || segments.isEmpty { segments.append([]) }
      segments[segments.count - 1].append(point)
    }
    try journal.forEachEntry(add)
    for bytes in backlog { try add(bytes, JournalScan.prefixSize..<bytes.count) }
    return WalkRoute(segments: segments)
  }
}
