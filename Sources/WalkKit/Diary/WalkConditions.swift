internal import FieldCore
internal import FieldFoundation

/// The sources of the weather and air quality of a walk if its owner doesn't enter them.
///
/// The sources are queried when a walk is saved, for the place where it began, and only if it ended
/// within the last hour, because services report current conditions. If a source doesn't respond in
/// time or fails, its values stay unknown, and the walk is saved anyway.
public struct WalkConditions: Sendable {
  /// The source of the weather; `nil` for none.
  public var weather: (any WeatherSource)?
  /// The source of the air quality; `nil` for none.
  public var air: (any AirQualitySource)?
  /// The scale by which to grade the fine dust.
  public var scale: DustScale
  /// The maximum time to wait for a response.
  ///
  /// Defaults to 5 seconds.
  public var patience: Duration

  /// Creates conditions, which by default have no sources.
  public init(
    weather: (any WeatherSource)? = nil, air: (any AirQualitySource)? = nil,
    scale: DustScale = .korea2018, patience: Duration = .seconds(5)
  ) {
    self.weather = weather
    self.air = air
    self.scale = scale
    self.patience = patience
  }

  /// Returns the walk with the values that its owner hasn't entered, if they are available.
  func completed(_ walk: Walk, at place: Coordinate?, clock: any FieldClock) async -> Walk {
    var walk = walk
    let age = clock.now.timeIntervalSince(walk.end)
    if let place, age < 3_600, age > -3_600 {
      let skySource = walk.weather == nil ? weather : nil
      let airSource = walk.air == nil ? air : nil
      async let sky = answer(of: skySource, clock) { try await $0.weather(at: place) }
      async let measured = answer(of: airSource, clock) { try await $0.airQuality(at: place) }
      let answers = await (sky, measured)
      walk.weather = walk.weather ?? answers.0?.weather
      walk.air = walk.air ?? answers.1
    }
    walk.dust = walk.dust ?? walk.air?.grade(scale)
    return walk
  }

  /// Returns the response of a source, or `nil` if there is none, it fails, or it takes too long.
  private func answer<Source: Sendable, Answer: Sendable>(
    of source: Source?, _ clock: any FieldClock,
    _ ask: @escaping @Sendable (Source) async throws -> Answer
  ) async -> Answer? {
    guard let source else { return nil }
    // This isn't a task group, which would wait for a source that ignores its cancellation.
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
