public import FieldCore
public import FieldFoundation

/// A city hall in your pocket: its units, services, facilities, news, and activities, offline.
///
/// ```swift
/// let directory = CivicDirectory(storage: .directory(folder), transport: URLSessionTransport())
/// try await directory.refresh()
/// for tile in try await directory.facilities() { print(tile.name) }
/// let hits = try await directory.search("社會")
/// ```
///
/// Creating a directory does no I/O; it opens on first use, once for all callers. Its eleven tables
/// are in one store, so a sync is one commit that includes the cursors of the tables. If a refresh
/// fails, the directory keeps its data; check ``lastRefresh`` to see how old it is.
///
/// Where the tables come from is up to you: a ``CivicService``, files
/// (``importTables(in:advancingCursors:)``), or your own rows (``apply(_:to:advancingCursor:)``).
/// Without a source, a refresh fetches only the feeds. The feeds are Tainan's unless you pass
/// others.
///
/// One storage can contain several cities, each with its own name.
///
/// A refresh stores all tables in one commit: if one of them fails, none is stored. The feeds are
/// stored separately and fetched on every visit; if only they fail, the report has a notice. The date
/// of the next refresh is that of the tables: `nil` unless ``CivicOptions/policy`` has an interval.
public final class CivicDirectory: EngineKit, LiveKit {
  /// The history of the user's searches.
  public let searchHistory: SearchHistory
  /// The engine that opens, refreshes, erases, and closes the directory.
  public let engine: KitEngine

  let views: ViewSource<CivicView>
  let feeds: CityFeeds
  let pictures: CivicPictures
  let options: CivicOptions

  /// The name that a directory has by default.
  public static var defaultName: String { "civic" }

  /// Returns the name of a directory's store, which omits the default name.
  package static func storeName(_ store: String, of name: String) -> String {
    name == defaultName ? store : "\(store).\(name)"
  }

  /// Creates a directory of a city.
  ///
  /// - Parameters:
  ///   - name: The name of the city in the storage: up to 52 ASCII letters, digits, `-`, `_`, and
  ///     `.`. Use names that differ in more than case. Defaults to `civic`.
  ///   - service: The server of the tables. Defaults to `nil`: there is none.
  ///   - feeds: The feeds of news and activities. Defaults to those of Tainan.
  ///   - storage: The storage to keep everything in.
  ///   - transport: The transport to fetch tables, feeds, and pictures with. Retries and request
  ///     coalescing are added here, so don't add them yourself.
  ///   - clock: The clock to use.
  ///   - options: The options.
  ///   - pictureLimits: The largest picture to download, and the space for downloaded pictures.
  public convenience init(
    name: String = defaultName, service: CivicService? = nil,
    feeds: [CityFeed] = CityFeed.tainan, storage: Storage, transport: any Transport,
    clock: any FieldClock = .system, options: CivicOptions = CivicOptions(),
    pictureLimits: AssetLimits = AssetLimits()
  ) {
    let shared = transport.retrying(clock: clock).coalescing()
    self.init(
      name: name, source: service.map { CivicServer($0, transport: shared) },
      repository: storage.store(Self.storeName("civic", of: name)),
      feeds: CityFeeds(name: name, storage: storage, transport: shared, clock: clock, feeds: feeds),
      pictures: AssetCache(
        storage: storage, name: Self.storeName("civic", of: name), transport: shared, clock: clock,
        limits: pictureLimits),
      clock: clock, options: options)
  }

  /// Creates a directory from your own parts, which are used as they are.
  ///
  /// - Parameters:
  ///   - name: The name of the directory in progress, reports, and errors. Defaults to `civic`.
  ///   - source: The source of the tables; `nil` if there is none.
  ///   - repository: The store to keep the tables in.
  ///   - feeds: The news and activities.
  ///   - cache: The cache to keep pictures in.
  ///   - clock: The clock to use.
  ///   - options: The options.
  public init(
    name: String = defaultName, source: CivicServer?, repository: any CivicRepository,
    feeds: CityFeeds, pictures cache: AssetCache, clock: any FieldClock = .system,
    options: CivicOptions = CivicOptions()
  ) {
    let pictures = CivicPictures(
      cache: cache, service: source?.service, folder: options.pictureFolder)
    var parts = [feeds.refresher.part(isMain: source == nil)]
    if let source {
      let sync = CivicSync(server: source, repository: repository, clock: clock, options: options)
      parts.insert(sync.part, at: 0)
    }
    var hooks = KitEngine.Hooks()
    hooks.erase = {
      try await repository.eraseAll()
      try await feeds.refresher.eraseAll()
      try await cache.removeAll()
    }
    hooks.closing = { feeds.refresher.close() }
    engine = KitEngine(
      name, dataSources: [source?.service.dataSource].compactMap(\.self) + feeds.dataSources,
      stores: [repository, feeds.store], clock: clock, parts: parts, hooks: hooks)
    views = ViewSource(repository, engine: engine)
    self.feeds = CityFeeds(feeds, partOf: engine)
    self.pictures = pictures
    self.options = options
    searchHistory = SearchHistory(store: repository, limit: options.historyLimit)
  }

  // MARK: Reading

  /// Returns an immutable snapshot of the directory that you can query synchronously.
  ///
  /// ```swift
  /// let view = try await directory.view()
  /// print(view.units.count, view.search(CivicSearch("社會")).count)
  /// ```
  @concurrent
  public func view() async throws -> CivicView { try await views.view() }

  /// Returns the current view, followed by the newest one after each change.
  ///
  /// ```swift
  /// for try await view in directory.updates() { print(view.units.count, "units") }
  /// ```
  public func updates() -> CivicUpdates { views.updates() }
}

// MARK: - Reading

extension CivicDirectory {
  // MARK: Tiles

  /// Returns the kinds of facilities, such as 廁所 (toilets), in table order.
  ///
  /// These are the categories of rank 3.
  ///
  /// ```swift
  /// for tile in try await directory.facilities() { print(tile.name) }
  /// ```
  @concurrent
  public func facilities() async throws -> [UnitCategory] {
    try await view().categories(of: .facility)
  }

  /// Returns the kinds of services that people come for, in table order.
  ///
  /// ```swift
  /// print(try await directory.quickServices().map(\.name))
  /// ```
  ///
  /// These are the categories of rank 2.
  @concurrent
  public func quickServices() async throws -> [UnitCategory] {
    try await view().categories(of: .quickService)
  }

  /// Returns the departments of the city, in table order.
  ///
  /// ```swift
  /// for department in try await directory.departments() {
  ///   print(department.name, try await directory.units(in: department.id).count)
  /// }
  /// ```
  ///
  /// These are the categories of rank 1.
  @concurrent
  public func departments() async throws -> [UnitCategory] {
    try await view().categories(of: .administrative)
  }

  /// Returns the categories of a kind, in table order.
  @concurrent
  public func categories(of kind: CategoryKind) async throws -> [UnitCategory] {
    try await view().categories(of: kind)
  }

  /// Returns the category with a name, such as the tile 廁所, or `nil` if there is none.
  ///
  /// See ``CivicView/category(named:of:)`` for how names are compared.
  ///
  /// ```swift
  /// if let toilets = try await directory.category(named: "廁所") {
  ///   print(try await directory.units(in: toilets.id).count)
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - name: The whole name.
  ///   - kind: The kind of the category. Defaults to `nil`, which means any.
  @concurrent
  public func category(
    named name: String, of kind: CategoryKind? = nil
  ) async throws -> UnitCategory? { try await view().category(named: name, of: kind) }

  // MARK: Units

  /// Returns the units in a category, in table order.
  ///
  /// ```swift
  /// if let tile = try await directory.facilities().first {
  ///   for unit in try await directory.units(in: tile.id) { print(unit.name, unit.phones) }
  /// }
  /// ```
  @concurrent
  public func units(in category: UnitCategory.ID) async throws -> [CivicUnit] {
    try await view().units(in: category)
  }

  /// Returns the units that are linked directly to a keyword of a kind, in table order.
  @concurrent
  public func units(of kind: CategoryKind) async throws -> [CivicUnit] {
    try await view().units(of: kind)
  }

  /// Returns a unit with its categories, parent, and children, or `nil` if there is no such unit.
  ///
  /// ```swift
  /// if let hit = try await directory.search("社會").first,
  ///   let detail = try await directory.unit(hit.id)
  /// {
  ///   print(detail.unit.name, detail.ancestors.map(\.name), detail.children.map(\.name))
  /// }
  /// ```
  @concurrent
  public func unit(_ id: CivicUnit.ID) async throws -> UnitDetail? {
    try await view().detail(of: id)
  }

  // MARK: Search

  /// Returns the units whose name or description contains any word of a text, best match first.
  ///
  /// ```swift
  /// for hit in try await directory.search("社會", recordingInHistory: true) { print(hit.unit.name) }
  /// ```
  ///
  /// - Parameters:
  ///   - text: The words to look for.
  ///   - recordingInHistory: Pass `true` to add the text to ``searchHistory``, even if nothing is
  ///     found. Defaults to `false`.
  @concurrent
  public func search(_ text: String, recordingInHistory: Bool = false) async throws -> [CivicHit] {
    try await search(CivicSearch(text), recordingInHistory: recordingInHistory)
  }

  /// Returns the units that match a search, best match first.
  ///
  /// See ``CivicView/search(_:)`` for how matches are ranked.
  ///
  /// ```swift
  /// let hits = try await directory.search(CivicSearch("戶籍 登記", words: .all))
  /// print(hits.map(\.unit.name))
  /// ```
  ///
  /// - Parameters:
  ///   - search: The search.
  ///   - recordingInHistory: Pass `true` to add the text to ``searchHistory``, even if nothing is
  ///     found. Defaults to `false`.
  @concurrent
  public func search(
    _ search: CivicSearch, recordingInHistory: Bool = false
  ) async throws -> [CivicHit] {
    if recordingInHistory { try await searchHistory.add(search.text) }
    return try await view().search(search)
  }

  // MARK: Banners, apps and the guide

  /// Returns the banners whose last day isn't over, in table order.
  ///
  /// No update follows at midnight. In a view that stays, call the method again when the system
  /// announces another day, such as with `NSCalendarDayChanged`.
  ///
  /// ```swift
  /// for banner in try await directory.banners() { print(banner.name, banner.url as Any) }
  /// ```
  ///
  /// - Parameter includingPast: Pass `true` to include past banners. Defaults to `false`.
  @concurrent
  public func banners(includingPast: Bool = false) async throws -> [CivicBanner] {
    let view = try await view()
    return includingPast
      ? view.banners : view.banners(on: CalendarDay(engine.clock.now, in: options.zone))
  }

  /// Returns the city's apps, in table order.
  @concurrent
  public func apps() async throws -> [CivicApp] { try await view().apps }

  /// Returns the pages of the guide, in table order.
  @concurrent
  public func instructions() async throws -> [InstructionPage] { try await view().instructions }

  /// Marks a page of the guide as read.
  ///
  /// - Returns: `true` if the page was unread; `false` if it was already read or doesn't exist.
  @discardableResult
  public func markRead(_ page: InstructionPage.ID) async throws -> Bool {
    try await edit { edit in
      guard var row = edit.row(InstructionPage.self, id: page), !row.isRead else { return false }
      row.isRead = true
      edit.put(row)
      return true
    }
  }

  // MARK: Pictures

  /// Returns the picture of a banner, or `nil` if the banner has none.
  ///
  /// ```swift
  /// for banner in try await directory.banners() {
  ///   if let picture = try await directory.image(for: banner) { show(picture.data) }
  /// }
  /// ```
  ///
  /// The picture is taken from ``CivicOptions/pictureFolder``, then from the cache, and is
  /// downloaded if it is in neither.
  ///
  /// - Throws: `FieldError` with the code `input.invalid` if the picture's name isn't a plain file
  ///   name, `civic.noService` if the picture isn't in the folder and there is no media address,
  ///   and the errors of the transport and of `AssetCache`.
  public func image(for banner: CivicBanner) async throws -> Asset? {
    try await pictures.asset(named: banner.imageName)
  }

  /// Returns the icon of an app, as ``image(for:)-(CivicBanner)`` does.
  public func image(for app: CivicApp) async throws -> Asset? {
    try await pictures.asset(named: app.imageName)
  }

  /// Returns the icon of a category, as ``image(for:)-(CivicBanner)`` does.
  ///
  /// ```swift
  /// for tile in try await directory.facilities() {
  ///   print(tile.name, try await directory.icon(for: tile)?.data.count ?? 0)
  /// }
  /// ```
  public func icon(for category: UnitCategory) async throws -> Asset? {
    try await pictures.asset(named: category.iconName)
  }

  /// Returns the icon of a unit, as ``image(for:)-(CivicBanner)`` does.
  public func icon(for unit: CivicUnit) async throws -> Asset? {
    try await pictures.asset(named: unit.iconName)
  }
}

// MARK: - Writing

extension CivicDirectory {
  // MARK: Typed rows

  /// Changes the directory in one commit.
  ///
  /// ```swift
  /// try await directory.edit { edit in
  ///   edit.delete(CivicUnit.self, id: "u5")
  ///   try edit.upsert(CivicUnit(id: "u9", name: "社會救助櫃台"))
  /// }
  /// ```
  ///
  /// - Parameter body: A closure that makes the changes. It runs again if the directory changes in
  ///   the meantime, so it must have no other side effects.
  /// - Returns: The value that `body` returns.
  /// - Throws: The error that `body` throws, in which case nothing is changed.
  @discardableResult
  public func edit<Result: Sendable>(
    _ body: (inout CivicEdit) throws -> Result
  ) async throws -> Result {
    try await FieldError.wrapping("The directory can't be changed.") {
      try await views.store.updating { snapshot, changes, _ in
        var edit = CivicEdit(of: snapshot)
        let result = try body(&edit)
        changes = edit.changes()
        return result
      }
    }
  }

  /// Adds a row to its table.
  ///
  /// - Throws: `FieldError` with the code `civic.rowExists` if the table already has a row with its
  ///   key, and `input.invalid` if the row can't be stored; see `problems` for the reasons.
  public func create(_ row: some CivicTableRow) async throws {
    try await edit { try $0.create(row) }
  }

  /// Adds a row to its table, or replaces the row with the same key.
  ///
  /// - Throws: `FieldError` with the code `input.invalid` if the row can't be stored; see
  ///   `problems` for the reasons.
  public func upsert(_ row: some CivicTableRow) async throws {
    try await edit { try $0.upsert(row) }
  }

  /// Deletes the row with a key from its table.
  ///
  /// - Returns: `true` if there was such a row.
  @discardableResult
  public func delete<Row: CivicTableRow>(_ type: Row.Type, id: Row.ID) async throws -> Bool {
    try await edit { $0.delete(type, id: id) }
  }

  /// Returns all rows of a table, in the order in which they were first stored.
  ///
  /// ```swift
  /// let banners: [CivicBanner] = try await directory.rows()
  /// print(banners.count)
  /// ```
  @concurrent
  public func rows<Row: CivicTableRow>(_ type: Row.Type = Row.self) async throws -> [Row] {
    try await view().rows(type)
  }

  // MARK: Rows of the source

  /// Applies rows of a table, following the rules of a sync.
  ///
  /// - A row is inserted, or replaces the columns that it contains in the row with the same key.
  ///   Missing columns keep their stored values. A row whose `isDelete` isn't 0 deletes its key.
  /// - All links of one ID (tables `administrativeUnitInCategory`, `inKeyword`, and
  ///   `mappingKeyword`) are replaced together by the rows for that ID.
  /// - Unusable rows, such as those without a key, are listed in the report's failures, and the
  ///   others are applied. If no row is usable, the call throws.
  ///
  /// - Parameters:
  ///   - json: One row, an array of rows, or a server's response: `{"result":0,"data":[…]}`.
  ///   - table: The table that the rows belong to.
  ///   - advancingCursor: Pass `true` if the next refresh should request only changes since the
  ///     newest of these rows. Use it for the data that ships with an app, not for single rows.
  ///     Defaults to `false`.
  /// - Throws: `FieldError` with the code `civic.unknownTable`, `civic.result`,
  ///   `civic.unusableRows`, or one that begins with `rows`. The directory is unchanged.
  @discardableResult
  public func apply(
    _ json: Data, to table: CivicTable, advancingCursor: Bool = false
  ) async throws -> RefreshReport {
    try await apply([table: json], advancingCursors: advancingCursor)
  }

  /// Applies rows of several tables in one commit, as ``apply(_:to:advancingCursor:)`` does.
  @concurrent
  @discardableResult
  public func apply(
    _ tables: [CivicTable: Data], advancingCursors: Bool = false
  ) async throws -> RefreshReport {
    try await apply(tables, from: .server, advancingCursors: advancingCursors)
  }

  /// Applies tables, which errors identify by their file names.
  func apply(
    _ tables: [CivicTable: Data], from origin: CivicRowRules.Origin,
    names: [CivicTable: String] = [:], advancingCursors: Bool
  ) async throws -> RefreshReport {
    var bodies: [(table: CivicTable, name: String, rows: [JSONValue])] = []
    var errors: [FieldError] = []
    for (table, json) in tables.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
      let name = names[table] ?? table.rawValue
      do throws(FieldError) {
        let rows = try FieldError.naming(name) { () throws(FieldError) in
          try CivicAnswer.rows(ofAny: [UInt8](json), for: table)
        }
        bodies.append((table, name, rows))
      } catch {
        errors.append(error)
      }
    }
    // Tables refer to each other, so either all are stored or none; the error lists every bad one.
    if var error = errors.first {
      if errors.count > 1 { error.problems = errors.map(\.message) }
      throw error
    }
    return try await FieldError.wrapping("The rows can't be stored.") {
      try await views.store.updating { snapshot, changes, checkpoint in
        var edit = CivicEdit(of: snapshot)
        var report = RefreshReport(outcome: .unchanged, date: engine.clock.now)
        let rules = CivicRowRules(
          areaCode: options.areaCode, zone: options.zone, origin: origin, now: engine.clock.now)
        for body in bodies {
          let outcome = try FieldError.naming(body.name) { () throws(FieldError) in
            try edit.apply(body.rows, to: body.table, rules: rules)
          }
          report.add(outcome)
          // Rows that the old app stored without their keys must be fetched from a server again.
          let isWhole = origin != .oldDatabase || outcome.failures.isEmpty
          guard advancingCursors, isWhole, let newest = outcome.newest else { continue }
          var next = checkpoint ?? Checkpoint()
          next[body.table] = max(newest, next[body.table] ?? 0)
          checkpoint = next
        }
        edit.tally(in: &report)
        changes = edit.changes()
        return report
      }
    }
  }

  /// Imports the tables in a folder of JSON files in one commit.
  ///
  /// See ``CivicTableFiles/read(_:)`` for the names of the files. In the table `hot`, `isDelete`
  /// means that the user has hidden the activity, as in the old app.
  ///
  /// - Parameters:
  ///   - folder: The folder that contains the files.
  ///   - advancingCursors: Whether the next refresh requests only changes since the newest rows, as
  ///     in ``apply(_:to:advancingCursor:)``. Defaults to `true`, because whole tables are
  ///     imported.
  /// - Throws: The errors of ``CivicTableFiles/read(_:)`` and ``apply(_:to:advancingCursor:)``. If
  ///   any file is unusable, none is imported, because tables refer to each other. The message
  ///   names the file; if there are several, `problems` names them all.
  @concurrent
  @discardableResult
  public func importTables(
    in folder: URL, advancingCursors: Bool = true
  ) async throws -> RefreshReport {
    let files = try await CivicTableFiles.files(in: folder)
    return try await apply(
      files.mapValues(\.data), from: .files, names: files.mapValues(\.name),
      advancingCursors: advancingCursors)
  }

  // MARK: The whole directory

  /// Returns the whole directory as one value that can be written as JSON.
  ///
  /// ```swift
  /// let snapshot = try await directory.export()
  /// try JSONEncoder().encode(snapshot).write(to: folder.appending(path: "city.json"))
  /// ```
  ///
  /// It contains the tables, the news and activities of the feeds, the hidden activities, and the
  /// launch flags.
  @concurrent
  public func export() async throws -> CivicSnapshot {
    CivicSnapshot(try await view(), feedItems: try await feeds.storedItems())
  }

  /// Replaces the content of the directory with a snapshot.
  ///
  /// ```swift
  /// let bytes = try Data(contentsOf: folder.appending(path: "city.json"))
  /// try await directory.restore(JSONDecoder().decode(CivicSnapshot.self, from: bytes))
  /// ```
  ///
  /// The tables are replaced in one commit, and then the items of the feeds. The next refresh
  /// fetches everything again. Launch flags are never removed. Anything that the snapshot doesn't
  /// contain, because an older version wrote it, stays as it is.
  @concurrent
  public func restore(_ snapshot: CivicSnapshot) async throws {
    let records = snapshot.records
    try await FieldError.wrapping("The directory can't be restored.") {
      try await views.store.update { before, changes, checkpoint in
        changes.removeAll()
        for record in before where snapshot.keeps(record) { changes.upsert(record) }
        for record in records { changes.upsert(record) }
        checkpoint = .erased(at: before.revision)
      }
      if let items = snapshot.feedItems { try await feeds.restore(items) }
    }
  }

  // MARK: First launches

  /// Claims the first launch of the app, of a screen, or of anything else that you name.
  ///
  /// The claim is on disk before the method returns.
  ///
  /// ```swift
  /// if try await directory.claimFirstLaunch(of: .app) { print("Welcome!") }
  /// ```
  ///
  /// - Returns: `true` at most once for each flag, even with concurrent callers, several processes,
  ///   or a crash.
  public func claimFirstLaunch(of flag: LaunchFlag) async throws -> Bool {
    try await !record([flag], failure: "The first launch can't be recorded.").isEmpty
  }

  /// Imports the launch flags of the old app, so that nobody is welcomed twice.
  ///
  /// - Returns: The flags that weren't set yet.
  @discardableResult
  public func importLegacyData(_ old: LegacyLaunchFlags) async throws -> Set<LaunchFlag> {
    try await record(old.launched, failure: "The old flags can't be recorded.")
  }

  /// Records flags, and returns those that weren't set yet.
  private func record(_ flags: Set<LaunchFlag>, failure: String) async throws -> Set<LaunchFlag> {
    try await FieldError.wrapping(failure) {
      try await views.store.updating { snapshot, changes, _ in
        let new = flags.filter { snapshot[id: CivicRecord.ID(.launch, $0.rawValue)] == nil }
        for flag in new.sorted(by: { $0.rawValue < $1.rawValue }) { changes.upsert(.launch(flag)) }
        return new
      }
    }
  }
}

/// A sequence of the current view of a directory and the newest one after each change.
///
/// Slow consumers skip intermediate states, but never the newest one. See
/// ``CivicDirectory/updates()``.
public typealias CivicUpdates = ViewUpdates<CivicView>
