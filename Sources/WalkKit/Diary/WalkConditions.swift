internal import FieldCore
internal import FieldFoundation

/// Where the weather and the air of a walk come from, when its owner does not say.
///
/// They are asked when a walk is saved, for the place where it began, and only for a walk that ended
/// within the last hour: a service tells how it is now. What does not answer in time, or fails, leaves
/// its values unknown and never stops a walk.
public struct WalkConditions: Sendable {
  /// Who says what the sky is like; nil for nobody.
  public var weather: (any WeatherSource)?
  /// Who measures the air; nil for nobody.
  public var air: (any AirQualitySource)?
  /// The scale that tells the grade of the fine dust.
  public var scale: DustScale
  /// How long an answer may take; 5 seconds by default.
  public var patience: Duration

  /// Makes conditions; by default nobody is asked.
  public init(
    weather: (any WeatherSource)? = nil, air: (any AirQualitySource)? = nil,
    scale: DustScale = .korea2018, patience: Duration = .seconds(5)
  ) {
    self.weather = weather
    self.air = air
    self.scale = scale
    self.patience = patience
  }

  /// The walk with what can be learned about it, where nobody has noted it.
  func completed(
    _ walk: Walk, at place: Coordinate?, clock: any FieldClock
  ) async -> Walk {
    var walk = walk
    let age = clock.now.timeIntervalSince(walk.end)
    if let place, age < 3_600, age > -3_600 {
      let (skySource, airSource) = (
        walk.weather == nil ? weather : nil, walk.air == nil ? air : nil
      )
      async let sky = answer(of: skySource, clock) {
        try await $0.weather(at: place)
      }
      async let measured = answer(of: airSource, clock) {
        try await $0.airQuality(at: place)
      }
      let answers = await (sky, measured)
      walk.weather = walk.weather ?? answers.0?.weather
      walk.air = walk.air ?? answers.1
    }
    walk.dust = walk.dust ?? walk.air?.grade(scale)
    return walk
  }

  /// What a source says; nil when it is not asked, fails or takes too long.
  private func answer<Source: Sendable, Answer: Sendable>(
    of source: Source?, _ clock: any FieldClock,
    _ ask: @escaping @Sendable (Source) async throws -> Answer
  ) async -> Answer? {
    guard let source else { return nil }
    // Not a group, which would wait for a source that does not heed its cancellation.
    let (answers, continuation) = AsyncStream.makeStream(
      of: Answer?.self, bufferingPolicy: .bufferingOldest(1))
    let work = Task {
      do { continuation.yield(try await ask(source)) } catch { continuation.yield(nil) }
    }
    let alarm = Task { [patience] in
      do { try await clock.sleep(for: patience) } catch {}
      continuation.yield(nil)
    }
    defer {
      work.cancel()
      alarm.cancel()
    }
    for await answer in answers { return answer }
    return nil
  }
}
