public import FieldCore

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
