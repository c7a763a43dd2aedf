public import FieldCore
public import FieldFoundation

/// A timetable on the device, compiled from a GTFS feed and refreshed once a day.
///
/// ```swift
/// let catalog = TimetableCatalog("cairns", at: url, storage: storage, transport: transport)
/// try await catalog.refresh()
/// if let timetable = try await catalog.view().timetable {
///   print(try timetable.departures(at: "750449", from: .now).map(\.time))
/// }
/// ```
///
/// A refresh is conditional, so a server whose feed hasn't changed sends nothing. The new timetable replaces the old one at
/// once when it is complete. A feed that is truncated, that isn't one, or that has no service from today on is refused, and
/// so is one with less than a tenth of the old one's trips. The old timetable then stays, and so does its age.
public final class TimetableCatalog: EngineKit, LiveKit {
  /// The engine that opens, refreshes, erases, and closes the catalog.
  public let engine: KitEngine
  private let views: ViewSource<TimetableView>

  /// Creates a catalog of the feed at a URL.
  ///
  /// - Parameters:
  ///   - name: The name of the kit, and of its store in the storage: 1 through 64 ASCII letters, digits, `-`, `_`, and `.`,
  ///     beginning with a letter or digit. Use each name for one feed only.
  ///   - url: The URL of the feed's zip archive.
  ///   - storage: The storage to keep the timetable in.
  ///   - transport: The transport to download with. The catalog adds retries and shared requests.
  ///   - clock: The clock to use.
  ///   - policy: The policy that decides when a refresh is due. Defaults to once a day.
  ///   - zone: The offset of the feed's time zone from UTC. By default, the zone that the feed names is looked up in the
  ///     system's rules.
  ///   - includesShapes: Pass `true` for ``JourneyLeg/shape``, which makes the timetable larger.
  ///   - dataSource: A description of the data, with its attribution.
  ///   - fields: Additional header fields to send, such as an API key.
  public init(
    _ name: String, at url: URL, storage: Storage, transport: any Transport,
    clock: any FieldClock = .system, policy: RefreshPolicy = .daily, zone: FixedZone? = nil,
    includingShapes includesShapes: Bool = false, dataSource: DataSource? = nil,
    fields: HTTPHeaderFields = [:]
  ) {
    let store: any RecordStore<TimetableRecord> = storage.store(name)
    let source = TimetableSource(
      download: Download(
        url, transport: transport.retrying(clock: clock).coalescing(), fields: fields,
        timeout: .seconds(120), dataSource: dataSource, operation: "\(name).feed", fingerprint: ""
      ) { bytes, _ in
        Batch(
          records: [
            try TimetableRecord(compiling: bytes, zone: zone, includingShapes: includesShapes)
          ])
      }, store: store, clock: clock)
    let form =
      "timetable/\(TimetableFile.version)\(includesShapes ? " shapes" : "") "
      + (zone.map(\.description) ?? "")
    engine = KitEngine(
      name, dataSources: [dataSource].compactMap(\.self), stores: [store], clock: clock,
      parts: [
        RefreshPart(
          sources: [source], named: "timetables",
          fingerprint: "\(form) \(url.absoluteString)", store: store,
          snapshotGuard: SnapshotGuard(), clock: clock, policy: policy)
      ])
    views = ViewSource(store, engine: engine)
  }

  /// Returns the current timetable, which you can query synchronously.
  ///
  /// ```swift
  /// if let timetable = try await catalog.view().timetable { print(timetable.stopCount) }
  /// ```
  @concurrent
  public func view() async throws -> TimetableView { try await views.view() }

  /// Returns the current timetable, and then each one that replaces it.
  ///
  /// ```swift
  /// for try await view in catalog.updates() { print(view.timetable?.stopCount ?? 0) }
  /// ```
  public func updates() -> TimetableUpdates { views.updates() }
}

/// The views of a catalog's timetable, now and after each change: see ``TimetableCatalog/updates()``.
public typealias TimetableUpdates = ViewUpdates<TimetableView>

/// The timetable that a catalog keeps.
public struct TimetableView: StoreView {
  package let snapshot: Snapshot<TimetableRecord>
  /// The timetable; `nil` if none has been stored, or if ``failure`` says why it can't be used.
  public let timetable: Timetable?
  /// The reason why the stored timetable can't be used, such as that an older version of the app wrote it.
  ///
  /// The next refresh replaces it.
  public let failure: FieldError?
  /// The damage found while opening the store, until a refresh or `open()` has reported it.
  public package(set) var damage: [OpeningReport.Cut] = []

  /// The report about the feed that the timetable was compiled from; `nil` if there is none.
  public var report: TimetableReport? { snapshot[id: TimetableRecord.onlyID]?.report }

  package init(of snapshot: Snapshot<TimetableRecord>, after earlier: TimetableView?) {
    self.snapshot = snapshot
    let record = snapshot[id: TimetableRecord.onlyID]
    guard let record else {
      (timetable, failure) = (nil, nil)
      return
    }
    if let earlier, earlier.timetable?.bytes == record.bytes {
      (timetable, failure) = (earlier.timetable, nil)
      return
    }
    do throws(FieldError) {
      (timetable, failure) = (try Timetable(record.bytes), nil)
    } catch {
      (timetable, failure) = (nil, error)
    }
  }
}
