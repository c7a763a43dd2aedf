internal import FieldCore
internal import FieldFoundation

extension WalkRoute {
  /// Returns the route without the points that only show the noise of the receiver, as if it had been
  /// recorded here.
  ///
  /// Programs that keep every fix write a cloud of points where a dog stood still, and a zigzag where it
  /// walked, whose legs add up to far more than was walked. What's left are points of the file, the first
  /// and the last of each segment among them, whose legs add up to the distance that was walked. Segments
  /// stay, points without times and points whose time isn't later than the previous one are kept, and a
  /// route that was recorded here hardly changes.
  ///
  /// ```swift
  /// let track = WalkRoute(tracks: try GPXDocument(data: data).tracks)
  /// print(track.distance, track.denoised().distance)
  /// ```
  ///
  /// - Parameter policy: The policy whose ``FixPolicy/minimumDistance``, ``FixPolicy/stillDuration``, and
  ///   ``FixPolicy/stillRadius`` apply. Its other limits don't, because another program has already
  ///   filtered the points, and segments say where nothing was recorded.
  public func denoised(_ policy: FixPolicy = .standard) -> WalkRoute {
    var limits = FixPolicy.permissive
    limits.minimumDistance = policy.minimumDistance
    limits.stillDuration = policy.stillDuration
    limits.stillRadius = policy.stillRadius
    limits.signalGap = .seconds(Int64.max)
    return WalkRoute(segments: segments.map { Self.denoised($0, limits) })
  }

  private static func denoised(_ segment: [TrackPoint], _ limits: FixPolicy) -> [TrackPoint] {
    var filter = FixFilter(limits)
    var kept: [TrackPoint] = []
    var lastTime = -Double.infinity
    for point in segment {
      guard let date = point.time, date.timeIntervalSinceReferenceDate > lastTime else {
        // Nothing can be said of a point without a time of its own, or of the way to it.
        if let end = filter.endSegment() { kept.append(end) }
        kept.append(point)
        continue
      }
      lastTime = date.timeIntervalSinceReferenceDate
      let accuracy = point.accuracy.flatMap { $0.meters >= 0 ? $0 : nil } ?? .zero
      let fix = LocationFix(coordinate: point.coordinate, accuracy: accuracy, time: date)
      switch filter.evaluate(fix, point, now: date) {
      case .accept: kept.append(point)
      case .keepBack: break
      case .reject: kept.append(point)
      }
    }
    if let end = filter.endSegment() { kept.append(end) }
    return kept
  }
}
